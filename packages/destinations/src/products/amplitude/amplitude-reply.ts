import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { convert, type DeliveryRequest, type DestinationReply, type Verdict } from '../../kit/index.ts'

/**
 * Interprets replies of Amplitude, which accepts all events of a request or none. If a reply names invalid events of a
 * batch, only those are given up and the others are retried.
 *
 * When single users or devices send too much, only their requests wait. When the project does, all requests wait.
 *
 * Source: recorded behaviour of RudderStack's am destination; Amplitude docs, HTTP V2 and Batch Event Upload API
 * (status codes and error bodies).
 */
export function readReply({ status, body }: DestinationReply, request: DeliveryRequest): Verdict {
  const answer: JsonObject = isJsonObject(body) ? body : {}
  const message = convert.text(answer['error'] ?? body)
  if (status >= 200 && status < 300) return { outcome: 'delivered', status, message }
  if (status === 429) {
    const someIds = ['throttled_users', 'throttled_devices'].flatMap((name) => membersOf(answer[name]))
    return someIds.length > 0 ? { outcome: 'retry', status: 500, message } : { outcome: 'throttled', status, message }
  }
  if (status >= 500 || status === 408) return { outcome: 'retry', status: 500, message }
  const refused: Item = { outcome: 'aborted', status, message }
  return { ...refused, ...itemsAtFault(refused, answer, request) }
}

/** Members of a reply that contain the indexes of invalid events, by kind of fault. */
const faults = ['events_with_invalid_fields', 'events_with_missing_fields', 'events_with_invalid_id_lengths']

type Item = NonNullable<Verdict['items']>[number]

const innocent: Item = { outcome: 'retry', status: 500, message: 'another event of the batch was refused' }

function itemsAtFault(refused: Item, answer: JsonObject, { body }: DeliveryRequest): Pick<Verdict, 'items'> {
  const { events } = body.JSON
  const count = Array.isArray(events) ? events.length : 0
  const named = faults.flatMap((fault) => membersOf(answer[fault]).flat())
  const guilty = new Set([...named, ...[answer['silenced_events'] ?? []].flat()])
  const items = Array.from({ length: count }, (_, index) => (guilty.has(index) ? refused : innocent))
  return count > 1 && items.includes(refused) ? { items } : {}
}

function membersOf(value: JsonValue | undefined): readonly (JsonValue | undefined)[] {
  return isJsonObject(value) ? Object.values(value) : []
}
