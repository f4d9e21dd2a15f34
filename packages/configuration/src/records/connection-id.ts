import { createHash } from 'node:crypto'
import type { JsonObject } from '@sluice/core'
import { pairOf } from './merge-records.ts'

/** Returns an id for a connection of a file, which has none: the same for the same ends. */
export function connectionId(connection: JsonObject): string {
  return createHash('sha256').update(pairOf(connection)).digest('base64url').slice(0, 27)
}
