import type { JsonObject } from '@sluice/core'
import { milliseconds } from '../../kit/convert/time.ts'

/** Returns when an event happened, in milliseconds since 1970: the first of its times that is a date. */
export function importTime(event: JsonObject): number | undefined {
  for (const time of [event['timestamp'], event['originalTimestamp']]) {
    const at = time ? milliseconds(time) : undefined
    if (at !== undefined) return at
  }
  return undefined
}
