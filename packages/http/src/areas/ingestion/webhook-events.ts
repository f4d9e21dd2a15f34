import { isJsonObject, type JsonObject, type JsonValue, type Random, uuidV4 } from '@sluice/core'
import type { Events, Pairs } from './intake.ts'

/** The name of events that RudderStack makes from webhooks. */
const eventName = 'webhook_source_event'

/**
 * Returns the events of the body of a webhook: track events whose properties are the body. A list of objects makes one
 * event for each; a value that is no object becomes the property `body`. Each has a random `anonymousId`, because it is
 * not known where in the body its user is.
 */
export function webhookEvents(body: unknown, random: Random): Events {
  const isList = Array.isArray(body) && body.every(isJsonObject)
  const batch = (isList ? body : [body]).map((item) => ({
    type: 'track',
    event: eventName,
    anonymousId: uuidV4(random),
    properties: isJsonObject(item) ? item : { body: item as JsonValue },
  }))
  return { type: 'batch', payload: { batch } }
}

/** Returns the parameters of a form or a query as lists of texts by name, as RudderStack does. */
export function formProperties(form: Pairs): JsonObject {
  const lists = new Map<string, string[]>()
  for (const [name, value] of form) {
    const list = lists.get(name)
    if (list) list.push(value)
    else lists.set(name, [value])
  }
  return Object.fromEntries(lists)
}
