import { isJsonObject, type JsonObject } from '@sluice/core'
import {
  configurationError,
  type DeliveryRequest,
  defineDestination,
  defined,
  googleAdsAccount,
  googleAdsCustomer,
  googleAdsHeaders,
  googleAdsSecrets,
  instrumentationError,
  isMappingError,
  json,
  nextGoogleAdsCall,
  type PackItem,
  pack,
  respondPerConversion,
} from '../../kit/index.ts'
import { adjustment, adjustmentType, userIdentifiers } from './adjustment.ts'
import { googleAdwordsEnhancedConversionsExamples } from './google-adwords-enhanced-conversions-examples.ts'
import { googleAdwordsEnhancedConversionsSettings } from './google-adwords-enhanced-conversions-settings.ts'

const batchMax = 2000 // adjustments; source: Google Ads docs, API limits

/**
 * Enhances conversions of Google Ads with hashed personal data. Requests have no address: it depends on the conversion
 * action, whose id is looked up by its name when they are sent.
 *
 * Source: RudderStack docs, Google Ads Enhanced Conversions; Google Ads docs, enhanced conversions for web; recorded
 * behaviour of RudderStack's google_adwords_enhanced_conversions destination.
 */
export const googleAdwordsEnhancedConversions = defineDestination({
  type: 'GOOGLE_ADWORDS_ENHANCED_CONVERSIONS',
  displayName: 'Google Ads Enhanced Conversions',
  supports: ['track'],
  settings: googleAdwordsEnhancedConversionsSettings,
  secrets: googleAdsSecrets,
  checkSettings: ({ subAccount, loginCustomerId }) =>
    subAccount === true && googleAdsCustomer(loginCustomerId) === ''
      ? [{ path: 'loginCustomerId', value: undefined, allowed: 'an id, because subAccount is set' }]
      : [],
  account: googleAdsAccount,
  mappings: { adjustment },
  requests(event, settings, context) {
    const { event: name } = event
    if (typeof name !== 'string' || name === '') return instrumentationError('the name of an event must be a text')
    if (!settings.listOfConversions.some(({ conversions }) => conversions?.trim() === name.trim())) {
      return configurationError(`the settings do not list the conversion ${name}`)
    }
    const mapped = adjustment(event, settings)
    if (isMappingError(mapped)) return mapped
    // Google takes a person only with an enhancement.
    const isEnhancement = adjustmentType(event) === 'ENHANCEMENT'
    const identifiers = isEnhancement ? userIdentifiers(event, settings.requireHash) : undefined
    if (isMappingError(identifiers)) return identifiers
    const headers = googleAdsHeaders(settings, context)
    if (isMappingError(headers)) return headers
    return json({
      method: 'POST',
      endpoint: '',
      headers,
      params: paramsOf(name, settings, headers),
      body: {
        conversionAdjustments: [{ ...mapped, ...(identifiers && { userIdentifiers: identifiers }) }],
        partialFailure: true,
      },
    })
  },
  limits: [`A batch has at most ${batchMax} conversions, all of the same name.`],
  batch: pack({
    key: ({ request: { headers, params } }) => JSON.stringify([headers, params]),
    itemsMax: batchMax,
    merge(items) {
      const [{ request }] = items as readonly [PackItem, ...PackItem[]]
      const { userId: _, ...shared } = request
      const conversionAdjustments = items.flatMap((item) => adjustmentsOf(item.request))
      return {
        ...shared,
        endpointPath: '/uploadConversionAdjustments',
        body: { ...request.body, JSON: { conversionAdjustments, partialFailure: true } },
      }
    },
  }),
  nextCall: nextGoogleAdsCall,
  respond: respondPerConversion('conversionAdjustments', 'conversion_adjustments'),
  examples: googleAdwordsEnhancedConversionsExamples,
})

/** Returns what is needed to find the conversion action. The token is repeated here, as in RudderStack. */
function paramsOf(event: string, settings: JsonObject, headers: Readonly<Record<string, string>>): JsonObject {
  const { Authorization: authorization, 'login-customer-id': loginCustomerId } = headers
  return defined({
    event,
    customerId: googleAdsCustomer(settings['customerId']),
    accessToken: authorization?.slice('Bearer '.length),
    loginCustomerId,
    subAccount: settings['subAccount'] === true,
  })
}

function adjustmentsOf({ body }: DeliveryRequest): readonly JsonObject[] {
  const { conversionAdjustments: own } = body.JSON
  return Array.isArray(own) ? own.filter(isJsonObject) : []
}
