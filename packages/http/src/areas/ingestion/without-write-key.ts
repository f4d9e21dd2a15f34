import { isJsonObject } from '@sluice/core'
import type { IngestType } from '@sluice/pipeline'
import type { Events } from './intake.ts'

/** Returns the events of a body without write keys, which are credentials. */
export function withoutWriteKey(type: IngestType, body: unknown): Events {
  const clean = (event: unknown): unknown => {
    if (!isJsonObject(event) || !('writeKey' in event)) return event
    const { writeKey: _, ...rest } = event
    return rest
  }
  const payload = clean(body)
  if (type !== 'batch' || !isJsonObject(payload) || !Array.isArray(payload['batch'])) return { type, payload }
  return { type, payload: { ...payload, batch: payload['batch'].map(clean) } }
}
