import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { number } from '../../kit/convert/number.ts'
import { withoutMembers } from '../../kit/map/without-members.ts'

/** What a track event becomes: its own event with Amplitude, and one for each product where the settings want that. */
export interface Sale {
  readonly properties: JsonObject
  /** Fields by which Amplitude counts revenue. */
  readonly revenue: JsonObject
  readonly products: readonly Pick<Sale, 'properties' | 'revenue'>[]
}

/** The event that is told for each product. */
export const productEventName = 'Product Purchased'

/**
 * Takes the revenue out of the properties of a track event. It is told once, with the event, or with each product
 * (`trackRevenuePerProduct`); products stay in the event they came with (`trackProductsOnce`) or become events.
 */
export function saleOf(name: string, properties: JsonObject, settings: JsonObject): Sale {
  const list = properties['products']
  const products: readonly JsonObject[] = Array.isArray(list) ? list.filter(isJsonObject) : []
  const staysInside = settings['trackProductsOnce'] === true || products.length === 0
  const isPerProduct = settings['trackRevenuePerProduct'] === true && products.length > 0
  const kept = staysInside ? properties : withoutMembers(properties, productsName)
  const hasRevenue = !isPerProduct && number(properties['revenue'] ?? null) !== undefined
  return {
    properties: hasRevenue ? withoutMembers(kept, revenueNames) : kept,
    revenue: hasRevenue ? revenueFields(name, properties) : {},
    products: staysInside && !isPerProduct ? [] : products.map((product) => soldProduct(product, isPerProduct)),
  }
}

function soldProduct(product: JsonObject, isPerProduct: boolean): Sale['products'][number] {
  if (!isPerProduct) return { properties: product, revenue: {} }
  return { properties: withoutMembers(product, revenueNames), revenue: revenueFields(productEventName, product) }
}

const revenueNames: ReadonlySet<string> = new Set(['revenue', 'price', 'quantity', 'productId', 'product_id'])
const productsName: ReadonlySet<string> = new Set(['products'])

const purchases: ReadonlySet<string> = new Set(['order completed', 'completed order', 'product purchased'])

/** Amplitude wants a price: without one, the revenue is the price of a single thing. */
function revenueFields(name: string, properties: JsonObject): JsonObject {
  const [revenue, price, quantity] = ['revenue', 'price', 'quantity'].map((key) => number(properties[key] ?? null))
  const productId = firstOf(properties, ['productId', 'product_id'])
  const isPurchase = purchases.has(name.trim().toLowerCase())
  const revenueType = firstOf(properties, ['revenueType', 'revenue_type']) ?? (isPurchase ? 'Purchased' : undefined)
  return {
    ...(price === undefined ? { price: revenue, quantity: 1 } : { price, quantity: quantity ?? 1 }),
    ...(revenue !== undefined && { revenue }),
    ...(productId !== undefined && { productId }),
    ...(revenueType !== undefined && { revenueType }),
  }
}

function firstOf(properties: JsonObject, names: readonly string[]): JsonValue | undefined {
  return names.map((name) => properties[name]).find(Boolean)
}
