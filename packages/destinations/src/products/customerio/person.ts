import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { text } from '../../kit/convert/text.ts'
import { firstAt } from '../../kit/rules/first-at.ts'
import { generic } from '../../kit/rules/generic-fields.ts'
import { valueAt } from '../../kit/rules/key-path.ts'

/** What Customer.io knows a person by. */
export type Identifiers =
  | { readonly id: JsonValue }
  | { readonly email: JsonValue }
  | { readonly anonymous_id: JsonValue }

const userIdOf = firstAt(generic.userIdOnly, isIdentifier)
const emailOf = firstAt(generic.emailOnly, isIdentifier)

/** What a person is known by that has told who they are: an id before an address. */
export function knownPerson(event: JsonObject): JsonValue | undefined {
  return userIdOf(event) ?? mappedId(event) ?? emailOf(event)
}

/** Anyone: of a person nobody knows, events alone can be told. */
export function anyPerson(event: JsonObject): Identifiers | undefined {
  const known = knownPerson(event)
  if (known !== undefined) return identifiersOf(known)
  return event['anonymousId'] ? { anonymous_id: event['anonymousId'] } : undefined
}

/** An id that is an address is one: Customer.io takes it for both, but not under the wrong name. */
export function identifiersOf(id: JsonValue): Identifiers {
  return isEmail(text(id)) ? { email: id } : { id }
}

/** Something, one @, and something with a dot inside; no white space. Reads each character a fixed number of times. */
function isEmail(value: string): boolean {
  const at = value.indexOf('@')
  if (at < 1 || value.includes('@', at + 1)) return false
  return value.slice(at + 2, -1).includes('.') && !/\s/.test(value)
}

/** Whether a value can tell someone, or something, from others. */
export function isIdentifier(value: JsonValue | undefined): value is string | number {
  return typeof value === 'string' ? value !== '' : typeof value === 'number'
}

/** The id a warehouse row was mapped to. */
function mappedId(event: JsonObject): JsonValue | undefined {
  const ids = valueAt(event, ['context', 'externalId'])
  if (valueAt(event, ['context', 'mappedToDestination']) !== true || !Array.isArray(ids)) return undefined
  const id = isJsonObject(ids[0]) ? ids[0]['id'] : undefined
  return isIdentifier(id) ? id : undefined
}
