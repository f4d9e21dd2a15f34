import { isJsonObject, type JsonObject } from '@sluice/core'
import { action, type DeliveryRequest } from '@sluice/destinations/kit'

/** Content of an ACTION request. */
export type ActionContent =
  | { readonly kind: 'one'; readonly action: string; readonly subscription: number; readonly payload: JsonObject }
  | {
      readonly kind: 'batch'
      readonly action: string
      readonly subscription: number
      /** In the order of the events of the request. */
      readonly payloads: readonly JsonObject[]
    }
  /** The mapping of this action failed, and other actions of the event did not. It fails without being sent. */
  | { readonly kind: 'refused'; readonly action: string; readonly subscription: number; readonly refusal: string }
  | { readonly kind: 'deletion'; readonly payload: JsonObject }

/** @param type of the destination, such as `segment/amplitude`. */
export function toActionRequest(type: string, content: ActionContent, userId = ''): DeliveryRequest {
  const name = content.kind === 'deletion' ? 'onDelete' : content.action
  const { kind, ...body } = content
  return action({ endpoint: `action:${type}/${name}`, body, userId })
}

/** Reads what `toActionRequest` wrote. */
export function readActionRequest({ body }: DeliveryRequest): ActionContent {
  const { action: name, subscription, payload, payloads, refusal } = body.JSON
  if (typeof name !== 'string') return { kind: 'deletion', payload: isJsonObject(payload) ? payload : {} }
  const shared = { action: name, subscription: Number(subscription) }
  if (typeof refusal === 'string') return { kind: 'refused', ...shared, refusal }
  return Array.isArray(payloads)
    ? { kind: 'batch', ...shared, payloads: payloads as JsonObject[] }
    : { kind: 'one', ...shared, payload: isJsonObject(payload) ? payload : {} }
}
