const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const encoder = new TextEncoder()
const percent = 0x25

/**
 * Parses `application/x-www-form-urlencoded` text, such as a query, into its names and values, in order. One `?` at the
 * start is ignored. The URL standard defines what it returns; the time is linear in the length of the text, whereas
 * `new URLSearchParams(text)` of Node 24 and 26 takes 4 s for 1 MB of names without values.
 *
 * Source: URL standard, application/x-www-form-urlencoded parsing, https://url.spec.whatwg.org/#urlencoded-parsing.
 * @example
 * ```ts
 * import { formPairs } from '@sluice/core'
 *
 * console.log(formPairs('?name=Ann%20B&x')) // [ [ 'name', 'Ann B' ], [ 'x', '' ] ]
 * ```
 */
export function formPairs(text: string): [name: string, value: string][] {
  const pairs: [string, string][] = []
  for (let start = text.startsWith('?') ? 1 : 0; start < text.length; ) {
    const mark = text.indexOf('&', start)
    const end = mark === -1 ? text.length : mark
    // Searches only the pair: a search of the rest for `=` would make the whole quadratic.
    if (end > start) pairs.push(pairOf(text.slice(start, end)))
    start = end + 1
  }
  return pairs
}

function pairOf(text: string): [name: string, value: string] {
  const mark = text.indexOf('=')
  return mark === -1 ? [decoded(text), ''] : [decoded(text.slice(0, mark)), decoded(text.slice(mark + 1))]
}

function decoded(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  // The encoder replaces surrogates that are not in pairs.
  if (!spaced.includes('%')) return /[\ud800-\udfff]/.test(spaced) ? decoder.decode(encoder.encode(spaced)) : spaced
  return decoder.decode(withoutPercents(encoder.encode(spaced)))
}

/** Decodes `%41` and the like in place. Other percent signs stay. */
function withoutPercents(bytes: Uint8Array): Uint8Array {
  let length = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    const high = byte === percent ? hexDigit(bytes[at + 1]) : -1
    const low = high === -1 ? -1 : hexDigit(bytes[at + 2])
    bytes[length] = low === -1 ? byte : high * 16 + low
    length += 1
    if (low !== -1) at += 2
  }
  return bytes.subarray(0, length)
}

/** Returns the value of a hexadecimal digit in ASCII; -1 for anything else. */
function hexDigit(code = 0): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}
