import type { JsonValue } from '@sluice/core'

const hash = /^[0-9a-f]{64}$/i

/**
 * Returns whether a value is a SHA-256 in hex, so that it must not be hashed again.
 * @example
 * ```ts
 * import { isHashed } from '@sluice/destinations/kit'
 *
 * console.log(isHashed('a'.repeat(64)), isHashed('ann@a.test')) // true false
 * ```
 */
export function isHashed(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && hash.test(value)
}
