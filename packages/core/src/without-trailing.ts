/** The text without the characters of `ends` at its end. Linear, where a regular expression that ends in `+$` is quadratic. */
export function withoutTrailing(text: string, ends: string): string {
  let end = text.length
  while (end > 0 && ends.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}
