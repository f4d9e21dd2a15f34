import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import {
  convert,
  externalId,
  firstAt,
  generic,
  mapping,
  personalData,
  productsOf,
  to,
  valueAt,
} from '../../kit/index.ts'

/** A conversion without its rule. Source: LinkedIn docs, Conversions API, schema of conversionEvents. */
export const conversion = mapping([
  to('conversionHappenedAt').from(generic.timestamp).as(convert.milliseconds).required(),
  to('eventId').compute(eventId).as(convert.text),
  to('conversionValue').compute(conversionValue),
  to('user.userIds').compute(userIds).required(),
  to('user.userInfo')
    .compute((event) => userInfo(event, {}) as JsonObject)
    .when(hasFullName),
])

const userInfo = mapping([
  to('firstName').from(generic.firstName),
  to('lastName').from(generic.lastName),
  to('title').from(generic.title),
  to('companyName').from('traits.companyName', 'context.traits.companyName'),
  to('countryCode').from(generic.countryCode),
])

const firstNameOf = firstAt(generic.firstName)
const lastNameOf = firstAt(generic.lastName)

/** LinkedIn refuses names without a first or last name. */
function hasFullName(event: JsonObject): boolean {
  return Boolean(firstNameOf(event) && lastNameOf(event))
}

const emailOf = firstAt(generic.email)
const externalTypes = ['LINKEDIN_FIRST_PARTY_ADS_TRACKING_UUID', 'ACXIOM_ID', 'ORACLE_MOAT_ID'].map((idType) => ({
  idType,
  idOf: externalId(idType),
}))

function userIds(event: JsonObject, { hashData }: JsonObject): JsonValue | undefined {
  const email = emailOf(event)
  const { linkedin } = personalData
  const ids = externalTypes.flatMap(({ idType, idOf }) => {
    const idValue = idOf(event)
    return idValue ? [{ idType, idValue }] : []
  })
  if (email === undefined) return ids.length > 0 ? ids : undefined
  const idValue = hashData === true ? convert.sha256(linkedin.email(email) ?? '') : email
  return [{ idType: 'SHA256_EMAIL', idValue }, ...ids]
}

function eventId(event: JsonObject, { deduplicationKey: key }: JsonObject): JsonValue | undefined {
  const own = typeof key === 'string' && key !== '' ? valueAt(event, key.split('.')) : undefined
  return own ?? event['messageId']
}

/** Returns the sum of all prices times quantities; undefined without a price. */
function conversionValue({ properties }: JsonObject): JsonObject | undefined {
  if (!isJsonObject(properties)) return undefined
  const products = Array.isArray(properties['products']) ? productsOf(properties) : [properties]
  const prices = products.flatMap(({ price, quantity }) => {
    const known = convert.number(price ?? null)
    return known === undefined ? [] : [known * (convert.number(quantity ?? 1) ?? 1)]
  })
  if (prices.length === 0) return undefined
  const amount = convert.twoDecimals(prices.reduce((sum, each) => sum + each))
  return { currencyCode: properties['currency'] || 'USD', amount: String(amount) }
}
