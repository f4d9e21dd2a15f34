import { createHash } from 'node:crypto'
import { isJsonObject, systemRandom } from '@sluice/core'
import { completeEvent } from '@sluice/pipeline'
import type { NdjsonLine } from '../read-ndjson.ts'

/**
 * Completes an event of a file as ingestion completes one that arrives, with two differences, because the event is old:
 *
 * - `receivedAt`, when missing, is the event's `sentAt`, `timestamp` or `originalTimestamp`, the first that is a time. So
 *   the event keeps its own time. Only an event without any gets the present.
 * - `messageId`, when missing, is made of the line and its number, so that the file can be loaded again without doubles.
 *
 * Values that are not objects are returned as they are.
 */
export function completeStored({ value, number }: NdjsonLine): unknown {
  if (!isJsonObject(value)) return value
  const messageId = value['messageId'] ?? idOf(value, number)
  const times = [value['sentAt'], value['timestamp'], value['originalTimestamp']]
  const known = times.find((time) => typeof time === 'string' && !Number.isNaN(Date.parse(time)))
  const receivedAt = known === undefined ? Date.now() : Date.parse(known as string)
  return completeEvent(
    { ...value, messageId },
    { receivedAt, receivedAtText: new Date(receivedAt).toISOString() },
    systemRandom,
  )
}

function idOf(event: object, line: number): string {
  return createHash('sha256')
    .update(`${line} ${JSON.stringify(event)}`)
    .digest('hex')
    .slice(0, 32)
}
