import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { convert, type Mapping, mapping, type Rule, to, withoutMembers } from '../../kit/index.ts'

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
  to('tax').from('tax').as(convert.number),
  to('shipping').from('shipping').as(convert.number),
  to('currency').from('currency'),
]

const orderId = to('order_id').from('order_id')
const cartId = to('cart_id').from('cart_id')
const discounts = to('total_discounts').from('discount').as(convert.number)

/** Members of recommended events besides their products and source, by name. */
export const recommendedMappings = {
  product_viewed: mapping([...product, to('currency').from('currency')]),
  cart_updated: mapping([cartId, to('currency').from('currency')]),
  checkout_started: mapping([to('checkout_id').from('checkout_id', 'order_id'), cartId, ...order]),
  order_placed: mapping([orderId, cartId, ...order, discounts]),
  order_refunded: mapping([orderId, ...order, discounts]),
  order_cancelled: mapping([orderId, ...order, discounts, to('cancel_reason').from('cancel_reason', 'reason')]),
}

/** A product in the list of a recommended event. */
export const lineMapping = mapping([...product, to('quantity').from('quantity').as(convert.integer)])

interface Recommended {
  readonly name: keyof typeof recommendedMappings
  readonly action?: 'add' | 'remove'
}

const names: Readonly<Record<string, Recommended>> = {
  'product viewed': { name: 'product_viewed' },
  'product added': { name: 'cart_updated', action: 'add' },
  'product removed': { name: 'cart_updated', action: 'remove' },
  'checkout started': { name: 'checkout_started' },
  'order completed': { name: 'order_placed' },
  'order refunded': { name: 'order_refunded' },
  'order cancelled': { name: 'order_cancelled' },
}

/**
 * Returns the name and properties of an e-commerce event as Braze recommends them; undefined for other events.
 * Properties without a place of their own are in `metadata`.
 *
 * Source: RudderStack docs, Braze recommended e-commerce events; Braze docs, Recommended events.
 */
export function recommendedEvent(event: string, properties: JsonObject, source: string, settings: JsonObject) {
  const key = event.trim().toLowerCase()
  const known = Object.hasOwn(names, key) ? names[key] : undefined
  if (known === undefined) return undefined
  const { name, action } = known
  const mapped = recommendedMappings[name]
  const hasLines = name !== 'product_viewed'
  const isLine = action !== undefined && !Array.isArray(properties['products'])
  const lines = isLine ? [withoutMembers(properties, usedBy[name])] : properties['products']
  const metadata = withoutMembers(properties, usedBy[name])
  return {
    name: `ecommerce.${name}`,
    properties: {
      ...(mapped(properties, settings) as JsonObject),
      ...(hasLines && { products: linesOf(lines, settings) }),
      source,
      ...(action && { action }),
      ...(Object.keys(metadata).length > 0 && !isLine && { metadata }),
    },
  }
}

function linesOf(products: JsonValue | undefined, settings: JsonObject): readonly JsonObject[] {
  return (Array.isArray(products) ? products : []).filter(isJsonObject).map((each) => {
    const metadata = withoutMembers(each, usedByLine)
    return { ...(lineMapping(each, settings) as JsonObject), ...(Object.keys(metadata).length > 0 && { metadata }) }
  })
}

/** Returns the names of the members that a mapping reads, and of those that stand for others. */
function namesReadBy({ rules }: Mapping, ...others: readonly string[]): ReadonlySet<string> {
  const read = rules.flatMap(({ value }) => (value.of === 'source' ? value.paths.map(([first = '']) => first) : []))
  return new Set([...read, ...others])
}

const usedByLine = namesReadBy(lineMapping, 'sku')
const usedBy = Object.fromEntries(
  Object.entries(recommendedMappings).map(([name, each]) => [name, namesReadBy(each, 'products', 'sku')]),
) as Record<keyof typeof recommendedMappings, ReadonlySet<string>>
