import { isJsonObject } from '@sluice/core'
import type { IngestType } from '@sluice/pipeline'
import type { Events } from './intake.ts'

/** Returns the events of a body without write keys, which are credentials: the body itself where it has none. */
export function withoutWriteKey(type: IngestType, body: unknown): Events {
  const clean = (event: unknown): unknown => {
    if (!isJsonObject(event) || !('writeKey' in event)) return event
    const { writeKey: _, ...rest } = event
    return rest
  }
  const payload = clean(body)
  if (type !== 'batch' || !isJsonObject(payload) || !Array.isArray(payload['batch'])) return { type, payload }
  const { batch } = payload
  const events = batch.map(clean)
  // What is the body itself is kept as it was sent.
  return events.every((event, index) => event === batch[index])
    ? { type, payload }
    : { type, payload: { ...payload, batch: events } }
}
