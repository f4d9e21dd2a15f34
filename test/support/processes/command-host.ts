import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import type { CommandResult } from './command.ts'

/**
 * Runs commands one after the other, each with its own folder, environment and exit status, and marks the end of each
 * on both of its output streams.
 */
const program = `
await import('../packages/sluice/dist/cli/terminal/terminal-colours.js')
const { runSluice } = await import('../packages/sluice/dist/cli/run-sluice.js')
const home = process.cwd()
const given = { ...process.env }
process.on('disconnect', () => process.exit())
process.on('message', async ({ args, cwd, env, end }) => {
  process.chdir(cwd)
  Object.assign(process.env, env)
  process.exitCode = undefined
  await runSluice(args)
  const status = process.exitCode ?? 0
  process.exitCode = undefined
  for (const name of Object.keys(process.env)) if (!(name in given)) delete process.env[name]
  Object.assign(process.env, given)
  // The folder may be deleted before the next command.
  process.chdir(home)
  process.stdout.write(end)
  process.stderr.write(end)
  process.send(status)
})
`

let host: ChildProcess | undefined
let last: Promise<unknown> = Promise.resolve()
let count = 0

/**
 * Runs the built `sluice` command like `runCommand`, but in a process that is reused by later commands: starting a
 * process and loading the packages takes most of the time of a short command. Commands run one at a time. Use
 * `runCommand` for commands that end their process (wrong usage, `--help`) and for at least one case of each command.
 */
export function runHosted(
  args: readonly string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<CommandResult> {
  const result = last.then(() => runNext(args, options))
  last = result.catch(() => {})
  return result
}

async function runNext(
  args: readonly string[],
  { cwd, env = {} }: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<CommandResult> {
  host ??= startHost()
  const child = host
  count += 1
  const end = `\0end of command ${count}\0`
  const [stdout, stderr] = [until(child.stdout, end), until(child.stderr, end)]
  let settle = (_: number | undefined): void => {}
  const settled = new Promise<number | undefined>((resolve) => {
    settle = resolve
  })
  const onExit = (): void => settle(undefined)
  child.once('message', settle).once('exit', onExit)
  child.send({ args, cwd, env, end })
  const status = await settled
  child.off('message', settle).off('exit', onExit)
  const result = { stdout: await stdout, stderr: await stderr }
  if (status !== undefined) return { status, ...result }
  host = undefined
  throw new Error(`sluice ${args.join(' ')} ended the process of its host:\n${result.stdout}\n${result.stderr}`)
}

/** It ends with its parent process, and does not keep that from ending. */
function startHost(): ChildProcess {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: resolve(import.meta.dirname, '../..'),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  child.unref()
  child.channel?.unref()
  return child
}

/** Resolves with the text of the stream before `end`, or until it closes. */
function until(stream: NodeJS.ReadableStream | null, end: string): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const settle = (): void => {
      stream?.off('data', look).off('close', settle)
      resolve(text)
    }
    const look = (chunk: string): void => {
      text += chunk
      if (!text.endsWith(end)) return
      text = text.slice(0, -end.length)
      settle()
    }
    stream?.setEncoding('utf8').on('data', look).on('close', settle)
  })
}
