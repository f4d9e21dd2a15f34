import { identifierText } from './identifier-text.ts'
import { isJsonObject, type JsonValue } from './json.ts'

/** One of the identities that a `merge` call declares to be of one person. */
interface MergedIdentity {
  readonly name: 'userId' | 'anonymousId' | 'email' | 'phone' | 'other'
  /** As the sender wrote it; neither missing nor null. */
  readonly value: JsonValue
}

/** Names by the `type` of an identity, in lower case and without separators: senders spell it `userId` or `user_id`. */
const names: Readonly<Record<string, MergedIdentity['name']>> = {
  userid: 'userId',
  anonymousid: 'anonymousId',
  email: 'email',
  emailaddress: 'email',
  phone: 'phone',
  phonenumber: 'phone',
  mobile: 'phone',
}

const none: readonly MergedIdentity[] = []

/**
 * Returns the identities in the `mergeProperties` of an event: all of them, although warehouses take two. Elements
 * without a type count as `other`, so that no identity is missed.
 *
 * Source: packages/docs/behaviour/same-person.md.
 */
export function mergedIdentities(mergeProperties: JsonValue | undefined): readonly MergedIdentity[] {
  if (!Array.isArray(mergeProperties)) return none
  return mergeProperties.flatMap((each: JsonValue): readonly MergedIdentity[] => {
    if (!isJsonObject(each)) return none
    const { type, value } = each
    return value === undefined || value === null ? none : [{ name: nameOf(type), value }]
  })
}

function nameOf(type: JsonValue | undefined): MergedIdentity['name'] {
  const spelled = identifierText(type).toLowerCase().replaceAll('_', '').replaceAll('-', '').replaceAll(' ', '')
  return Object.hasOwn(names, spelled) ? (names[spelled] ?? 'other') : 'other'
}
