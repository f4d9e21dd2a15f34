import { createHash } from 'node:crypto'
import type { JsonValue } from '@sluice/core'
import { text } from './text.ts'

/** Lower-case hex of the SHA-256 of the text. Normalise before: most products want it trimmed and in lower case. */
export function sha256(value: JsonValue): string {
  return createHash('sha256').update(text(value)).digest('hex')
}

/** Lower-case hex of the MD5 of the text: what some products know a user by, never protection. */
export function md5(value: JsonValue): string {
  return createHash('md5').update(text(value)).digest('hex')
}
