import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'

/** Returns the code blocks of a Markdown text in one language, in order. */
export function codeBlocks(text: string, language: string): readonly string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map((match) => match[1] ?? '')
}

/** Returns the code blocks of a Markdown text that name a file, by that name. */
export function fileBlocks(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...text.matchAll(/^```\w+ (\S+)\n(.*?)^```/gms)].map(([, file, code]) => [file, code]))
}

/** Writes each block to `FOLDER/NAME/main.ts`; see `prepareFiles`. */
export function prepareBlocks(folder: string, blocks: Readonly<Record<string, string>>): void {
  prepareFiles(folder, Object.fromEntries(Object.entries(blocks).map(([name, code]) => [`${name}/main.ts`, code])))
}

/**
 * Writes files and type-checks them against the built packages, all together, which takes as long as for one alone.
 * @param folder inside the test package: there the packages resolve as they do for a program that has installed them.
 * @param code by the path of its file in the folder.
 */
export function prepareFiles(folder: string, code: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(code)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const compilerOptions = { target: 'es2023', module: 'nodenext', types: ['node'], strict: true, skipLibCheck: true }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: Object.keys(code) }))
  const { stdout, stderr } = spawnSync(compiler, ['-p', folder], { encoding: 'utf8', timeout: 60_000 })
  expect(`${stdout}${stderr}`).toBe('')
}

const compiler = join(import.meta.dirname, '../../node_modules/.bin/tsc')

/** Runs a prepared block as a program, in its folder. @returns its output and its exit status. */
export async function runBlock(folder: string, name: string): Promise<string> {
  const cwd = join(folder, name)
  const child = spawn(process.execPath, ['main.js'], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const [status] = await once(child, 'close')
  return `${output}status ${status}`
}
