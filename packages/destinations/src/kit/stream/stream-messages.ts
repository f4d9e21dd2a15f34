import { isJsonObject, type JsonObject } from '@sluice/core'
import type { DeliveryRequest } from '../map/request/delivery-request.ts'

/**
 * One message for a stream, in the form that RudderStack's streaming destinations have: the event, the user it belongs
 * to, and what a product needs besides, such as its topic.
 */
export interface StreamMessage extends JsonObject {
  /** The event. Absent where the product has another member for it. */
  readonly message?: JsonObject
  /** Key of the message: messages with the same key stay in order. '' when the event has no user. */
  readonly userId: string
}

/** Returns the messages of a request. */
export function streamMessages({ body }: Pick<DeliveryRequest, 'body'>): readonly StreamMessage[] {
  const { messages } = body.JSON
  return Array.isArray(messages) ? messages.filter(isStreamMessage) : []
}

function isStreamMessage(value: unknown): value is StreamMessage {
  return isJsonObject(value) && typeof value['userId'] === 'string'
}
