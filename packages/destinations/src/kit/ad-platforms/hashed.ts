import type { JsonValue } from '@sluice/core'
import { sha256 } from '../convert/hash.ts'

const hash = /^[0-9a-f]{64}$/i

/** Returns whether a value is a SHA-256 in hex, so that it must not be hashed again. */
export function isHashed(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && hash.test(value)
}

/** Returns the SHA-256 of a value as lower-case hex; a value that is a hash already stays unchanged. */
export function hashedOnce(value: JsonValue): string {
  return isHashed(value) ? String(value) : sha256(value)
}
