import type { Event } from './event.ts'
import { identifierText } from './identifier-text.ts'
import { isJsonObject, type JsonValue } from './json.ts'
import { mergedIdentities } from './merged-identities.ts'

/** The identifiers of an event's person, with the source that sent it: what decides whether it may be processed. */
export interface EventOrigin {
  readonly sourceId: string
  /** Keys of the person: see `keysOfEvent`. */
  readonly identifiers: readonly string[]
}

/**
 * Returns whether `isWanted` accepts any of the values by which an event names its person: `userId`, `anonymousId`,
 * the `previousId` of an alias, `userId` and `id` of the traits, `id` of each external id, and the identities of a merge
 * other than e-mail addresses and phone numbers. Destinations take these for the user's id. The traits of a `group` call
 * describe the group, so only those of its context count.
 *
 * Nothing is built, because this runs for each event several times.
 *
 * Source: packages/docs/behaviour/same-person.md.
 */
export function someIdentifier(event: Event, isWanted: (identifier: JsonValue) => boolean): boolean {
  const { userId, anonymousId, previousId, traits, context, type, mergeProperties } = event
  if (isSet(userId) && isWanted(userId)) return true
  if (isSet(anonymousId) && isWanted(anonymousId)) return true
  if (isSet(previousId) && isWanted(previousId)) return true
  if (type !== 'group' && someTrait(traits, isWanted)) return true
  if (mergeProperties !== undefined && someMerged(mergeProperties, isWanted)) return true
  if (!isJsonObject(context)) return false
  if (someTrait(context['traits'], isWanted)) return true
  const externalIds = context['externalId']
  if (!Array.isArray(externalIds)) return false
  return externalIds.some((each: JsonValue) => isJsonObject(each) && isSet(each['id']) && isWanted(each['id']))
}

/** Returns the identifiers that `someIdentifier` looks at, as cleaned text, each once, without blank ones. */
export function identifiersOf(event: Event): readonly string[] {
  const found = new Set<string>()
  someIdentifier(event, (identifier) => {
    found.add(identifierText(identifier))
    return false
  })
  found.delete('')
  return [...found]
}

/** Returns the origins, each person of a source once; the list itself when there is only one, to save work. */
export function unitedOrigins(
  ...lists: readonly (readonly EventOrigin[] | undefined)[]
): readonly EventOrigin[] | undefined {
  const different = new Set(lists.filter((list) => list !== undefined))
  if (different.size <= 1) return [...different][0]
  const origins = new Map<string, EventOrigin>()
  for (const list of different)
    for (const origin of list)
      if (origin.identifiers.length > 0) origins.set(JSON.stringify([origin.sourceId, origin.identifiers]), origin)
  return [...origins.values()]
}

function someTrait(traits: JsonValue | undefined, isWanted: (identifier: JsonValue) => boolean): boolean {
  if (!isJsonObject(traits)) return false
  const { userId, id } = traits
  return (isSet(userId) && isWanted(userId)) || (isSet(id) && isWanted(id))
}

function someMerged(mergeProperties: JsonValue, isWanted: (identifier: JsonValue) => boolean): boolean {
  return mergedIdentities(mergeProperties).some(
    ({ name, value }) => name !== 'email' && name !== 'phone' && isWanted(value),
  )
}

function isSet(value: JsonValue | undefined): value is JsonValue {
  return value !== undefined && value !== null && value !== ''
}
