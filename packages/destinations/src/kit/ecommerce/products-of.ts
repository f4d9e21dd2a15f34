import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'

/** Returns the products of an event that are objects; an empty list if there are none. */
export function productsOf(properties: JsonObject): readonly JsonObject[] {
  const { products } = properties
  return Array.isArray(products) ? products.filter(isJsonObject) : []
}

/** Returns the id of a product: its product_id, sku or id; undefined if it has none. */
export function productIdOf(product: JsonObject): JsonValue | undefined {
  return product['product_id'] || product['sku'] || product['id'] || undefined
}
