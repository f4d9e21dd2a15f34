import { isJsonObject } from '@sluice/core'
import type { IngestType } from '@sluice/pipeline'
import type { Events } from './intake.ts'

/** Returns the events of a body without write keys, which are credentials. The payload is the body itself where it has none. */
export function withoutWriteKey(type: IngestType, body: unknown): Events {
  const payload = clean(body)
  if (type !== 'batch' || !isJsonObject(payload) || !Array.isArray(payload['batch'])) return { type, payload }
  const { batch } = payload
  return { type, payload: batch.some(hasWriteKey) ? { ...payload, batch: batch.map(clean) } : payload }
}

function clean(event: unknown): unknown {
  if (!hasWriteKey(event)) return event
  const { writeKey: _, ...rest } = event
  return rest
}

function hasWriteKey(event: unknown): event is { readonly writeKey: unknown } {
  return isJsonObject(event) && 'writeKey' in event
}
