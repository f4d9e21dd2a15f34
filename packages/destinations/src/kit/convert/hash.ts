import type { JsonValue } from '@sluice/core'
import { hashText } from '@sluice/core/hash'
import { text } from './text.ts'

/**
 * Returns the SHA-256 of the text as lower-case hex. Normalise first: most products want it trimmed and in lower case.
 */
export function sha256(value: JsonValue): string {
  return hashText('sha256', text(value))
}

/** Returns the MD5 of the text as lower-case hex. Some products identify users by it; it protects nothing. */
export function md5(value: JsonValue): string {
  return hashText('md5', text(value))
}
