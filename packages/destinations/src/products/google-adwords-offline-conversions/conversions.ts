import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import {
  type Condition,
  convert,
  defined,
  instrumentationError,
  isMappingError,
  type MappingError,
  mapping,
  productsOf,
  type Rule,
  to,
  valueAt,
} from '../../kit/index.ts'
import { contactOf } from './address-info.ts'
import { conversionTime } from './conversion-time.ts'

const shared: readonly Rule[] = [
  to('conversionDateTime').compute(conversionTime),
  to('conversionValue')
    .from('properties.conversionValue', 'properties.total', 'properties.value', 'properties.revenue')
    .as(convert.number),
  to('currencyCode').from('properties.currencyCode', 'properties.currency'),
]

const hasClickId: Condition = (event) => Boolean(valueAt(event, ['properties', 'gclid']))
const hasNoClickId: Condition = (event) => !hasClickId(event, {})

/** Google identifies users either by an id of their device or by their personal data. */
const hasNoDeviceId: Condition = (event) =>
  hasClickId(event, {}) || !(valueAt(event, ['properties', 'gbraid']) || valueAt(event, ['properties', 'wbraid']))

const isChosen = (value: JsonValue): JsonValue | undefined => (value === 'none' ? undefined : value)

/** A click that led to a conversion. Source: Google Ads docs, ClickConversion. */
export const clickConversion = mapping([
  to('gclid').from('properties.gclid'),
  to('gbraid').from('properties.gbraid').when(hasNoClickId),
  to('wbraid').from('properties.wbraid').when(hasNoClickId),
  to('externalAttributionData.externalAttributionCredit')
    .from('properties.externalAttributionCredit')
    .as(convert.number),
  to('externalAttributionData.externalAttributionModel').from('properties.externalAttributionModel'),
  to('cartData.merchantId').from('properties.merchantId').as(leadingNumber),
  to('cartData.feedCountryCode').from('properties.feedCountryCode'),
  to('cartData.feedLanguageCode').from('properties.feedLanguageCode'),
  to('cartData.localTransactionCost').from('properties.localTransactionCost').as(convert.number),
  to('cartData.items').compute(cartItems),
  to('userIdentifiers').compute(clickIdentifiers).when(hasNoDeviceId),
  to('conversionEnvironment')
    .compute(
      (event, settings) => valueAt(event, ['properties', 'conversionEnvironment']) || settings['conversionEnvironment'],
    )
    .as(isChosen),
  to('orderId').from('properties.orderId', 'properties.order_id').as(convert.text),
  ...shared,
])

/** A call that led to a conversion. Source: Google Ads docs, CallConversion. */
export const callConversion = mapping([
  to('callerId').from('properties.callerId').required(),
  to('callStartDateTime').from('properties.callStartDateTime').required(),
  ...shared,
])

/** Returns a conversion without its action, variables and consent. */
export function conversionOf(
  type: 'click' | 'call',
  event: JsonObject,
  settings: JsonObject,
): JsonObject | MappingError {
  const conversion = (type === 'click' ? clickConversion : callConversion)(event, settings)
  if (isMappingError(conversion)) return conversion
  return conversion['gbraid'] && conversion['wbraid']
    ? instrumentationError('a conversion may have a gbraid or a wbraid, not both')
    : conversion
}

function leadingNumber(value: JsonValue): number | undefined {
  const number = Number.parseInt(convert.text(value), 10)
  return Number.isNaN(number) ? undefined : number
}

const item = mapping([
  to('productId').from('product_id').as(convert.text),
  to('quantity').from('quantity').as(convert.integer),
  to('unitPrice').from('price').as(convert.number),
])

function cartItems({ properties }: JsonObject): readonly JsonObject[] | undefined {
  if (!isJsonObject(properties)) return undefined
  const products = Array.isArray(properties['products']) ? productsOf(properties) : [properties]
  const items = products.filter(({ product_id: id }) => id).map((product) => item(product, {}) as JsonObject)
  return items.length > 0 ? items : undefined
}

function clickIdentifiers(event: JsonObject, settings: JsonObject): readonly JsonObject[] | undefined {
  const contact = contactOf(event, settings)
  const source = isChosen(
    valueAt(event, ['properties', 'userIdentifierSource']) || (settings['UserIdentifierSource'] ?? 'none'),
  )
  return contact && [defined({ userIdentifierSource: source || undefined, ...contact })]
}
