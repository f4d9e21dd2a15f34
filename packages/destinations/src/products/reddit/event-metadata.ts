import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { convert, defined, mapping, productsOf, type Rule, to } from '../../kit/index.ts'

const product: readonly Rule[] = [
  to('id').from('product_id').as(convert.text),
  to('name').from('name'),
  to('category').from('category'),
]
const product2 = mapping(product)
const product3 = mapping([...product, to('item_price').from('price'), to('quantity').from('quantity')])

/** Events of version 2 whose metadata have no number of items. */
const uncounted: ReadonlySet<string> = new Set(['PageVisit', 'ViewContent', 'Search', 'Lead', 'SignUp'])

/** Returns the metadata of an event of version 2. Source: Reddit docs, Conversions API 2, event_metadata. */
export function eventMetadata2(event: JsonObject, type: string): JsonObject {
  const properties = propertiesOf(event)
  const products = productsIn(properties)
  const value = type === 'Purchase' || type === 'AddToCart' ? amountOf(properties, type) : undefined
  const quantity = convert.integer(properties['quantity'] ?? 0) ?? 0
  return defined(
    defined({
      item_count: uncounted.has(type) ? undefined : type === 'Purchase' ? products.length : quantity,
      products: products.map((each) => product2(each, {}) as JsonObject),
      currency: type === 'Purchase' || type === 'AddToCart' ? currencyOf(properties) : undefined,
      value_decimal: value,
      value: value === undefined ? undefined : Math.round(value * 100),
      conversion_id: conversionIdOf(event),
    }),
  )
}

/** Returns the metadata of an event of version 3. Source: Reddit docs, Conversions API 3, metadata. */
export function eventMetadata3(event: JsonObject, type: string): JsonObject {
  const properties = propertiesOf(event)
  const products = productsIn(properties)
  const hasValue = type === 'Purchase' || type === 'AddToCart' || type === 'ViewContent'
  return defined({
    item_count: products.length,
    products: products.map((each) => product3(each, {}) as JsonObject),
    ...(hasValue ? { currency: currencyOf(properties), value: amountOf(properties, type) } : {}),
    conversion_id: conversionIdOf(event),
  })
}

/** Returns the amount of a purchase, or the price of a product times its quantity; undefined if it is 0. */
function amountOf({ revenue, price, quantity }: JsonObject, type: string): number | undefined {
  if (type === 'Purchase') return convert.twoDecimals(revenue ?? null) || undefined
  return convert.twoDecimals((convert.number(price ?? null) ?? 0) * (convert.number(quantity ?? 1) ?? 1)) || undefined
}

function currencyOf({ currency }: JsonObject): JsonValue | undefined {
  return currency || undefined
}

function conversionIdOf(event: JsonObject): JsonValue | undefined {
  return propertiesOf(event)['conversion_id'] || event['messageId'] || undefined
}

function propertiesOf({ properties }: JsonObject): JsonObject {
  return isJsonObject(properties) ? properties : {}
}

/** Returns the products of an event, or its properties as the only product. */
function productsIn(properties: JsonObject): readonly JsonObject[] {
  return Array.isArray(properties['products']) ? productsOf(properties) : [properties]
}
