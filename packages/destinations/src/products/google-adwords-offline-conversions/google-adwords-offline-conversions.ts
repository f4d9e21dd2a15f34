import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import type { Static } from 'typebox'
import {
  type Ask,
  chosenFor,
  configurationError,
  convert,
  type DeliveryRequest,
  defineDestination,
  firstAt,
  googleAdsAccount,
  googleAdsCustomer,
  googleAdsHeaders,
  googleAdsSecrets,
  googleConsent,
  instrumentationError,
  isBlank,
  isKnown,
  isMappingError,
  jointRequest,
  json,
  type MappingContext,
  type MappingError,
  nextGoogleAdsCall,
  objectOrEmpty,
  type PackItems,
  pack,
  respondPerConversion,
  type TypedEvent,
} from '../../kit/index.ts'
import { addressInfo } from './address-info.ts'
import { actionNamed, type ResourceNames, resourcesNamed } from './conversion-names.ts'
import { callConversion, clickConversion, conversionOf } from './conversions.ts'
import { googleAdwordsOfflineConversionsExamples } from './google-adwords-offline-conversions-examples.ts'
import { googleAdwordsOfflineConversionsSettings } from './google-adwords-offline-conversions-settings.ts'
import { storeConversion } from './store-conversion.ts'

type Settings = Static<typeof googleAdwordsOfflineConversionsSettings>

const api = 'https://googleads.googleapis.com/v23/customers'
const batchMax = 2000 // conversions; source: Google Ads docs, API limits

/**
 * Sends click, call and store conversions to Google Ads. Asks Google Ads for the conversion actions that the settings
 * name.
 *
 * Source: RudderStack docs, Google Ads Offline Conversions; Google Ads docs, offline conversions and store sales;
 * recorded behaviour of RudderStack's google_adwords_offline_conversions destination.
 */
export const googleAdwordsOfflineConversions = defineDestination({
  type: 'GOOGLE_ADWORDS_OFFLINE_CONVERSIONS',
  displayName: 'Google Ads Offline Conversions',
  otherNames: [],
  supports: ['track'],
  settings: googleAdwordsOfflineConversionsSettings,
  secrets: googleAdsSecrets,
  account: googleAdsAccount,
  mappings: { clickConversion, callConversion, addressInfo },
  requests(event, settings, context) {
    const { event: name } = event
    if (typeof name !== 'string' || name === '') return instrumentationError('the name of an event must be a text')
    const types = [...new Set(chosenFor(name, settings.eventsToOfflineConversionsTypeMapping))]
    const [conversionName] = chosenFor(name, settings.eventsToConversionsNamesMapping)
    if (types.length === 0 || conversionName === undefined) {
      return configurationError(`the settings have no type and name of a conversion for the event ${name}`)
    }
    const headers = googleAdsHeaders(settings, context)
    if (isMappingError(headers)) return headers
    const requests: DeliveryRequest[] = []
    for (const type of types) {
      const request = requestFor(type, conversionName, event, settings, headers, context)
      if (!isKnown(request)) return request
      requests.push(request)
    }
    return requests
  },
  limits: [
    'The conversion actions and custom variables of the settings must exist in Google Ads.',
    `A batch has at most ${batchMax} conversions of one type.`,
  ],
  batch: pack({
    key: ({ request: { endpoint, headers, params, body } }) => {
      const { properties: _, event: __, ...shared } = params
      const { conversions: ___, addConversionPayload: ____, ...job } = body.JSON
      return JSON.stringify([endpoint, headers, shared, job])
    },
    itemsMax: batchMax,
    merge,
  }),
  nextCall: nextGoogleAdsCall,
  respond: respondPerConversion('conversions', 'conversions'),
  examples: googleAdwordsOfflineConversionsExamples,
})

function requestFor(
  type: string,
  name: string,
  event: TypedEvent,
  settings: Settings,
  headers: Readonly<Record<string, string>>,
  context: MappingContext,
): DeliveryRequest | Ask | MappingError {
  if (type !== 'click' && type !== 'call' && type !== 'store') {
    return configurationError(`the type of a conversion must be click, call or store, not ${type}`)
  }
  const customerId = googleAdsCustomer(settings.customerId)
  const names = settings.eventsToConversionsNamesMapping.flatMap(({ to }) => to || [])
  const actions = resourcesNamed('action', names, customerId, headers, context)
  if (!isKnown(actions)) return actions
  const action = actionNamed(name, actions)
  if (isMappingError(action)) return action
  const consent = consentOf(event, settings)
  const params = { event: name, customerId }
  if (type === 'store') {
    const body = storeConversion(event, settings, { customerId, action, consent })
    if (isMappingError(body)) return body
    const endpointPath = 'offlineUserDataJobs'
    return json({
      method: 'POST',
      endpoint: `${api}/${customerId}/${endpointPath}`,
      endpointPath,
      headers,
      params,
      body,
    })
  }
  const conversion = conversionOf(type, event, settings)
  if (isMappingError(conversion)) return conversion
  const variables = variablesOf(event, settings, customerId, headers, context)
  if (!isKnown(variables)) return variables
  const endpointPath = type === 'click' ? 'uploadClickConversions' : 'uploadCallConversions'
  return json({
    method: 'POST',
    endpoint: `${api}/${customerId}:${endpointPath}`,
    endpointPath,
    headers,
    params: {
      ...params,
      customVariables: settings.customVariables as readonly JsonObject[],
      properties: event['properties'],
    },
    body: {
      conversions: [
        {
          ...conversion,
          conversionAction: action,
          ...(variables.length > 0 ? { customVariables: variables } : {}),
          consent,
        },
      ],
      partialFailure: true,
    },
  })
}

function variablesOf(
  event: TypedEvent,
  settings: Settings,
  customerId: string,
  headers: Readonly<Record<string, string>>,
  context: MappingContext,
): readonly JsonObject[] | Ask | MappingError {
  const pairs = settings.customVariables.filter(({ from, to }) => from && to)
  const { properties } = event
  if (pairs.length === 0 || !isJsonObject(properties)) return []
  const names = pairs.map(({ to }) => String(to))
  const known: ResourceNames | Ask | MappingError = resourcesNamed('variable', names, customerId, headers, context)
  if (!isKnown(known)) return known
  return pairs.flatMap(({ from, to }) => {
    const value = properties[String(from)]
    const resource = Object.hasOwn(known, String(to)) ? known[String(to)] : undefined
    if (resource === undefined || isBlank(value)) return []
    return [{ conversionCustomVariable: resource, value: convert.text(value) }]
  })
}

const ownConsent = firstAt(['integrations.GOOGLE_ADWORDS_OFFLINE_CONVERSIONS.consents'])

function consentOf(event: JsonObject, { userDataConsent, personalizationConsent }: Settings): JsonObject {
  const own = ownConsent(event)
  const { adUserData, adPersonalization } = objectOrEmpty(own)
  return {
    adPersonalization: googleConsent(adPersonalization ?? personalizationConsent),
    adUserData: googleConsent(adUserData ?? userDataConsent),
  }
}

function merge(items: PackItems): DeliveryRequest {
  const [{ request }] = items
  const own = request.body.JSON
  const payload = own['addConversionPayload']
  const merged = isJsonObject(payload)
    ? { ...own, addConversionPayload: { ...payload, operations: items.flatMap((item) => operationOf(item.request)) } }
    : { ...own, conversions: items.flatMap((item) => listIn(item.request.body.JSON['conversions'])) }
  return jointRequest(request, merged)
}

function operationOf({ body }: DeliveryRequest): JsonValue[] {
  const payload = body.JSON['addConversionPayload']
  const operations = isJsonObject(payload) ? payload['operations'] : undefined
  return operations === undefined ? [] : [operations]
}

function listIn(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : []
}
