/**
 * Compiles a pattern of a JSON Schema, which may match anywhere in a text.
 *
 * V8 of Node 26 has a fault: when an expression with the flag `u` has `$` at its end, no `^` at its start and a limited
 * length, V8 looks only at the last code units of the text, as many as the longest match has. It counts one for a class
 * such as `[^ ]`, although 😀 takes two, so `/[^ ]$/u` does not match '😀'. With an alternative that has no `$`, here one
 * that never matches, V8 looks at the whole text.
 *
 * @throws SyntaxError when the pattern is none.
 * @example
 * ```ts
 * import { schemaPattern } from '@sluice/core'
 *
 * console.log(schemaPattern('^[a-z]+$').test('shoes')) // true
 * ```
 */
export function schemaPattern(source: string): RegExp {
  return new RegExp(`(?!)|${source}`, 'u')
}
