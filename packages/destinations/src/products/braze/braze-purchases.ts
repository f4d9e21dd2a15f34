import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { convert, instrumentationError, type MappingError, withoutMembers } from '../../kit/index.ts'

interface Sale {
  readonly properties: JsonObject
  readonly time: JsonValue | undefined
  /** Members that identify the person, and the app. */
  readonly person: JsonObject
  /** Whether each purchase has the other properties of its product. */
  readonly hasProperties: boolean
}

const facts: ReadonlySet<string> = new Set(['product_id', 'sku', 'price', 'currency', 'quantity'])

/** Returns a purchase for each product of an order. Source: Braze docs, Purchase object. */
export function brazePurchases({
  properties,
  time,
  person,
  hasProperties,
}: Sale): readonly JsonObject[] | MappingError {
  const { products } = properties
  if (!Array.isArray(products)) return invalid('products must be a list')
  const known = products.filter(isJsonObject)
  if (known.length === 0) return invalid('the list of products is empty')
  const purchases: JsonObject[] = []
  for (const product of known) {
    const { product_id, sku, price, quantity } = product
    const id = product_id || sku
    const currency = properties['currency'] || product['currency']
    const [amount, count] = [convert.number(price ?? null), convert.integer(quantity ?? 1)]
    if (!id) return invalid('a product has no product_id')
    if (amount === undefined) return invalid('a product has no price')
    if (count === undefined) return invalid('the quantity of a product is not a number')
    if (!currency) return invalid('neither the order nor a product has a currency')
    purchases.push({
      product_id: convert.text(id),
      price: amount,
      currency,
      quantity: count,
      time,
      ...(hasProperties && { properties: withoutMembers(product, facts) }),
      ...person,
    })
  }
  return purchases
}

function invalid(reason: string): MappingError {
  return instrumentationError(`the order is not complete: ${reason}`)
}
