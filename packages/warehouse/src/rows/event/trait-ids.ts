import { type Event, identifiersOf, identifierText, isJsonObject, type JsonValue } from '@sluice/core'

/**
 * Returns the ids by which the traits of an event name its person, each once, as far as no other member has them. Traits
 * outside of the context become columns whose names do not say that they are ids, or none, so these ids need a column in
 * which a deletion finds them. Source: packages/docs/behaviour/same-person.md#members-of-an-event.
 */
export function traitIdsOf(event: Event): readonly JsonValue[] {
  const { traits, ...rest } = event
  if (event.type === 'group' || !isJsonObject(traits)) return []
  const { id, userId } = traits
  if (id === undefined && userId === undefined) return []
  const others = new Set(identifiersOf(rest))
  const found = new Map<string, JsonValue>()
  for (const value of [id, userId]) {
    const text = identifierText(value)
    if (value !== undefined && text !== '' && !others.has(text)) found.set(text, value)
  }
  return [...found.values()]
}
