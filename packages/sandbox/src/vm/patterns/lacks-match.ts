import type { PatternFacts } from '../../patterns/pattern-facts.ts'
import { type GuestWords, isWide, lengthOf, textLayout } from './guest-words.ts'

/**
 * Longest text that the host reads. While it does, nothing asks whether the guest may go on, and the guest asks only once
 * for 10,000 calls. The engine asks while it searches.
 */
const lengthMax = 65_536

/**
 * Returns whether a pattern cannot match anywhere in the text at this address. False when the text is too long, or not
 * within the memory.
 */
export function lacksMatch(words: GuestWords, address: number, facts: PatternFacts): boolean {
  const word = words.word(address + textLayout.length)
  if (word === undefined) return false
  const length = lengthOf(word)
  if (length > lengthMax) return false
  const start = address + textLayout.data
  if (isWide(word)) {
    const first = start >>> 1
    return first + length <= words.u16.length && lacksIn(words.u16, first, first + length, facts)
  }
  return start + length <= words.u8.length && lacksIn(words.u8, start, start + length, facts)
}

/** Returns whether no stretch of these characters has what every match has. */
export function lacksIn(
  chars: Uint8Array | Uint16Array,
  start: number,
  end: number,
  { table, required, minLength, wide }: PatternFacts,
): boolean {
  let first = start
  let bits = 0
  for (let i = start; i < end; i += 1) {
    // Not in the table: a character above U+00FF.
    const own = table[chars[i] as number] ?? wide
    if (own !== 0) {
      bits |= own
      continue
    }
    if (i - first >= minLength && (bits & required) === required) return false
    first = i + 1
    bits = 0
  }
  return end - first < minLength || (bits & required) !== required
}
