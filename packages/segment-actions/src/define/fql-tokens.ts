export interface FqlToken {
  /** `path`: words joined by dots, such as `properties.total`, `and`, `null`. */
  readonly kind: 'path' | 'text' | 'number' | 'operator' | 'mark' | 'unknown' | 'end'
  readonly text: string
  /** Position of its first character, from 0. */
  readonly at: number
  /** The character after it; '' at the end. */
  readonly next: string
}

const kinds = ['path', 'text', 'number', 'operator', 'mark', 'unknown'] as const
const token =
  /(?<path>(?:[A-Za-z_]|\\.)(?:[\w-]|\\.)*(?:\.(?:[A-Za-z_]|\\.)(?:[\w-]|\\.)*)*)|(?<text>"[^"]*"|'[^']*')|(?<number>[-+]?\d+(?:\.\d+)?)|(?<operator>==|[!<>]=|[=<>])|(?<mark>[!(),])|(?<unknown>\S)/gs

/** Returns the tokens of a condition in FQL, with one of the kind `end` after them. */
export function fqlTokens(fql: string): readonly FqlToken[] {
  const tokens = [...fql.matchAll(token)].map(({ 0: text, index: at, groups }): FqlToken => {
    const kind = kinds.find((each) => groups?.[each] !== undefined) ?? 'unknown'
    return { kind, text, at, next: fql.charAt(at + text.length) }
  })
  return [...tokens, { kind: 'end', text: '', at: fql.length, next: '' }]
}
