import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { expect } from 'vitest'

/** Returns the code blocks of a Markdown text in one language, in order. */
export function codeBlocks(text: string, language: string): readonly string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map((match) => match[1] ?? '')
}

/**
 * Writes blocks to `FOLDER/NAME/main.ts` and type-checks them against the built packages, all together: that takes as
 * long as one alone.
 * @param folder inside the test package: there the packages resolve as they do for a program that has installed them.
 */
export function prepareBlocks(folder: string, blocks: Readonly<Record<string, string>>): void {
  const files = Object.entries(blocks).map(([name, code]) => {
    const file = join(folder, name, 'main.ts')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, code)
    return file
  })
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    types: ['node'],
    strict: true,
    skipLibCheck: true,
  }
  const program = ts.createProgram(files, options)
  const problems = ts
    .getPreEmitDiagnostics(program)
    .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`)
  expect(problems).toEqual([])
  program.emit()
}

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
