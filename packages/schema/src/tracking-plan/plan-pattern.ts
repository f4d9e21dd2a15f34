import { compileLinearRegex, type LinearRegex } from '@sluice/core/linear-regex'

/**
 * Compiles a pattern of a plan. Patterns are matched against untrusted texts: see `compileLinearRegex`.
 * @throws Error when the pattern is not supported.
 */
export function planPattern(source: string): LinearRegex {
  const compiled = compileLinearRegex(source, 'u')
  if (!compiled.ok) throw new Error(compiled.problem)
  return compiled.regex
}
