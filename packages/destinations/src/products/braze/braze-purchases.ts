import type { JsonObject } from '@sluice/core'
import { convert, instrumentationError, isMappingError, mapping, objectsIn, to } from '../../kit/index.ts'

/** What a product is sold as. Source: Braze docs, Purchase object. */
export const purchaseMapping = mapping([
  to('product_id').from('product_id', 'sku').as(convert.text).required(),
  to('price').from('price').as(convert.number).required(),
  to('currency').from('currency').required(),
  to('quantity').from('quantity').as(convert.integer).or(1).required(),
  to('properties')
    .rest()
    .unmapped()
    .when((_, settings) => settings['sendPurchaseEventWithExtraProperties'] === true),
])

/**
 * Returns a purchase for each product of an order, in the currency of the order, otherwise of the product.
 *
 * @param shared members of every purchase: the person, the app and the time.
 */
export function brazePurchases({ products, currency }: JsonObject, shared: JsonObject, settings: JsonObject) {
  const purchases: JsonObject[] = []
  for (const product of objectsIn(products)) {
    const mapped = purchaseMapping(currency ? { ...product, currency } : product, settings)
    if (isMappingError(mapped)) return mapped
    purchases.push({ ...mapped, ...shared })
  }
  return purchases.length > 0 ? purchases : instrumentationError('an order needs a list of products')
}
