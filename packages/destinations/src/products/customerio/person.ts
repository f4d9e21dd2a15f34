import type { JsonObject, JsonValue } from '@sluice/core'
import { convert, firstAt, generic, mappedRowOf } from '../../kit/index.ts'

/** Identifiers of a person in Customer.io. */
type Identifiers = { readonly id: JsonValue } | { readonly email: JsonValue } | { readonly anonymous_id: JsonValue }

const userIdOf = firstAt(generic.userIdOnly, isIdentifier)
const emailOf = firstAt(generic.email, isIdentifier)

/** Returns the id of a known person: the userId, otherwise the email. */
export function knownPerson(event: JsonObject): JsonValue | undefined {
  return userIdOf(event) ?? mappedId(event) ?? emailOf(event)
}

/** Returns the identifiers of any person. For anonymous persons, only events can be sent. */
export function anyPerson(event: JsonObject): Identifiers | undefined {
  const known = knownPerson(event)
  if (known !== undefined) return identifiersOf(known)
  return event['anonymousId'] ? { anonymous_id: event['anonymousId'] } : undefined
}

/**
 * Returns an id under the name `email` if it is an email address, otherwise under `id`: Customer.io requires the
 * correct name.
 */
export function identifiersOf(id: JsonValue): Identifiers {
  return isEmail(convert.text(id)) ? { email: id } : { id }
}

/** Returns whether a string has one @, a dot in the domain and no white space. Takes linear time. */
function isEmail(value: string): boolean {
  const at = value.indexOf('@')
  if (at < 1 || value.includes('@', at + 1)) return false
  return value.slice(at + 2, -1).includes('.') && !/\s/.test(value)
}

/** Returns whether a value can be an identifier. */
export function isIdentifier(value: JsonValue | undefined): value is string | number {
  return typeof value === 'string' ? value !== '' : typeof value === 'number'
}

function mappedId(event: JsonObject): JsonValue | undefined {
  const id = mappedRowOf(event)?.id
  return isIdentifier(id) ? id : undefined
}
