import { identifierText, isJsonObject, type JsonObject } from '@sluice/core'
import { pack } from '../batching/pack.ts'
import { sameTarget } from '../batching/same-target.ts'
import type { TypedEvent } from '../define/message-type.ts'
import { respondPerItem } from '../define/reply/respond-per-item.ts'
import { type DeliveryRequest, sink } from '../map/request/delivery-request.ts'
import { type StreamMessage, streamMessages } from './stream-messages.ts'

export interface StreamRequest {
  /** Address with the scheme of the sink: `kafka://broker.test:9092`. */
  readonly endpoint: string
  /** Credentials; see `sink`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Options of the connection. */
  readonly params?: JsonObject
  readonly message: StreamMessage
}

/** Returns a request that publishes one message. */
export function streamRequest({ message, ...parts }: StreamRequest): DeliveryRequest {
  return sink({ method: 'PUBLISH', ...parts, body: { messages: [message] }, userId: message.userId })
}

/** Returns the user of an event as the key of its message: the userId, otherwise the anonymousId. */
export function streamKey({ userId, anonymousId }: TypedEvent): string {
  return identifierText(userId) || identifierText(anonymousId)
}

export interface StreamLimits {
  /** Messages per request. */
  readonly itemsMax: number
  /** Bytes of all messages as JSON. */
  readonly bytesMax: number
}

/** Creates the batch rule of a stream: messages to one server, stream or bus share a request. */
export function streamBatch({ itemsMax, bytesMax }: StreamLimits) {
  return pack({
    key: sameTarget,
    itemsMax,
    bytesMax,
    canSpoil: false,
    merge(items) {
      const [{ request }] = items
      const messages = items.flatMap((item) => streamMessages(item.request))
      const { userId: _, ...shared } = request
      return items.length === 1 ? request : { ...shared, body: { ...request.body, JSON: { messages } } }
    },
  })
}

/** Result of one message in the reply of a sink for streams. */
export interface StreamResult {
  /** As in HTTP: 200 when it was stored, 4xx when it was refused, 429 and 5xx when it may be sent again. */
  readonly status: number
  readonly message?: string
}

/** Reads the reply of a sink for streams: its body is `{ results }`, one result per message. */
export const respondToStream = respondPerItem({
  itemsIn: (request) => streamMessages(request).length,
  refused({ body }) {
    if (!isJsonObject(body) || !Array.isArray(body['results'])) return undefined
    return body['results'].flatMap((result, index) => {
      const { status = 500, message = '' } = Object(result) as Partial<StreamResult>
      return status >= 200 && status < 300 ? [] : [{ index, status, message }]
    })
  },
})
