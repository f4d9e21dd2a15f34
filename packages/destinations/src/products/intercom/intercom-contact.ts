import type { JsonObject, JsonValue } from '@sluice/core'
import {
  convert,
  firstAt,
  generic,
  isMappingError,
  type MappingError,
  mappedRowOf,
  mapping,
  to,
  traits,
  traitsOf,
} from '../../kit/index.ts'
import { userCompany } from './intercom-company.ts'
import type { IntercomSettings } from './intercom-settings.ts'

const shared = [
  to('email').from(traits('email')),
  to('phone').from(traits('phone')),
  to('name').compute(nameOf),
  to('signed_up_at').from(traits('createdAt')).as(convert.seconds),
]

const names = ['name', 'firstName', 'firstname', 'lastName', 'lastname', 'userId', 'company', 'companies', 'tags']
const custom = to('custom_attributes')
  .rest(generic.traits)
  .unmapped()
  .without(...names)
  .flat()
  .unlessEmpty()

/** Contacts, by version. Source: Intercom docs, Create contact. */
export const contactMappings = {
  v1: mapping([
    to('user_id').compute(identifierOf),
    ...shared,
    to('last_seen_user_agent').from('context.userAgent'),
    to('update_last_request_at').setting('updateLastRequestAt'),
    custom,
  ]),
  v2: mapping([
    to('external_id').compute(identifierOf),
    ...shared,
    to('avatar').from(traits('avatar')),
    to('last_seen_at').from(traits('lastSeenAt')).as(convert.seconds),
    to('role').from(traits('role')),
    to('owner_id').from(traits('ownerId')).as(convert.number),
    to('unsubscribed_from_emails').from(traits('unsubscribedFromEmails')),
    custom.without('anonymousId', 'source'),
  ]),
}

/** Returns the contact of an identify event as a body of the API. */
export function contactOf(event: JsonObject, settings: IntercomSettings): JsonObject | MappingError {
  const { apiVersion } = settings
  const row = mappedRowOf(event)
  const source = traitsOf(event)
  if (row) return mappedContact({ ...source, [row.field]: row.id }, event, settings)
  const contact = contactMappings[apiVersion](event, settings)
  if (isMappingError(contact)) return contact
  const company = apiVersion === 'v1' ? userCompany(source['company']) : undefined
  return { ...contact, ...(company && { companies: [company] }) }
}

/** Rows of a warehouse have the names of Intercom already. */
function mappedContact(row: JsonObject, event: JsonObject, settings: IntercomSettings): JsonObject {
  if (settings.apiVersion === 'v2') return withExternalId(row)
  const name = row['name'] ?? nameOf(event)
  return { ...row, ...(name !== undefined && { name }), update_last_request_at: settings.updateLastRequestAt }
}

/** Version v2 of the API has another name for the id of a user. */
export function withExternalId(row: JsonObject): JsonObject {
  const id = row['user_id']
  return id === undefined || row['email'] !== undefined ? row : { ...row, external_id: id }
}

const firstNameOf = firstAt(generic.firstName)
const lastNameOf = firstAt(generic.lastName)
const wholeNameOf = firstAt(generic.name)

function nameOf(event: JsonObject): JsonValue | undefined {
  const whole = wholeNameOf(event)
  if (whole) return whole
  const parts = [firstNameOf(event), lastNameOf(event)].filter((part) => part !== undefined)
  return parts.length === 0 ? undefined : parts.map((part) => convert.text(part)).join(' ')
}

const userIdOf = firstAt(generic.userIdOnly)

/** Returns the userId; without one, the anonymousId if the settings say so. */
export function identifierOf(event: JsonObject, settings: JsonObject): JsonValue | undefined {
  const id = userIdOf(event) ?? (settings['sendAnonymousId'] ? (event['anonymousId'] ?? undefined) : undefined)
  return id === undefined ? undefined : convert.text(id)
}
