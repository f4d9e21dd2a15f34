import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import ts from 'typescript'
import { expect } from 'vitest'

/** The code blocks of a Markdown text in one language, in order. */
export function codeBlocks(text: string, language: string): readonly string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map((match) => match[1] ?? '')
}

/**
 * Type-checks a block against the built packages, then runs it as a program.
 * @param file where it is put, a `.ts` inside the test package: there the packages resolve as they do for a program that
 * has installed them.
 * @returns what it printed, and its status.
 */
export async function runBlock(file: string, code: string): Promise<string> {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, code)
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    types: ['node'],
    strict: true,
    skipLibCheck: true,
  }
  const program = ts.createProgram([file], options)
  const problems = ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
  expect(problems).toEqual([])
  program.emit()
  const script = file.replace(/\.ts$/, '.js')
  const child = spawn(process.execPath, [script], { cwd: dirname(file), stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const [status] = await once(child, 'close')
  return `${output}status ${status}`
}
