import type { JsonObject } from '@sluice/core'
import {
  type Condition,
  convert,
  mapping,
  objectsIn,
  type Rule,
  specifiedName,
  to,
  withoutMembers,
} from '../../kit/index.ts'

const product: readonly Rule[] = [
  to('product_id').from('product_id', 'sku').as(convert.text),
  to('product_name').from('name', 'product_name'),
  to('variant_id').from('variant', 'variant_id', 'sku', 'product_id').as(convert.text),
  to('price').from('price').as(convert.number),
  to('image_url').from('image_url'),
  to('product_url').from('url', 'product_url'),
]

const order: readonly Rule[] = [
  to('total_value').from('total', 'revenue', 'value').as(convert.number),
  to('subtotal_value').from('subtotal_value').as(convert.number),
  to('tax').from('tax').as(convert.number),
  to('shipping').from('shipping').as(convert.number),
  to('currency').from('currency'),
]

const orderId = to('order_id').from('order_id')
const cartId = to('cart_id').from('cart_id')
const discounts = to('total_discounts').from('discount').as(convert.number)

const hasProducts: Condition = ({ products }) => Array.isArray(products)

/** Members without a place of their own. */
const others = to('metadata').rest().unmapped().without('sku').unlessEmpty()
const metadata = others.without('products')

/** Members of recommended events besides their products and source, by name. */
export const recommendedMappings = {
  product_viewed: mapping([...product, to('currency').from('currency'), metadata]),
  cart_updated: mapping([cartId, to('currency').from('currency'), metadata.when(hasProducts)]),
  checkout_started: mapping([to('checkout_id').from('checkout_id', 'order_id'), cartId, ...order, metadata]),
  order_placed: mapping([orderId, cartId, ...order, discounts, metadata]),
  order_refunded: mapping([orderId, ...order, discounts, metadata]),
  order_cancelled: mapping([
    orderId,
    ...order,
    discounts,
    to('cancel_reason').from('cancel_reason', 'reason'),
    metadata,
  ]),
}

/** A product in the list of a recommended event. */
export const lineMapping = mapping([...product, to('quantity').from('quantity').as(convert.integer), others])

type Recommended = readonly [name: keyof typeof recommendedMappings, action?: 'add' | 'remove']

const names: ReadonlyMap<string, Recommended> = new Map([
  ['product viewed', ['product_viewed']],
  ['product added', ['cart_updated', 'add']],
  ['product removed', ['cart_updated', 'remove']],
  ['checkout started', ['checkout_started']],
  ['order completed', ['order_placed']],
  ['order refunded', ['order_refunded']],
  ['order cancelled', ['order_cancelled']],
])

const factsOfCart: ReadonlySet<string> = new Set(['cart_id', 'currency', 'products'])

/**
 * Returns the name and properties of an e-commerce event as Braze recommends them; undefined for other events.
 * Properties without a place of their own are in `metadata`.
 *
 * Source: RudderStack docs, Braze recommended e-commerce events; Braze docs, Recommended events.
 */
export function recommendedEvent(event: string, properties: JsonObject, source: string, settings: JsonObject) {
  const [name, action] = names.get(specifiedName(event)) ?? []
  if (name === undefined) return undefined
  const isLine = action !== undefined && !Array.isArray(properties['products'])
  const lines = isLine ? [withoutMembers(properties, factsOfCart)] : objectsIn(properties['products'])
  const products = lines.map((line) => lineMapping(line, settings) as JsonObject)
  const mapped = recommendedMappings[name](properties, settings) as JsonObject
  return {
    name: `ecommerce.${name}`,
    properties: { ...mapped, ...(name !== 'product_viewed' && { products }), source, ...(action && { action }) },
  }
}
