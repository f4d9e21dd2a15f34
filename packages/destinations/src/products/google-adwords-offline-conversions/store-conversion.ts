import type { JsonObject, JsonValue } from '@sluice/core'
import { convert, defined, firstAt, instrumentationError, type MappingError, objectOrEmpty } from '../../kit/index.ts'
import { addressInfo, contactOf } from './address-info.ts'
import { utcTime } from './conversion-time.ts'

const amountOf = firstAt(['conversionValue', 'total', 'value', 'revenue'])

/** Returns the job that stores a sale. Source: Google Ads docs, store sales, OfflineUserDataJob. */
export function storeConversion(
  event: JsonObject,
  settings: JsonObject,
  { customerId, action, consent }: { customerId: string; action: JsonValue; consent: JsonObject },
): JsonObject | MappingError {
  const properties = objectOrEmpty(event['properties'])
  const amount = convert.number(amountOf(properties) ?? null)
  if (amount === undefined || amount <= 0) return instrumentationError('a store conversion needs an amount above 0')
  const { custom_key: key, store_code: storeCode } = properties
  const customKey = typeof key === 'string' && key !== '' ? key : undefined
  const attribute = defined({
    store_attribute: storeCode ? { store_code: storeCode } : undefined,
    transaction_amount_micros: String(Math.round(amount * 1_000_000)),
    order_id: properties['order_id'] || properties['orderId'] || undefined,
    currency_code: properties['currency'] || properties['currencyCode'] || undefined,
    transaction_date_time: utcTime(event),
    ...(customKey === undefined ? {} : { [customKey]: properties[customKey] }),
    conversion_action: action,
  })
  const validate_only = settings['validateOnly'] === true
  const { enable_match_rate_range_preview: preview } = properties
  return {
    event: customerId,
    isStoreConversion: true,
    createJobPayload: defined({
      enable_match_rate_range_preview: preview === undefined || preview === null ? undefined : preview,
      job: {
        type: 'STORE_SALES_UPLOAD_FIRST_PARTY',
        storeSalesMetadata: defined({
          loyaltyFraction: properties['loyaltyFraction'] ?? '1',
          custom_key: customKey,
          transaction_upload_fraction: properties['transactionUploadFraction'] ?? '1',
        }),
      },
    }),
    addConversionPayload: {
      operations: { create: { transaction_attribute: attribute, userIdentifiers: [userOf(event, settings)], consent } },
      enable_partial_failure: false,
      enable_warnings: false,
      validate_only,
    },
    executeJobPayload: { validate_only },
  }
}

function userOf(event: JsonObject, settings: JsonObject): JsonObject {
  const contact = contactOf(event, settings)
  if (contact) return contact
  const address = addressInfo(event, settings) as JsonObject
  return Object.keys(address).length > 0 ? { address_info: address } : {}
}
