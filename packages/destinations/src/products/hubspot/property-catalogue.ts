import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { ask, type MappingContext, query } from '../../kit/index.ts'
import { hubspotCall } from './hubspot-call.ts'
import type { HubspotSettings } from './hubspot-settings.ts'

const hourMs = 3_600_000

/** Returns the types of the properties of contacts, by name. Source: HubSpot docs, Contact properties v1. */
export function propertyCatalogue(settings: HubspotSettings, context: MappingContext) {
  return ask(context, {
    key: 'properties of contacts',
    request: query(hubspotCall('/properties/v1/contacts/properties', settings, 'GET')),
    read: ({ body }) => tableOf(body, ({ type }) => type ?? null),
    ttlMs: 2 * hourMs,
  })
}

/**
 * Returns which properties of a kind of object identify one object, by name. Source: HubSpot docs, Properties v3, unique
 * values.
 */
export function uniqueProperties(object: string, settings: HubspotSettings, context: MappingContext) {
  return ask(context, {
    key: `unique properties of ${object}`,
    request: query(hubspotCall(`/crm/v3/properties/${object}`, settings, 'GET')),
    read: ({ body }) =>
      tableOf(isJsonObject(body) ? body['results'] : undefined, ({ hasUniqueValue }) => hasUniqueValue === true),
    ttlMs: 2 * hourMs,
  })
}

/** Returns undefined for anything but a list: the question is then asked again, and nothing is cached. */
function tableOf(list: JsonValue | undefined, valueIn: (property: JsonObject) => JsonValue): JsonObject | undefined {
  if (!Array.isArray(list)) return undefined
  const named = list.filter(isJsonObject).filter(({ name }) => typeof name === 'string')
  return Object.fromEntries(named.map((each) => [each['name'], valueIn(each)]))
}
