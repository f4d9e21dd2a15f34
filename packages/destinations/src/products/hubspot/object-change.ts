import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import {
  ask,
  configurationError,
  convert,
  type DeliveryRequest,
  type DestinationReply,
  instrumentationError,
  isKnown,
  isMappingError,
  isSegment,
  json,
  jsonArray,
  type Mapped,
  type MappedRow,
  type MappingContext,
  type MappingError,
  mappedRowOf,
  type TypedEvent,
  valueAt,
} from '../../kit/index.ts'
import { association, isAssociation } from './association.ts'
import { contactProperties, traitsOf, withDates } from './contact-properties.ts'
import { type HubspotInput, hubspotCall } from './hubspot-call.ts'
import type { HubspotSettings } from './hubspot-settings.ts'
import { propertyCatalogue, uniqueProperties } from './property-catalogue.ts'

type Change = 'create' | 'update' | 'upsert'

/** Path of the old API for contacts. */
export const oldContactsPath = '/contacts/v1/contact/batch/'

/** Returns a request that changes one object; a batch joins its input with others. Source: HubSpot docs, CRM API. */
function objectRequest(
  object: string,
  change: Change,
  input: HubspotInput,
  settings: HubspotSettings,
): DeliveryRequest {
  const path = `/crm/v3/objects/${object}/batch/${change}`
  return json({ ...hubspotCall(path, settings), body: { inputs: [input] } })
}

/** Returns the change of an identify event: of a contact, or of the object that a warehouse row is mapped to. */
export function objectChange(event: TypedEvent, settings: HubspotSettings, context: MappingContext): Mapped {
  const isMapped = valueAt(event, ['context', 'mappedToDestination'])
  if (isMapped === true || isMapped === 'true') {
    if (isAssociation(event)) return association(event, settings)
    const row = mappedRowOf(event)
    if (row === undefined || !isSegment(row.object))
      return instrumentationError('the row has no external id for HubSpot')
    return rowChange(row, event, settings, context)
  }
  return settings.apiVersion === 'newApi'
    ? contactChange(event, settings, context)
    : oldContact(event, settings, context)
}

function contactChange(event: TypedEvent, settings: HubspotSettings, context: MappingContext): Mapped {
  const traits = traitsOf(event)
  if (!settings.lookupField) return configurationError('lookupField is needed with the new API')
  const field = hasValue(traits[settings.lookupField]) ? settings.lookupField : 'email'
  const value = traits[field]
  if (!hasValue(value)) return instrumentationError(`the traits have neither ${settings.lookupField} nor email`)
  if (hasValue(traits['email']) && !isEmail(traits['email'])) return instrumentationError('the email is invalid')
  const catalogue = propertyCatalogue(settings, context)
  if (!isKnown(catalogue)) return catalogue
  const properties = contactProperties(traits, tableOf(catalogue))
  if (isMappingError(properties)) return properties
  const unique = uniqueProperties('contacts', settings, context)
  if (!isKnown(unique)) return unique
  if (tableOf(unique)[field] === true) {
    const input = { id: convert.text(value), idProperty: field, properties }
    return objectRequest('contacts', 'upsert', input, settings)
  }
  const id = contactWith(field, value, settings, context)
  if (!isKnown(id)) return id
  return id === null
    ? objectRequest('contacts', 'create', { properties }, settings)
    : objectRequest('contacts', 'update', { id: convert.text(id), properties }, settings)
}

function contactWith(field: string, value: JsonValue, settings: HubspotSettings, context: MappingContext) {
  const filterGroups = [{ filters: [{ propertyName: field, value, operator: 'EQ' }] }]
  return ask(context, {
    key: `contact ${JSON.stringify([field, value])}`,
    request: search(
      'contacts',
      { filterGroups, sorts: ['ascending'], properties: [field], limit: 2, after: 0 },
      settings,
    ),
    read: resultsRead(([first, ...others]) =>
      others.length > 0
        ? instrumentationError(`several contacts have this ${field}; choose a lookupField that identifies one contact`)
        : (first?.['id'] ?? null),
    ),
    ttlMs: 0, // another event may create the contact
  })
}

/** The columns of a row are properties of HubSpot already. */
function rowChange(row: MappedRow, event: TypedEvent, settings: HubspotSettings, context: MappingContext): Mapped {
  const { object, field } = row
  const id = convert.text(row.id)
  const catalogue = propertyCatalogue(settings, context)
  if (!isKnown(catalogue)) return catalogue
  const properties = withDates(traitsOf(event), tableOf(catalogue))
  if (settings.apiVersion === 'newApi') {
    const unique = uniqueProperties(object, settings, context)
    if (!isKnown(unique)) return unique
    if (tableOf(unique)[field] === true) {
      return objectRequest(object, 'upsert', { id, idProperty: field, properties }, settings)
    }
  }
  const known = objectWith(row, id, settings, context)
  if (!isKnown(known)) return known
  const own = { ...properties, [field]: id }
  if (known === null) return objectRequest(object, 'create', { properties: own }, settings)
  const [knownId, isPrimary] = known as readonly [JsonValue, JsonValue]
  // An additional email must not replace the primary one.
  const input = { properties: isPrimary ? own : properties, id: convert.text(knownId) }
  return objectRequest(object, 'update', input, settings)
}

/** Returns the id of an object, and whether it was found by its primary value. */
function objectWith({ object, field }: MappedRow, id: string, settings: HubspotSettings, context: MappingContext) {
  const properties = field === 'email' ? ['email', 'hs_additional_emails'] : [field]
  const filterGroups = properties.map((propertyName) => ({ filters: [{ propertyName, values: [id], operator: 'IN' }] }))
  return ask(context, {
    key: `object ${JSON.stringify([object, field, id])}`,
    request: search(object, { filterGroups, properties, limit: 100, after: 0 }, settings),
    read: resultsRead((found) => {
      const additional = ({ properties: own }: JsonObject) =>
        String(Object(own)['hs_additional_emails'] ?? '').split(';')
      const primary = found.find(({ properties: own }) => Object(own)[field] === id)
      const known = primary ?? found.find((each) => additional(each).includes(id))
      return known?.['id'] === undefined ? null : [known['id'], known === primary]
    }),
    ttlMs: 0,
  })
}

function search(object: string, body: JsonObject, settings: HubspotSettings): DeliveryRequest {
  return json({ ...hubspotCall(`/crm/v3/objects/${object}/search`, settings), body })
}

/** Creates `read` for searches. Only a list of results, or an empty reply, says that there are none. */
function resultsRead(read: (found: readonly JsonObject[]) => JsonValue | MappingError) {
  return ({ body }: DestinationReply): JsonValue | MappingError | undefined => {
    const results = isJsonObject(body) ? body['results'] : (body ?? [])
    return Array.isArray(results) ? read(results.filter(isJsonObject)) : undefined
  }
}

function oldContact(event: TypedEvent, settings: HubspotSettings, context: MappingContext): Mapped {
  const traits = traitsOf(event)
  const { email } = traits
  if (!hasValue(email)) return instrumentationError('the old API needs the email of a contact')
  const catalogue = propertyCatalogue(settings, context)
  if (!isKnown(catalogue)) return catalogue
  const properties = contactProperties(traits, tableOf(catalogue))
  if (isMappingError(properties)) return properties
  const { email: _, ...others } = properties
  const changes = Object.entries(others).map(([property, value]) => ({ property, value }))
  return jsonArray({ ...hubspotCall(oldContactsPath, settings), body: [{ email, properties: changes }] })
}

function tableOf(answer: JsonValue): JsonObject {
  return isJsonObject(answer) ? answer : {}
}

function hasValue(value: JsonValue | undefined): value is JsonValue {
  return value !== undefined && value !== null && value !== ''
}

function isEmail(value: JsonValue | undefined): boolean {
  if (typeof value !== 'string') return false
  const [name = '', domain = '', ...others] = value.trim().split('@')
  return name !== '' && others.length === 0 && /[^.]\.[^.]/.test(domain) && !/\s/.test(name + domain)
}
