import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { defined, mapping, objectOrEmpty, specifiedName, to, valueAt } from '../../kit/index.ts'
import type { KlaviyoProfile } from './klaviyo-profile.ts'
import type { KlaviyoCall } from './klaviyo-request.ts'
import type { KlaviyoSettings } from './klaviyo-settings.ts'

/** Events that Klaviyo knows under other names. Source: Klaviyo docs, guide to integrating an e-commerce platform. */
const knownNames: ReadonlyMap<string, keyof typeof oldPropertiesOf> = new Map([
  ['product viewed', 'Viewed Product'],
  ['product clicked', 'Viewed Product'],
  ['product added', 'Added to Cart'],
  ['checkout started', 'Started Checkout'],
])

const items = to('Items').each(
  ['items', 'products'],
  [
    to('ProductID').from('product_id'),
    to('SKU').from('sku'),
    to('ProductName').from('name'),
    to('Quantity').from('quantity'),
    to('ItemPrice').from('price'),
    to('RowTotal').from('row_total'),
    to('ProductURL').from('url'),
    to('ImageURL').from('image_url'),
    to('ProductCategories').from('product_categories', 'categories', 'category'),
    to().rest().unmapped(),
  ],
)

/** Properties without a name of Klaviyo's keep their own; the value and its currency have places of theirs only in other events. */
const others = to().rest().unmapped()
const listed = others.without('items', 'products')

/** Properties of such events. */
export const oldPropertiesOf = {
  'Viewed Product': mapping([
    to('ProductName').from('name'),
    to('ProductID').from('product_id'),
    to('SKU').from('sku'),
    to('ImageURL').from('image_url'),
    to('URL').from('url'),
    to('Brand').from('brand'),
    to('Price').from('price'),
    to('CompareAtPrice').from('compare_at_price'),
    to('Categories').from('categories'),
    others,
  ]),
  'Added to Cart': mapping([
    to('$value').from('value'),
    to('AddedItemProductName').from('name'),
    to('AddedItemProductID').from('product_id'),
    to('AddedItemSKU').from('sku'),
    to('AddedItemImageURL').from('image_url'),
    to('AddedItemURL').from('url'),
    to('AddedItemPrice').from('price'),
    to('AddedItemQuantity').from('quantity'),
    to('AddedItemCategories').from('categories'),
    to('ItemNames').from('item_names'),
    items,
    listed,
  ]),
  'Started Checkout': mapping([
    to('$event_id').from('order_id'),
    to('$value').from('value'),
    to('Categories').from('categories'),
    to('CheckoutURL').from('checkout_url', 'url'),
    to('ItemNames').from('item_names'),
    items,
    listed,
  ]),
}

interface OldEvent {
  readonly event: JsonObject
  readonly name: string
  readonly value: JsonValue | undefined
  readonly properties: JsonObject | undefined
  readonly profile: KlaviyoProfile
}

/** Names of attributes and places of profiles in events of the old revision. */
const oldNames: ReadonlyMap<string, string> = new Map([
  ...['email', 'phone_number', 'first_name', 'last_name', 'title', 'organization', 'image'].map(dollared),
  ...['city', 'region', 'country', 'zip'].map(dollared),
  ['address1', '$address1'] as const,
  ['external_id', '$id'] as const,
])

function dollared(name: string): readonly [string, string] {
  return [name, `$${name}`]
}

/** Returns an event in the form of the old revision. */
export function oldEvent(
  { event, name, value, properties, profile }: OldEvent,
  settings: KlaviyoSettings,
): KlaviyoCall {
  const known = knownNames.get(specifiedName(name))
  const own = valueAt(event, ['properties'])
  const product = known && isJsonObject(own) ? (oldPropertiesOf[known](own, settings) as JsonObject) : properties
  const time = event['timestamp']
  const attributes = defined({
    metric: { name: known ?? name },
    properties: product,
    profile: oldProfile(profile.attributes),
    value: value !== undefined && !known ? value : undefined,
    time,
  })
  return { path: '/api/events', data: { type: 'event', attributes } }
}

function oldProfile({ properties, location, ...others }: JsonObject): JsonObject {
  const named = Object.entries({ ...others, ...objectOrEmpty(location) })
  const known = named.flatMap(([key, value]) => (oldNames.has(key) ? [[oldNames.get(key), value]] : []))
  return { ...Object.fromEntries(known), ...objectOrEmpty(properties) }
}
