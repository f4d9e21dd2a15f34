import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runHosted } from '../support/command-host.ts'
import { asInstalled } from '../support/installed.ts'
import { root } from './page-blocks.ts'
import { isPlain, wordsOf } from './shell-words.ts'

/** How long a command in the background says nothing when it has said all for now. */
const quietMs = 200

/** What a command has printed. */
export interface Ran {
  readonly status: number | null
  /** Standard output, and behind it what commands in the background have printed since the last command. */
  output(): string
  readonly stderr: string
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
  const background: { readonly child: ChildProcess; readonly ended: Promise<unknown> }[] = []
  let printed = ''
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
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    background.push({ child, ended })
    printed = ''
    child.stdout?.on('data', (part: string) => {
      printed += part
    })
    // Until it has said something, which servers do when they listen, and is quiet again.
    const spoken = new Promise<0>((resolve) => {
      let quiet: NodeJS.Timeout | undefined
      child.stdout?.on('data', () => {
        clearTimeout(quiet)
        quiet = setTimeout(() => resolve(0), quietMs)
      })
    })
    const status = await Promise.race([ended, spoken])
    return { status, output: () => printed, stderr: stderr() }
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
        return { status: 0, output: () => '', stderr: '' }
      }
      if (command.endsWith('&') || /^(?:\w+=\S+ )*sluice serve (?!.*--once)/.test(command)) return start(command, more)
      printed = ''
      const [words = []] = wordsOf(command)
      // A host runs neither tests, which are processes of their own, nor help, which ends its process.
      if (words[0] === 'sluice' && isPlain(command) && words[1] !== 'test' && !words.includes('--help')) {
        const { status, stdout, stderr } = await runHosted(words.slice(1), { cwd, env: { ...env, ...more } })
        return { status, output: () => withLineBreak(stdout) + printed, stderr }
      }
      const { child, stdout, stderr } = spawned(command, more)
      const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
      return { status, output: () => withLineBreak(stdout()) + printed, stderr: stderr() }
    },
    async close() {
      for (const { child } of background) child.kill('SIGKILL')
      await Promise.all(background.map(({ ended }) => ended))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The answers of curl end without a line break. */
function withLineBreak(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}
