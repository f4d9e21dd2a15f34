import type { Event } from './event.ts'
import { someIdentifier } from './event-identifiers.ts'
import { identifierText } from './identifier-text.ts'
import { isJsonObject, type JsonValue } from './json.ts'
import { mergedIdentities } from './merged-identities.ts'

/**
 * Names under which a regulation may have identifiers by which events are found, besides `userId`. Others serve
 * destinations only.
 */
export const furtherIdentifiers = ['email', 'phone', 'anonymousId'] as const
export type FurtherIdentifier = (typeof furtherIdentifiers)[number]

/** Begins a key that is no id. Cleaning removes it from what senders write, so no id has such a key. */
const mark = '\u0001'

/**
 * Returns the text by which an identifier of a name is compared: cleaned, an e-mail address in lower case, and of a phone
 * number its digits, however they are grouped. Source: packages/docs/behaviour/same-person.md.
 */
export function comparableIdentifier(name: string, value: unknown): string {
  const text = identifierText(value)
  if (name === 'email') return text.toLowerCase()
  return name === 'phone' ? text.replace(/\D/g, '') || text : text
}

/** Returns a key that differs from every id. @param text as it is compared. */
export function markedKey(name: string, text: string): string {
  return `${mark}${name}:${text}`
}

/** Returns name and text of a marked key, and `userId` for the key of an id. */
export function readKey(key: string): { readonly name: string; readonly text: string } {
  if (!key.startsWith(mark)) return { name: 'userId', text: key }
  const end = key.indexOf(':')
  return { name: key.slice(mark.length, end), text: key.slice(end + 1) }
}

/** Returns a key as it is, and anything else as cleaned text: the key of an id. */
export function keyText(value: unknown): string {
  return typeof value === 'string' && value.startsWith(mark) ? value : identifierText(value)
}

/**
 * Returns the keys by which events of a person are found: that of `userId`, and those of an e-mail address, a phone number
 * and an anonymousId, by which guests are found. Blank ones are left out.
 */
export function keysOfPerson(attributes: Readonly<Record<string, string>>): readonly string[] {
  const further = furtherIdentifiers.flatMap((name) => {
    const text = comparableIdentifier(name, attributes[name])
    return text === '' ? [] : [markedKey(name, text)]
  })
  const id = identifierText(attributes['userId'])
  return id === '' ? further : [id, ...further]
}

/**
 * Returns whether `isWanted` accepts any key of the event's person: its ids (see `someIdentifier`), and, where it names no
 * user, its e-mail address, phone number and anonymousId. An event that names a user belongs to that user only, because
 * an address or a device may be shared.
 */
export function someKey(event: Event, isWanted: (key: string) => boolean): boolean {
  const isWantedId = (value: JsonValue): boolean => {
    const text = identifierText(value)
    return text !== '' && isWanted(text)
  }
  return (
    someIdentifier(event, isWantedId) ||
    (namedUserOf(event) === '' && someFurther(event, (name, text) => isWanted(markedKey(name, text))))
  )
}

/** Returns the keys that `someKey` looks at, each once. */
export function keysOfEvent(event: Event): readonly string[] {
  const found = new Set<string>()
  someKey(event, (key) => {
    found.add(key)
    return false
  })
  return [...found]
}

/**
 * Returns whether any e-mail address, phone number or anonymousId of an event is wanted, whether or not it names a user.
 * @param isWanted is given the name, and the text as it is compared.
 */
export function someFurther(event: Event, isWanted: (name: FurtherIdentifier, text: string) => boolean): boolean {
  const { anonymousId, traits, context, properties, type, mergeProperties } = event
  const device = identifierText(anonymousId)
  if (device !== '' && isWanted('anonymousId', device)) return true
  if (mergeProperties !== undefined && someMerged(mergeProperties, isWanted)) return true
  const places = [
    type === 'group' ? undefined : traits,
    isJsonObject(context) ? context['traits'] : undefined,
    properties,
  ]
  return places.some((place) => {
    if (!isJsonObject(place)) return false
    const [email, phone] = [
      comparableIdentifier('email', place['email']),
      comparableIdentifier('phone', place['phone']),
    ]
    return (email !== '' && isWanted('email', email)) || (phone !== '' && isWanted('phone', phone))
  })
}

/**
 * Returns the user that an event names, by the first member that destinations take for the user's id, as cleaned text; ''
 * for an event of a guest.
 * @example
 * ```ts
 * import { namedUserOf } from '@sluice/core'
 *
 * console.log(namedUserOf({ type: 'track', userId: ' u1 ', anonymousId: 'a1' })) // u1
 * ```
 */
export function namedUserOf({ userId, previousId, traits, context, type, mergeProperties }: Event): string {
  const ofContext = isJsonObject(context) ? context['traits'] : undefined
  const named = [userId, ...(type === 'group' ? [] : idsOf(traits)), ...idsOf(ofContext), previousId]
  for (const { name, value } of mergedIdentities(mergeProperties)) if (name === 'userId') named.push(value)
  for (const value of named) {
    const text = identifierText(value)
    if (text !== '') return text
  }
  return ''
}

function someMerged(mergeProperties: JsonValue, isWanted: (name: FurtherIdentifier, text: string) => boolean): boolean {
  return mergedIdentities(mergeProperties).some(({ name, value }) => {
    const further = furtherIdentifiers.find((each) => each === name)
    const text = comparableIdentifier(name, value)
    return further !== undefined && text !== '' && isWanted(further, text)
  })
}

function idsOf(traits: JsonValue | undefined): readonly (JsonValue | undefined)[] {
  return isJsonObject(traits) ? [traits['userId'], traits['id']] : []
}
