import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import {
  convert,
  type DeliveryRequest,
  defined,
  firstAt,
  generic,
  instrumentationError,
  isMappingError,
  type MappingContext,
  type MappingError,
  objectOrEmpty,
  specifiedName,
  type TypedEvent,
  valueAt,
} from '../../kit/index.ts'
import { attentiveRequest } from './attentive-request.ts'
import type { AttentiveTagSettings } from './attentive-tag-settings.ts'
import { userOf } from './attentive-user.ts'

const timeOf = firstAt(['properties.timestamp', ...generic.timestamp])

const ageMaxMs = 12 * 60 * 60 * 1000 // Attentive refuses older events

/** Events of the e-commerce specification, in lower case, and their paths. */
const paths: ReadonlyMap<string, string> = new Map([
  ['product viewed', '/events/ecommerce/product-view'],
  ['product list viewed', '/events/ecommerce/product-view'],
  ['product added', '/events/ecommerce/add-to-cart'],
  ['order completed', '/events/ecommerce/purchase'],
])

/** Maps a track event to an event of Attentive's own kinds, or to a custom event. */
export function attentiveEvent(
  event: TypedEvent,
  name: string,
  settings: AttentiveTagSettings,
  { now }: MappingContext,
): DeliveryRequest | MappingError {
  const occurredAt = timeOf(event)
  const at = occurredAt === undefined ? undefined : convert.milliseconds(occurredAt)
  if (at !== undefined && now - at > ageMaxMs) return instrumentationError('the event is more than 12 hours old')
  const eventId = valueAt(event, ['properties', 'eventId'])
  const path = paths.get(specifiedName(name))
  const content = path ? sold(event, path) : custom(event, name)
  if (isMappingError(content)) return content
  return attentiveRequest(path ?? '/events/custom', settings, {
    ...content,
    // RudderStack sends the first name only, which Attentive does not document.
    ...(occurredAt !== undefined && { occuredAt: occurredAt, occurredAt }),
    ...(path === undefined && eventId ? { externalEventId: convert.text(eventId) } : {}),
    user: userOf(event),
  })
}

const forbidden = /["'(){}[\]\\|,]/ // source: Attentive docs, custom events (names of properties)

function custom({ properties }: TypedEvent, type: string): JsonObject | MappingError {
  if (properties === undefined || properties === null) return { type }
  if (!isJsonObject(properties) || Object.keys(properties).some((key) => forbidden.test(key))) {
    return instrumentationError('properties must be an object whose names have no quotes, brackets, commas, \\ or |')
  }
  return { type, properties }
}

function sold({ properties }: TypedEvent, path: string): JsonObject | MappingError {
  const given = objectOrEmpty(properties)
  const { products, currency } = given
  const isListed = Array.isArray(products) && products.length > 0
  if (!isListed && path.endsWith('/purchase')) return instrumentationError('the event needs a list of products')
  const items: JsonObject[] = []
  for (const product of isListed ? products : [given]) {
    const item = itemOf(objectOrEmpty(product), currency)
    if (isMappingError(item)) return item
    items.push(item)
  }
  return { items }
}

function itemOf(product: JsonObject, currency: JsonValue | undefined): JsonObject | MappingError {
  const { product_id: productId, variant, name, image_url: image, url, quantity, price } = product
  if (!productId) return instrumentationError('a product needs a product_id')
  if (!variant) return instrumentationError('a product needs a variant')
  const amount = convert.number(price ?? '')
  const itemCurrency = product['currency'] || currency
  return defined({
    productId,
    productVariantId: variant,
    name: name || undefined,
    productImage: image || undefined,
    productUrl: url || undefined,
    quantity: quantity || quantity === 0 ? quantity : undefined,
    price: amount === undefined ? undefined : [defined({ value: amount, currency: itemCurrency || undefined })],
  })
}
