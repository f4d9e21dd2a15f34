import { isJsonObject, type JsonObject } from '@sluice/core'
import {
  configurationError,
  convert,
  type DeliveryRequest,
  encodeSegment,
  instrumentationError,
  isMappingError,
  isSegment,
  json,
  type MappedRow,
  type Mapping,
  type MappingError,
  mappedRowOf,
  objectOrEmpty,
  specifiedName,
  type TypedEvent,
  valueAt,
} from '../../kit/index.ts'
import { catalogPath } from './iterable-batch.ts'
import { bodyOf } from './iterable-body.ts'
import { type IterableSettings, iterableRegions } from './iterable-settings.ts'

type Requests = readonly DeliveryRequest[] | MappingError

/** Returns the user of an identify event, the item of a catalog, or both the user and the device to register. */
export function identifyRequests(event: TypedEvent, settings: IterableSettings): Requests {
  const row = mappedRowOf(event)
  if (row && row.object !== 'users') return catalogItem(row, event, settings)
  const source = row ? { ...event, traits: { ...Object(event['traits']), [row.field]: row.id } } : event
  const user = request('users/update', withPerson(bodyOf.user, source, settings), settings)
  const { registerDeviceOrBrowserApiKey: apiKey } = settings
  if (isMappingError(user) || !apiKey) return isMappingError(user) ? user : [user]
  const requests = [user]
  for (const [path, body, token] of registrations) {
    if (!valueAt(event, token)) continue
    const registration = request(path, body(source, settings), { ...settings, apiKey })
    if (isMappingError(registration)) return registration
    requests.push(registration)
  }
  return requests
}

const registrations = [
  ['users/registerDeviceToken', bodyOf.device, ['context', 'device', 'token']],
  ['users/registerBrowserToken', bodyOf.browser, ['context', 'os', 'token']],
] as const

/** Rows of a warehouse that are not users are items of the catalog that they are mapped to. */
function catalogItem({ destination, object, id }: MappedRow, event: TypedEvent, settings: IterableSettings): Requests {
  if (destination !== 'ITERABLE' || !isSegment(object)) {
    return instrumentationError('the external id of the row names no catalog of Iterable')
  }
  const documents = { [convert.text(id)]: objectOrEmpty(event['traits']) }
  const body = { documents, replaceUploadedFieldsOnly: true }
  return lone(request(catalogPath, body, settings, `catalogs/${encodeSegment(object)}/items`))
}

/** Returns a track event: a purchase, a changed cart, or a custom event. */
export function trackRequests(event: TypedEvent, settings: IterableSettings): Requests {
  switch (typeof event['event'] === 'string' ? specifiedName(event['event']) : '') {
    case 'order completed':
      return sold('commerce/trackPurchase', bodyOf.purchase(event, settings), event, settings)
    case 'product added':
    case 'product removed':
      return sold('commerce/updateCart', {}, event, settings)
    default:
      return lone(request('events/track', withPerson(bodyOf.event, event, settings), settings))
  }
}

function sold(path: string, body: JsonObject | MappingError, event: TypedEvent, settings: IterableSettings): Requests {
  if (isMappingError(body)) return body
  const user = withPerson(bodyOf.user, event, settings)
  if (isMappingError(user)) return user
  const properties = objectOrEmpty(event['properties'])
  const { products } = properties
  const items: JsonObject[] = []
  // The properties describe the product when there is no list of products.
  for (const product of Array.isArray(products) ? products : [properties]) {
    const item = isJsonObject(product) ? bodyOf.item(product, settings) : instrumentationError('a product is no object')
    if (isMappingError(item)) return item
    items.push(item as JsonObject)
  }
  return lone(request(path, { ...body, user, items }, settings))
}

const viewNames = { page: 'Loaded a Page', screen: 'Loaded a Screen' } as const

/** Returns a page or screen event, if the settings want it. */
export function viewRequests(event: TypedEvent & { type: 'page' | 'screen' }, settings: IterableSettings): Requests {
  const { name, type } = event
  const isWanted =
    settings.trackAllPages ||
    (settings.trackNamedPages && Boolean(name)) ||
    (settings.trackCategorisedPages && Boolean(valueAt(event, ['properties', 'category'])))
  if (!isWanted) return configurationError(`the settings do not let this ${type} be sent`)
  const body = withPerson(bodyOf.view, event, settings)
  if (isMappingError(body)) return body
  // Views without a name are called `undefined page`, as by RudderStack, so that campaigns keep working.
  const eventName = settings.mapToSingleEvent ? viewNames[type] : `${convert.text(name ?? 'undefined')} ${type}`
  return lone(request('events/track', { ...body, eventName }, settings))
}

/** Returns the change of an email address. */
export function aliasRequests(event: TypedEvent, settings: IterableSettings): Requests {
  return lone(request('users/updateEmail', bodyOf.alias(event, settings), settings))
}

function withPerson(body: Mapping, event: JsonObject, settings: IterableSettings): JsonObject | MappingError {
  const mapped = body(event, settings)
  if (isMappingError(mapped) || mapped['email'] !== undefined || mapped['userId'] !== undefined) return mapped
  return instrumentationError('the event has neither a userId nor an email')
}

function request(
  kind: string,
  body: JsonObject | MappingError,
  settings: IterableSettings,
  path = kind,
): DeliveryRequest | MappingError {
  if (isMappingError(body)) return body
  return json({
    method: 'POST',
    endpoint: `${iterableRegions.hostOf(settings.dataCenter)}/api/${path}`,
    headers: { 'Content-Type': 'application/json', api_key: convert.text(settings.apiKey ?? '') },
    body,
    endpointPath: kind,
  })
}

function lone(single: DeliveryRequest | MappingError): Requests {
  return isMappingError(single) ? single : [single]
}
