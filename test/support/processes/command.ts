import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'

const bin = resolve(import.meta.dirname, '../../../packages/sluice/bin/sluice.js')

export interface CommandResult {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunningCommand {
  readonly child: ChildProcess
  /** Resolves with the match once standard output contains it; rejects when the command ends first. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  /** The same for standard error. */
  logged(pattern: RegExp): Promise<RegExpExecArray>
  readonly ended: Promise<CommandResult>
}

export interface CommandOptions {
  readonly cwd: string
  readonly env?: NodeJS.ProcessEnv
  /** A command that runs it somewhere else. */
  readonly before?: readonly string[] | undefined
  /** The command of another checkout; default that of this one. */
  readonly bin?: string | undefined
}

/** Starts the built `sluice` command as a user would, in a folder. */
export function startCommand(args: readonly string[], options: CommandOptions): RunningCommand {
  const [program = '', ...rest] = [...(options.before ?? []), process.execPath, options.bin ?? bin, ...args]
  const child = spawn(program, rest, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  const watchers = new Set<() => void>()
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    for (const watcher of watchers) watcher()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
    for (const watcher of watchers) watcher()
  })
  const ended = new Promise<CommandResult>((done) => {
    child.on('close', (status) => done({ status, stdout, stderr }))
  })
  const found = (text: () => string, pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const match = pattern.exec(text())
        if (match === null) return
        watchers.delete(look)
        resolve(match)
      }
      watchers.add(look)
      look()
      void ended.then(() => reject(new Error(`the command ended before it printed ${pattern}:\n${stdout}\n${stderr}`)))
    })
  return {
    child,
    ended,
    printed: (pattern) => found(() => stdout, pattern),
    logged: (pattern) => found(() => stderr, pattern),
  }
}

export function runCommand(args: readonly string[], options: CommandOptions): Promise<CommandResult> {
  return startCommand(args, options).ended
}
