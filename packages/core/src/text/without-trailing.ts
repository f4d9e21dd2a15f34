/**
 * Returns the text without trailing characters of `ends`. Linear, where a regular expression ending in `+$` is
 * quadratic.
 * @example
 * ```ts
 * import { withoutTrailing } from '@sluice/core'
 *
 * console.log(withoutTrailing('https://a.test///', '/')) // https://a.test
 * ```
 */
export function withoutTrailing(text: string, ends: string): string {
  let end = text.length
  while (end > 0 && ends.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}
