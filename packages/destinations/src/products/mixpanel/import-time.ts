import type { JsonObject } from '@sluice/core'
import { convert } from '../../kit/index.ts'

/** Returns when an event happened, in milliseconds since 1970: the first of its times that is a date. */
export function importTime(event: JsonObject): number | undefined {
  for (const time of [event['timestamp'], event['originalTimestamp']]) {
    const at = time ? convert.milliseconds(time) : undefined
    if (at !== undefined) return at
  }
  return undefined
}
