import { isJsonObject, type JsonObject } from '@sluice/core'
import type { Static } from 'typebox'
import {
  configurationError,
  convert,
  defineDestination,
  instrumentationError,
  isMappingError,
  json,
  type MappingError,
  type TypedEvent,
  withoutMembers,
} from '../../kit/index.ts'
import { type Ga4Event, ga4EventOf, joinGroup, pageView } from './ga4-event.ts'
import { ga4Examples } from './ga4-examples.ts'
import { readReply } from './ga4-reply.ts'
import { ga4Settings } from './ga4-settings.ts'
import { itemMappings, itemMembers, itemOfProperties, itemsOfProducts } from './items.ts'
import { messageMapping, sessionMapping } from './message-mapping.ts'
import { limitsOf, toParameters } from './parameters.ts'
import { hasReservedPrefix, isReservedEventName } from './reserved-names.ts'
import { ignoredNames, nameLengthMax, userProperties, valueLengthMax } from './user-properties.ts'

const hourMs = 3_600_000
const ageMaxMs = 72 * hourMs // Google drops older events; Measurement Protocol, timestamp_micros
const futureMaxMs = hourMs / 4 // the clock of a device may be ahead by this much

/**
 * Sends events of a web site (gtag) or an app (firebase) to Google Analytics 4.
 *
 * Source: recorded behaviour of RudderStack's ga4 destination; Google's docs, Measurement Protocol (GA4).
 */
export const ga4 = defineDestination({
  type: 'GA4',
  displayName: 'Google Analytics 4 (GA4)',
  otherNames: ['Google Analytics 4'],
  supports: ['track', 'group', 'page'],
  settings: ga4Settings,
  secrets: ['apiSecret'],
  mappings: { message: messageMapping, session: sessionMapping, ...itemMappings },
  requests(event, settings, { now }) {
    const stream = streamOf(settings)
    if (isMappingError(stream)) return stream
    const kind = kindOf(event)
    if (isMappingError(kind)) return kind
    const message = messageOf(event, settings, now)
    if (isMappingError(message)) return message
    const params = parametersOf(kind, event, settings)
    if (isMappingError(params)) return params
    const properties = userProperties(event, settings)
    const path = settings.debugMode ? 'debug/mp/collect' : 'mp/collect'
    return json({
      method: 'POST',
      endpoint: `https://www.google-analytics.com/${path}`,
      headers: { HOST: 'www.google-analytics.com', 'Content-Type': 'application/json' },
      params: { api_secret: settings.apiSecret, ...stream },
      body: {
        ...message,
        ...(properties && { user_properties: properties }),
        events: [{ name: kind.name, params }],
      },
      endpointPath: path,
    })
  },
  limits: [
    'Names of events must be letters of any alphabet, digits and `_`, starting with a letter; blanks become `_`.',
    'Events of lists, carts, checkouts and orders need products, orders and refunds an order id.',
    'Products that are viewed, or added to or removed from a cart or wishlist, need a price or a total.',
    'Parameters that Google knows come first, because Google ignores those after the 25th (with Analytics 360: the 100th).',
    'In names of parameters, blanks and signs become `_`, because Google refuses them; `.` and `$` stay, as in RudderStack.',
    'With parameterLimits, further parameters and names above 40 characters are left out; `.` and `$` become `_`.',
    'Properties that are a text are ignored; RudderStack sends each of their characters.',
    'Group events carry the traits of the user as parameters too, except those in piiPropertiesToIgnore.',
    `Events over ${ageMaxMs / hourMs} hours old, or over ${(futureMaxMs / hourMs) * 60} minutes in the future, fail.`,
    `User properties with names above ${nameLengthMax} or values above ${valueLengthMax} characters are left out.`,
  ],
  respond: readReply,
  examples: ga4Examples,
})

/** Returns the query parameters that identify the data stream. */
function streamOf({ typesOfClient, measurementId, firebaseAppId }: Static<typeof ga4Settings>) {
  if (typesOfClient === 'firebase') {
    return firebaseAppId ? { firebase_app_id: firebaseAppId } : configurationError('firebaseAppId must be provided')
  }
  return measurementId ? { measurement_id: measurementId } : configurationError('measurementId must be provided')
}

function kindOf(event: TypedEvent): Ga4Event | MappingError {
  if (event.type === 'page') return pageView
  if (event.type === 'group') return joinGroup
  const { event: name } = event
  if (typeof name !== 'string' || name.trim() === '') return instrumentationError('Event name is required')
  const kind = ga4EventOf(name)
  if (isReservedEventName(kind.name)) return instrumentationError('track:: Reserved event names are not allowed')
  if (hasReservedPrefix(kind.name)) return instrumentationError('Reserved custom prefix names are not allowed')
  if (!/^\p{L}[\p{L}\p{M}\p{N}_]*$/u.test(kind.name)) {
    return instrumentationError(
      `The name "${kind.name}" must be letters of any alphabet, digits and _, and start with a letter`,
    )
  }
  return kind
}

function messageOf(event: TypedEvent, settings: JsonObject, now: number): JsonObject | MappingError {
  const message = messageMapping(event, settings)
  if (isMappingError(message)) return message
  if (message['client_id'] === undefined && message['app_instance_id'] === undefined) {
    const isApp = settings['typesOfClient'] === 'firebase'
    return isApp
      ? instrumentationError('ga4AppInstanceId must be provided under externalId')
      : configurationError('ga4ClientId under externalId, or anonymousId must be provided')
  }
  const atMs = (convert.number(message['timestamp_micros'] ?? Number.NaN) ?? now * 1000) / 1000
  if (atMs < now - ageMaxMs) return instrumentationError('Allowed timestamp is [72 hours] into the past')
  if (atMs > now + futureMaxMs) return instrumentationError('Allowed timestamp is [15 minutes] into the future')
  return message
}

function parametersOf(kind: Ga4Event, event: TypedEvent, settings: JsonObject): JsonObject | MappingError {
  const all = kind.parameters(event, settings)
  if (isMappingError(all)) return all
  const session = sessionMapping(event, settings)
  if (isMappingError(session)) return session
  const parameters = kind === joinGroup ? withoutMembers(all, ignoredNames(settings)) : all
  if (kind.items === 'none') return inOrder(session, parameters, settings)
  const properties = isJsonObject(event['properties']) ? event['properties'] : {}
  const products = productsOf(kind, properties)
  if (isMappingError(products)) return products
  if (products.length === 0 && kind.items === 'optional') return inOrder(session, parameters, settings)
  const items = products.length > 0 ? itemsOfProducts(products, settings) : itemOfProperties(properties, settings)
  if (isMappingError(items)) return items
  const kept = products.length > 0 ? parameters : withoutItem(parameters, kind)
  return inOrder({ ...session, items }, kept, settings)
}

/** Returns parameters with the ones that Google needs most in front. These override others of the same name. */
function inOrder(first: JsonObject, others: JsonObject, settings: JsonObject): JsonObject {
  const limits = limitsOf(settings)
  const all = { ...first, ...toParameters(others, limits), ...first }
  return limits ? Object.fromEntries(Object.entries(all).slice(0, limits.parametersMax)) : all
}

/** Returns the products of an event; none when its properties describe its product. */
function productsOf({ name, items }: Ga4Event, { products }: JsonObject): readonly JsonObject[] | MappingError {
  const listed = Array.isArray(products) ? products.filter(isJsonObject) : []
  if (items !== 'required') return items === 'optional' && isJsonObject(products) ? [products] : listed
  return listed.length > 0 ? listed : instrumentationError(`properties.products of ${name} must be a list of products`)
}

const membersBut = (...names: readonly string[]) => new Set([...itemMembers].filter((name) => !names.includes(name)))
const itemMembersButCurrency = membersBut('currency')
/** Google documents the list for `select_item` itself. */
const itemMembersButList = membersBut('currency', 'item_list_id', 'item_list_name')

/** Removes the parameters that are sent with the item, except the currency, and the list of a selection, which the event needs too. */
function withoutItem(parameters: JsonObject, { name }: Ga4Event): JsonObject {
  return withoutMembers(parameters, name === 'select_item' ? itemMembersButList : itemMembersButCurrency)
}
