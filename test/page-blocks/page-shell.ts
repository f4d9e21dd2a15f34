import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runHosted } from '../support/processes/command-host.ts'
import { asInstalled } from '../support/processes/installed.ts'
import { root } from './page-blocks.ts'
import { isPlain, wordsOf } from './shell-words.ts'

/** What a command has printed. */
export interface Ran {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
  /**
   * Returns what a reader may have seen in the terminal: standard output, alone or with what one of the commands in the
   * background has printed since the command was typed.
   */
  seen(): readonly string[]
}

/** A command in the background. */
interface Job {
  readonly child: ChildProcess
  readonly ended: Promise<number | null>
  /** Since the last command. */
  printed: string
}

/** A terminal in a folder of its own, into which the commands of a page are typed one after the other. */
export interface PageShell {
  /** Writes a file of the page. */
  write(file: string, text: string): void
  /** Runs a command to its end. One that ends in `&`, and a server, stay in the background. */
  run(command: string, variables?: NodeJS.ProcessEnv): Promise<Ran>
  /** Ends what runs in the background, and removes the folder. */
  close(): Promise<void>
}

/**
 * Creates a terminal for a page.
 * @param folder inside the test package: there packages resolve as they do for a program that has installed them.
 */
export function createPageShell(folder: string, given: NodeJS.ProcessEnv): PageShell {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'bin'), { recursive: true })
  const bin = join(folder, 'bin/sluice')
  writeFileSync(bin, `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'packages/sluice/bin/sluice.js')}" "$@"\n`)
  chmodSync(bin, 0o755)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  // Some commands name files of the checkout.
  symlinkSync(join(root, 'packages'), join(folder, 'packages'))
  // Without a configuration of its own, vitest would find that of this repository.
  writeFileSync(join(folder, 'vitest.config.js'), asInstalled)
  const env = {
    ...given,
    PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
    XDG_CONFIG_HOME: join(folder, 'config'),
  }
  const jobs: Job[] = []
  let cwd = folder

  const spawned = (
    command: string,
    more: NodeJS.ProcessEnv,
  ): { child: ChildProcess; stdout: () => string; stderr: () => string } => {
    const child = spawn('sh', ['-c', command], {
      cwd,
      env: { ...process.env, ...env, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const text = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const)
      child[name]?.setEncoding('utf8').on('data', (part: string) => {
        text[name] += part
      })
    return { child, stdout: () => text.stdout, stderr: () => text.stderr }
  }

  const start = async (command: string, more: NodeJS.ProcessEnv): Promise<Ran> => {
    const { child, stderr } = spawned(`exec env ${command.replace(/\s*&$/, '')}`, more)
    const job: Job = { child, ended: new Promise((resolve) => child.once('close', resolve)), printed: '' }
    jobs.push(job)
    child.stdout?.on('data', (part: string) => {
      job.printed += part
    })
    // Until it has printed something, which servers do when they listen.
    const listens = new Promise<0>((resolve) => child.stdout?.once('data', () => resolve(0)))
    const status = await Promise.race([job.ended, listens])
    return { status, stdout: job.printed, stderr: stderr(), seen: () => [job.printed] }
  }

  const ran = (status: number | null, printed: string, stderr: string): Ran => {
    // The answers of curl end without a line break.
    const stdout = printed === '' || printed.endsWith('\n') ? printed : `${printed}\n`
    return { status, stdout, stderr, seen: () => [stdout, ...jobs.map((job) => stdout + job.printed)] }
  }

  return {
    write(file, text) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), text)
    },
    async run(command, more = {}) {
      const [, into] = /^cd (\S+)$/.exec(command) ?? []
      if (into !== undefined) {
        cwd = join(cwd, into)
        return ran(0, '', '')
      }
      if (command.endsWith('&') || /^(?:\w+=\S+ )*sluice serve (?!.*--once)/.test(command)) return start(command, more)
      for (const job of jobs) job.printed = ''
      const [words = []] = wordsOf(command)
      // A host runs neither tests, which are processes of their own, nor help, which ends its process.
      if (words[0] === 'sluice' && isPlain(command) && words[1] !== 'test' && !words.includes('--help')) {
        const { status, stdout, stderr } = await runHosted(words.slice(1), { cwd, env: { ...env, ...more } })
        return ran(status, stdout, stderr)
      }
      const { child, stdout, stderr } = spawned(command, more)
      const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
      return ran(status, stdout(), stderr())
    },
    async close() {
      for (const { child } of jobs) child.kill('SIGKILL')
      await Promise.all(jobs.map(({ ended }) => ended))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
