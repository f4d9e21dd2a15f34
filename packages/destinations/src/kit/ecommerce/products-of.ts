import type { JsonObject, JsonValue } from '@sluice/core'
import { objectsIn } from '../map/members/objects-in.ts'

/**
 * Returns the products of an event that are objects; an empty list if there are none.
 * @example
 * ```ts
 * import { productsOf } from '@sluice/destinations/kit'
 *
 * console.log(productsOf({ products: [{ sku: 'A' }, 'none'] })) // [ { sku: 'A' } ]
 * ```
 */
export function productsOf(properties: JsonObject): readonly JsonObject[] {
  return objectsIn(properties['products'])
}

/** Returns the id of a product: its product_id, sku or id; undefined if it has none. */
export function productIdOf(product: JsonObject): JsonValue | undefined {
  return product['product_id'] || product['sku'] || product['id'] || undefined
}
