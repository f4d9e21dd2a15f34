/**
 * Compiles a pattern of a JSON Schema, which may match anywhere in a text.
 *
 * V8 of Node 26 has a fault: when an expression with the flag `u` ends in `$`, does not begin with `^` and has a limited
 * length, matching starts as many characters before the end as it can match, but a class such as `[^ ]` counts one for
 * characters that take two, such as 😀. So `/[^ ]$/u` does not match '😀'. The alternative that never matches has no
 * end, so matching starts at the start.
 *
 * @throws SyntaxError when the pattern is none.
 */
export function schemaPattern(source: string): RegExp {
  return new RegExp(`(?!)|${source}`, 'u')
}
