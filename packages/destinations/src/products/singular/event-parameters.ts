import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { convert, isPresent, mapping, type Rule, to, valueAt } from '../../kit/index.ts'
import { appSetId, gameRules, mobileRules, skanRules } from './mobile-rules.ts'

const sale: readonly Rule[] = [
  to('n').from('event'),
  to('amt').compute(amountOf),
  to('cur').from('properties.currency'),
  to('is_revenue_event').compute((event) => valueAt(event, ['properties', 'is_revenue_event']) ?? hasAmount(event)),
]

const event: readonly Rule[] = [
  ...mobileRules,
  ...sale,
  to('purchase_receipt').from('properties.purchase_receipt'),
  to('purchase_product_id').from('properties.product_id', 'properties.sku'),
  to('purchase_transaction_id').from('properties.purchase_transaction_id', 'properties.orderId'),
]

const saleProperties = [
  ...['price', 'quantity', 'currency', 'product_id', 'sku', 'products', 'is_revenue_event'],
  ...['purchase_receipt', 'purchase_transaction_id'],
]

/** Parameters of an event by kind of platform. Source: Singular docs, server-to-server API (events). */
export const eventParameters = {
  android: mapping([
    ...event,
    appSetId,
    to('receipt_signature').from('properties.receipt_signature'),
    to('e')
      .rest('properties')
      .without(...saleProperties, 'asid', 'receipt_signature')
      .when(hasProperties),
  ]),
  apple: mapping([
    ...event,
    ...skanRules,
    to('e')
      .rest('properties')
      .without(...saleProperties, ...['skan_conversion_value', 'skan_first_call_timestamp', 'skan_last_call_timestamp'])
      .when(hasProperties),
  ]),
  game: mapping([...gameRules, ...sale]),
}

/** Returns the parameters of an event for one of its products: its price, and its id. */
export function withProduct(
  parameters: JsonObject,
  { price, quantity, product_id, sku, orderId }: JsonObject,
): JsonObject {
  const { amt: _, ...others } = parameters
  const amount = priceTimes(price, quantity)
  const id = product_id || sku
  return {
    ...others,
    ...(amount !== undefined && { amt: amount }),
    ...(id && { purchase_product_id: id }),
    ...(orderId && { purchase_transaction_id: orderId }),
    is_revenue_event: true,
  }
}

/** Returns the amount of an event; without its own, that of the product that it describes. */
function amountOf({ properties }: JsonObject): JsonValue | undefined {
  if (!isJsonObject(properties)) return undefined
  for (const value of [properties['total'], properties['value'], properties['revenue']]) {
    if (isPresent(value)) return value
  }
  return priceTimes(properties['price'], properties['quantity'])
}

function hasAmount(given: JsonObject): true | undefined {
  return amountOf(given) ? true : undefined
}

function priceTimes(price: JsonValue | undefined, quantity: JsonValue | undefined): number | undefined {
  const each = convert.number(price ?? '')
  return each === undefined ? undefined : each * (convert.number(quantity ?? '') ?? 1)
}

function hasProperties({ properties }: JsonObject): boolean {
  return isJsonObject(properties) && Object.keys(properties).length > 0
}
