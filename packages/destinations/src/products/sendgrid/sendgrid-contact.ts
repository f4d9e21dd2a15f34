import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import {
  type Ask,
  ask,
  convert,
  generic,
  isKnown,
  isMappingError,
  isPresent,
  type MappingContext,
  type MappingError,
  mapping,
  objectsIn,
  query,
  setMember,
  to,
  traitsOf,
} from '../../kit/index.ts'
import type { SendgridSettings } from './sendgrid-settings.ts'

const traits = (name: string): readonly string[] => [`traits.${name}`, `context.traits.${name}`]

/** Reserved fields of contacts. Source: SendGrid docs, Add or update a contact. */
export const contactMapping = mapping([
  to('email').from(generic.email).required(),
  to('phone_number').from(generic.phone),
  to('first_name').from(generic.firstName),
  to('last_name').from(generic.lastName),
  to('unique_name').from(generic.name),
  to('address_line_1').from(generic.address).as(onOneLine),
  to('address_line_2').from(traits('addressLine2')),
  to('city').from(generic.city),
  to('state_province_region').from(generic.region),
  to('country').from(generic.country),
  to('postal_code').from(generic.zipcode),
  to('alternate_emails').from(traits('alternateEmails')).as(convert.list),
  to('whatsapp').from([...traits('whatsapp'), ...traits('whatsappNumber')]),
  to('line').from(traits('line')),
  to('facebook').from([...traits('facebook'), ...traits('facebookUrl')]),
])

/** Joins the values of an address, in their order. */
function onOneLine(address: JsonValue): string {
  return isJsonObject(address)
    ? Object.values(address)
        .map((part) => convert.text(part ?? ''))
        .join(' ')
    : convert.text(address)
}

const hourMs = 3_600_000

/** Headers of requests to SendGrid. */
export function sendgridHeaders({ apiKey }: Pick<SendgridSettings, 'apiKey'>): Readonly<Record<string, string>> {
  return { 'Content-Type': 'application/json', Authorization: `Bearer ${apiKey}` }
}

/** Returns an identify event as a contact. Asks SendGrid for the ids of custom fields if the settings map some. */
export function sendgridContact(
  event: JsonObject,
  settings: SendgridSettings,
  context: MappingContext,
): JsonObject | MappingError | Ask {
  const contact = contactMapping(event, settings)
  if (isMappingError(contact)) return contact
  const custom = customFields(event, settings, context)
  return isKnown(custom) ? { ...contact, custom_fields: custom } : custom
}

function customFields(event: JsonObject, settings: SendgridSettings, context: MappingContext) {
  const pairs = settings.customFieldsMapping.filter(({ from, to: name }) => from && name)
  if (pairs.length === 0) return {}
  const ids = ask(context, {
    key: 'custom fields',
    request: query({
      method: 'GET',
      endpoint: 'https://api.sendgrid.com/v3/marketing/field_definitions',
      headers: sendgridHeaders(settings),
    }),
    read: ({ body }) => idsIn(body),
    ttlMs: 2 * hourMs,
  })
  if (!isKnown(ids)) return ids
  const source = traitsOf(event)
  const fields: Record<string, JsonValue | undefined> = {}
  for (const { from, to: name } of pairs) {
    const id = isJsonObject(ids) && Object.hasOwn(ids, name ?? '') ? ids[name ?? ''] : undefined
    const value = source[from ?? '']
    if (typeof id === 'string' && isPresent(value)) setMember(fields, id, value)
  }
  return fields
}

/** Returns the ids of custom fields by name. Source: SendGrid docs, Get all field definitions. */
function idsIn(body: JsonValue): JsonObject {
  const fields = isJsonObject(body) ? body['custom_fields'] : undefined
  const known = objectsIn(fields)
  return Object.fromEntries(known.map(({ name, id }) => [convert.text(name ?? ''), id]))
}
