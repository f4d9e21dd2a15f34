import { createHash, timingSafeEqual } from 'node:crypto'

/** Compares two texts in a time that depends on neither: their hashes are compared, in constant time. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(sha256(given), sha256(expected))
}

export function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
