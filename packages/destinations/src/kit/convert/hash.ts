import { hash } from 'node:crypto'
import type { JsonValue } from '@sluice/core'
import { text } from './text.ts'

/**
 * Returns the SHA-256 of the text as lower-case hex. Normalise first: most products want it trimmed and in lower case.
 */
export function sha256(value: JsonValue): string {
  return hash('sha256', text(value))
}

/** Returns the MD5 of the text as lower-case hex. Some products identify users by it; it protects nothing. */
export function md5(value: JsonValue): string {
  return hash('md5', text(value))
}
