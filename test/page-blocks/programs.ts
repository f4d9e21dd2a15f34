import { fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './page-blocks.ts'

/** What a program did. */
export interface ProgramResult {
  readonly folder: string
  readonly printed: string
  /** Stack of the exception that ended it. */
  readonly problem?: string
}

const compiler = join(root, 'node_modules/.bin/tsc')

/**
 * Writes files and compiles them against the built packages, all together, which takes as long as for one alone.
 * @param folder inside the test package: there the packages resolve as they do for a program that has installed them.
 * @param code by the path of its file in the folder.
 * @returns what the compiler complains about.
 */
export function compilePrograms(folder: string, code: Readonly<Record<string, string>>): string {
  return compile(folder, code, {
    target: 'es2023',
    module: 'nodenext',
    types: ['node'],
    strict: true,
    skipLibCheck: true,
    allowJs: true,
    checkJs: true,
    outDir: 'compiled',
    rootDir: '.',
  })
}

/** Checks the types of user code with the options that `sluice init` writes. @returns what the compiler complains about. */
export function checkUserCode(folder: string, code: Readonly<Record<string, string>>): string {
  const template = readFileSync(join(root, 'packages/sluice/template/tsconfig.json'), 'utf8')
  return compile(folder, code, (JSON.parse(template) as { compilerOptions: object }).compilerOptions)
}

function compile(folder: string, code: Readonly<Record<string, string>>, compilerOptions: object): string {
  for (const [path, text] of Object.entries(code)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: Object.keys(code) }))
  const { stdout, stderr } = spawnSync(compiler, ['-p', folder], { encoding: 'utf8', timeout: 60_000 })
  return `${stdout}${stderr}`
}

/**
 * Runs the `main.js` of each folder, in one process.
 * @returns what each did, and whether the process ended by itself afterwards.
 */
export async function runPrograms(
  folders: readonly string[],
): Promise<{ readonly results: readonly ProgramResult[]; readonly hasEnded: boolean }> {
  const child = fork(join(import.meta.dirname, 'run-programs.mjs'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // Without those of this process, which load the sources of the packages.
    execArgv: [],
  })
  const results: ProgramResult[] = []
  child.on('message', (result: ProgramResult) => results.push(result))
  const exited = once(child, 'exit')
  child.send(folders)
  await Promise.race([once(child, 'disconnect'), exited])
  const overdue = setTimeout(() => child.kill('SIGKILL'), 5_000)
  const [status] = await exited
  clearTimeout(overdue)
  return { results, hasEnded: status === 0 }
}

/**
 * Returns a pattern of what a program prints, from the comments behind its calls of `console.log`: `…` is any text, and
 * `, then ` separates two lines. A call without a comment may print anything.
 */
export function printedPattern(code: string): RegExp {
  const shown = [...code.matchAll(/console\.log\(.*\)\s*(?:\/\/ (.*))?$/gm)].map(([, comment = '…']) => comment)
  const parts = shown.flatMap((each) => each.split(', then ')).map((each) => each.split('…').map(escaped).join('.*'))
  return new RegExp(`^${parts.join(' ')}$`, 's')
}

/** Joins the lines of an output, so that it does not matter how an object is broken into lines. */
export function inOneLine(printed: string): string {
  return printed.trim().replaceAll(/\s+/g, ' ')
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
