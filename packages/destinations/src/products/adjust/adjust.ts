import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { Type } from 'typebox'
import {
  chosenFor,
  configurationError,
  convert,
  defineDestination,
  deviceIds,
  eventFilterSettings,
  field,
  flatten,
  instrumentationError,
  isApplePlatform,
  isMappingError,
  limitedAdvertisingIds,
  type MappingError,
  mapping,
  objectOrEmpty,
  query,
  to,
  valueAt,
} from '../../kit/index.ts'
import { adjustExamples } from './adjust-examples.ts'

const currencyDefault = 'USD' // source: Adjust docs, server-to-server events

/** Parameters that come from the event and the settings unchanged. */
const parameters = mapping([
  to('revenue').from('properties.revenue').as(convert.money, convert.rounded(2)),
  to('ip_address').from('context.ip', 'request_ip'),
  ...deviceIds('context.device.type', {
    apple: { advertisingId: 'idfa', id: 'idfv' },
    android: { advertisingId: 'gps_adid', id: 'android_id' },
  }),
  to('att_status').from('context.device.attTrackingStatus'),
  to('tracking_enabled').from('context.device.adTrackingEnabled'),
  to('currency').from('properties.currency').or(currencyDefault).when(hasRevenue),
  to('callback_params').compute(callbackParameters),
  to('s2s').value(1),
  to('app_token').setting('appToken'),
])

/**
 * Sends events of apps to Adjust.
 *
 * Source: RudderStack docs, Adjust destination; Adjust docs, server-to-server events; recorded behaviour of
 * RudderStack's adj destination.
 */
export const adjust = defineDestination({
  type: 'ADJ',
  displayName: 'Adjust',
  supports: ['track'],
  settings: Type.Object({
    appToken: field.requiredText({ title: 'App token', description: 'Token of the app in Adjust.' }),
    customMappings: field.pairs({
      title: 'Event tokens',
      description: 'Tokens of events in Adjust. Events that are not listed fail.',
      from: 'Name of the event.',
      to: 'Token of the event in Adjust.',
    }),
    delay: Type.Optional(
      Type.Union([Type.String(), Type.Number()], {
        title: 'Delay of the first session',
        description: 'For SDKs: seconds to wait before the first session is sent.',
      }),
    ),
    environment: field.flag({
      title: 'Production',
      description: 'Sends to the production environment instead of the sandbox.',
    }),
    ...limitedAdvertisingIds,
    ...eventFilterSettings,
    partnerParamsKeys: field.pairs({
      title: 'Partner parameters',
      description: 'Properties that Adjust passes on to partners.',
      from: 'Name of the property.',
      to: 'Name of the parameter.',
    }),
  }),
  secrets: [],
  mappings: { parameters },
  requests(event, settings) {
    const problem = deviceProblem(event) ?? revenueProblem(event)
    if (problem) return problem
    const { event: name } = event
    const [token] = typeof name === 'string' ? chosenFor(name, settings.customMappings) : []
    if (!token) return configurationError('customMappings has no token for this event')
    const params = parameters(event, settings)
    if (isMappingError(params)) return params
    const partner = partnerParameters(event, settings.partnerParamsKeys)
    return query({
      method: 'POST',
      endpoint: 'https://s2s.adjust.com/event',
      headers: { Accept: '*/*' },
      params: {
        ...params,
        ...(partner && { partner_params: partner }),
        event_token: token,
        environment: settings.environment ? 'production' : 'sandbox',
      },
      userId: convert.text(event['anonymousId'] ?? ''),
    })
  },
  limits: [
    'Events need context.device.id and context.device.type: android, or a mobile platform of Apple.',
    'Adjust creates no installs from events of servers.',
  ],
  examples: adjustExamples,
})

function deviceProblem(event: JsonObject): MappingError | undefined {
  const device = valueAt(event, ['context', 'device'])
  const { type, id } = objectOrEmpty(device)
  if (!type || !id) return instrumentationError('context.device needs a type and an id')
  return isApplePlatform(type) || (typeof type === 'string' && type.toLowerCase() === 'android')
    ? undefined
    : instrumentationError('context.device.type must be android, or a mobile platform of Apple')
}

function revenueProblem(event: JsonObject): MappingError | undefined {
  const revenue = valueAt(event, ['properties', 'revenue']) ?? ''
  return revenue === '' || convert.money(revenue) !== undefined
    ? undefined
    : instrumentationError('properties.revenue must be a number')
}

function hasRevenue(event: JsonObject): boolean {
  return Boolean(convert.money(valueAt(event, ['properties', 'revenue']) ?? ''))
}

/** Returns the properties besides revenue and currency as JSON, flattened, with all values as texts. */
function callbackParameters({ properties }: JsonObject): string | undefined {
  if (!isJsonObject(properties)) return undefined
  const { revenue: _, currency: __, ...others } = properties
  const flat = flatten(others)
  const texts = Object.entries(flat).map(([key, value]) => [key, asText(value as JsonValue)])
  return texts.length === 0 ? undefined : JSON.stringify(Object.fromEntries(texts))
}

function asText(value: JsonValue): string {
  return Array.isArray(value) ? '' : convert.text(value) // a list that is left after flattening is empty
}

function partnerParameters(
  { properties }: JsonObject,
  keys: readonly { readonly from?: string; readonly to?: string }[],
): JsonObject | undefined {
  if (!isJsonObject(properties)) return undefined
  const found = keys.flatMap(({ from, to: name }) => {
    const value = from && Object.hasOwn(properties, from) ? properties[from] : undefined
    return name && value ? [[name, convert.text(value)]] : []
  })
  return found.length === 0 ? undefined : Object.fromEntries(found)
}
