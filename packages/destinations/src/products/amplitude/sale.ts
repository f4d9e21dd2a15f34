import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { convert, withoutMembers } from '../../kit/index.ts'

/** A track event split for Amplitude: the event itself, and one event per product if the settings require that. */
export interface Sale {
  readonly properties: JsonObject
  /** Amplitude's revenue fields. */
  readonly revenue: JsonObject
  readonly products: readonly Pick<Sale, 'properties' | 'revenue'>[]
}

/** Name of the event for each product. */
export const productEventName = 'Product Purchased'

/**
 * Moves the revenue from the properties of a track event to Amplitude's fields. It is sent once with the event, or with
 * each product (`trackRevenuePerProduct`). Products stay in their event (`trackProductsOnce`) or become separate
 * events. An event without the property `revenue` is no sale: its products have only been seen, and stay inside.
 *
 * Source: RudderStack docs, Amplitude, revenue events.
 */
export function saleOf(properties: JsonObject, settings: JsonObject): Sale {
  if (convert.number(properties['revenue'] ?? null) === undefined) return { properties, revenue: {}, products: [] }
  const list = properties['products']
  const products: readonly JsonObject[] = Array.isArray(list) ? list.filter(isJsonObject) : []
  const staysInside = settings['trackProductsOnce'] === true || products.length === 0
  const isPerProduct = settings['trackRevenuePerProduct'] === true && products.length > 0
  const kept = staysInside ? properties : withoutMembers(properties, productsName)
  return {
    properties: isPerProduct ? kept : withoutMembers(kept, revenueNames),
    revenue: isPerProduct ? {} : revenueFields(properties),
    products: staysInside && !isPerProduct ? [] : products.map((product) => soldProduct(product, isPerProduct)),
  }
}

function soldProduct(product: JsonObject, isPerProduct: boolean): Sale['products'][number] {
  if (!isPerProduct) return { properties: product, revenue: {} }
  return { properties: withoutMembers(product, revenueNames), revenue: revenueFields(product) }
}

const revenueNames: ReadonlySet<string> = new Set(['revenue', 'price', 'quantity', 'productId', 'product_id'])
const productsName: ReadonlySet<string> = new Set(['products'])

/**
 * Returns the revenue fields; none without price and revenue. Amplitude requires a price: without one, the revenue
 * counts as the price of one item.
 */
function revenueFields(properties: JsonObject): JsonObject {
  const [revenue, price, quantity] = ['revenue', 'price', 'quantity'].map((key) =>
    convert.number(properties[key] ?? null),
  )
  if (revenue === undefined && price === undefined) return {}
  const productId = firstOf(properties, ['productId', 'product_id'])
  return {
    ...(price === undefined ? { price: revenue, quantity: 1 } : { price, quantity: quantity ?? 1 }),
    ...(revenue !== undefined && { revenue }),
    ...(productId !== undefined && { productId }),
    revenueType: firstOf(properties, ['revenueType', 'revenue_type']) ?? 'Purchased',
  }
}

function firstOf(properties: JsonObject, names: readonly string[]): JsonValue | undefined {
  return names.map((name) => properties[name]).find(Boolean)
}
