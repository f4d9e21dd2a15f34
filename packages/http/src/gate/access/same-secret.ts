import { createHash, timingSafeEqual } from 'node:crypto'

/** Compares the hashes of two texts in constant time, so that timing reveals nothing about either. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(sha256(given), sha256(expected))
}

export function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
