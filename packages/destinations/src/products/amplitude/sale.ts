import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { convert, defined, withoutMembers } from '../../kit/index.ts'

/**
 * Returns a track event, and an event per product if the settings require that, with names, properties and revenue. The
 * revenue moves from the properties to fields, once for the event or with each product (`trackRevenuePerProduct`).
 * Products stay in their event (`trackProductsOnce`) or become separate events. An event without the property `revenue`
 * is no sale: its products have only been seen, and stay inside.
 *
 * Source: RudderStack docs, Amplitude, revenue events.
 */
export function salesOf(name: string, { properties: given }: JsonObject, settings: JsonObject): readonly JsonObject[] {
  const properties = isJsonObject(given) ? given : {}
  if (convert.number(properties['revenue'] ?? null) === undefined) {
    return [given ? { event_type: name, event_properties: properties } : { event_type: name }]
  }
  const list = properties['products']
  const products: readonly JsonObject[] = Array.isArray(list) ? list.filter(isJsonObject) : []
  const isInside = settings['trackProductsOnce'] === true || products.length === 0
  const isPerProduct = settings['trackRevenuePerProduct'] === true && products.length > 0
  const kept = isInside ? properties : withoutMembers(properties, productsName)
  const split = isInside && !isPerProduct ? [] : products
  return [
    isPerProduct ? { event_type: name, event_properties: kept } : sold(name, kept),
    ...split.map((product) =>
      isPerProduct ? sold(productEventName, product) : { event_type: productEventName, event_properties: product },
    ),
  ]
}

const productEventName = 'Product Purchased'
const productsName: ReadonlySet<string> = new Set(['products'])
const revenueNames: ReadonlySet<string> = new Set(['revenue', 'price', 'quantity', 'productId', 'product_id'])

/**
 * Returns an event with revenue fields; without price and revenue it has none. Amplitude requires a price: without one,
 * the revenue counts as the price of one item.
 */
function sold(name: string, properties: JsonObject): JsonObject {
  const event = { event_type: name, event_properties: withoutMembers(properties, revenueNames) }
  const [revenue, price, quantity] = ['revenue', 'price', 'quantity'].map((key) =>
    convert.number(properties[key] ?? null),
  )
  if (revenue === undefined && price === undefined) return event
  const productId = firstOf(properties, ['productId', 'product_id'])
  return defined({
    ...event,
    ...(price === undefined ? { price: revenue, quantity: 1 } : { price, quantity: quantity ?? 1 }),
    revenue,
    productId,
    revenueType: firstOf(properties, ['revenueType', 'revenue_type']) ?? 'Purchased',
  })
}

function firstOf(properties: JsonObject, names: readonly string[]): JsonValue | undefined {
  return names.map((name) => properties[name]).find(Boolean)
}
