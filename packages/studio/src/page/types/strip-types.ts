import { blankSourceFile } from 'ts-blank-space'
import ts from 'typescript'
import type { Stripped } from './types-question.ts'

/**
 * Puts spaces in the place of types, so that lines and columns stay. What would have to be compiled, such as an enum,
 * cannot be removed, as in production.
 */
export function stripTypes(code: string): Stripped {
  const file = ts.createSourceFile('code.ts', code, ts.ScriptTarget.ESNext, true, ts.ScriptKind.TS)
  let line: number | undefined
  const stripped = blankSourceFile(file, (node) => {
    line ??= file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1
  })
  if (line === undefined) return { ok: true, code: stripped }
  return {
    ok: false,
    line,
    message: 'This TypeScript cannot be removed; only types can: use no enums, namespaces or parameter properties.',
  }
}
