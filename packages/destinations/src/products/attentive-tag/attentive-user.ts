import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { convert, defined, eventOptions, externalId, firstAt, generic } from '../../kit/index.ts'

/** Returns the options that an event has for Attentive. */
export const attentiveOptions = eventOptions('ATTENTIVE_TAG')

const phoneOf = firstAt(generic.phone)
const emailOf = firstAt(generic.email)
const customIdentifiersOf = firstAt(['traits.customIdentifiers', 'context.traits.customIdentifiers'])
const externalIds = ['clientUserId', 'shopifyId', 'klaviyoId'].map((type) => [type, externalId(type)] as const)

/** Returns the phone number and email of an event's user; absent members are unknown. */
export function contactOf(event: JsonObject): { readonly phone?: JsonValue; readonly email?: JsonValue } {
  const phone = phoneOf(event)
  const email = emailOf(event)
  return defined({ phone: phone || undefined, email: email || undefined })
}

/** Returns the ids that other systems gave the user; empty if there are none. */
export function externalIdentifiersOf(event: JsonObject): JsonObject {
  const ids: Record<string, JsonValue> = {}
  for (const [type, read] of externalIds) {
    const id = convert.id(read(event) ?? '')
    if (id !== undefined) ids[type] = id
  }
  const custom = customIdentifiersOf(event)
  return custom ? { ...ids, customIdentifiers: custom } : ids
}

/** Returns the user of a track event. */
export function userOf(event: JsonObject): JsonObject {
  const externalIdentifiers = externalIdentifiersOf(event)
  return { ...contactOf(event), ...unlessEmpty({ externalIdentifiers }) }
}

/** Returns the members that are not empty objects. */
export function unlessEmpty(members: Readonly<Record<string, JsonObject>>): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => isJsonObject(value) && Object.keys(value).length > 0),
  )
}
