import type { JsonObject } from '@sluice/core'
import { type Static, Type } from 'typebox'
import {
  convert,
  type DeliveryRequest,
  defineDestination,
  encodeSegment,
  eventFilterSettings,
  field,
  firstAt,
  generic,
  isMappingError,
  json,
  type MappingContext,
  type MappingError,
  regionHosts,
  type TypedEvent,
  valueAt,
} from '../../kit/index.ts'
import { moengageExamples } from './moengage-examples.ts'
import {
  actionMapping,
  customerMapping,
  customerOfEvent,
  deviceMapping,
  mergeMapping,
  platformOf,
} from './moengage-mappings.ts'

/** Source: MoEngage docs, data centers. */
const regions = regionHosts(
  {
    US: ['United States', 'https://api-01.moengage.com'],
    EU: ['Europe', 'https://api-02.moengage.com'],
    IND: ['India', 'https://api-03.moengage.com'],
  },
  { title: 'Region', description: 'Data center of the workspace.', allowed: 'US, EU or IND' },
)

const moengageSettings = Type.Object({
  apiId: field.requiredText({ title: 'API id', description: 'App id of the MoEngage workspace.' }),
  apiKey: field.requiredText({ title: 'API key', description: 'Key of the Data API.' }),
  region: regions.setting,
  ...eventFilterSettings,
  useObjectData: field.flag({
    title: 'Use object data type',
    description: 'Sends nested objects and lists as they are, instead of flattening them.',
  }),
})

type Settings = Static<typeof moengageSettings>

/**
 * Sends users, devices and events to MoEngage, and merges users.
 *
 * Source: RudderStack docs, MoEngage destination; MoEngage docs, Data API; recorded behaviour of RudderStack's moengage
 * destination.
 */
export const moengage = defineDestination({
  type: 'MOENGAGE',
  displayName: 'MoEngage',
  supports: ['identify', 'track', 'alias'],
  settings: moengageSettings,
  secrets: ['apiKey'],
  mappings: { customerMapping, deviceMapping, actionMapping, customerOfEvent, mergeMapping },
  requests(event, settings, context) {
    if (event.type === 'identify') return identified(event, settings)
    return event.type === 'alias' ? merged(event, settings) : happened(event, settings, context)
  },
  limits: [
    'Users without a userId are identified by their anonymousId.',
    'The offset of context.timezone is the one at the time of the event.',
    'An identify event of an Android or Apple device also registers the device.',
  ],
  examples: moengageExamples,
})

function identified(event: TypedEvent, settings: Settings): readonly DeliveryRequest[] | MappingError {
  const customer = customerMapping(event, settings)
  if (isMappingError(customer)) return customer
  const requests = [request(event, settings, 'customer', customer)]
  if (platformOf(event) !== undefined) {
    const device = deviceMapping(event, settings)
    if (isMappingError(device)) return device
    requests.push(request(event, settings, 'device', device))
  }
  return requests
}

function happened(event: TypedEvent, settings: Settings, { now }: MappingContext): DeliveryRequest | MappingError {
  const customer = customerOfEvent(event, settings)
  if (isMappingError(customer)) return customer
  const action = actionMapping(event, settings)
  if (isMappingError(action)) return action
  const at = convert.milliseconds(action['current_time'] ?? null) ?? now
  const offset = convert.timeZoneOffset(valueAt(event, ['context', 'timezone']), at)
  const actions = [{ ...action, ...(offset !== undefined && { user_timezone_offset: offset }) }]
  return request(event, settings, 'event', { ...customer, actions })
}

function merged(event: TypedEvent, settings: Settings): DeliveryRequest | MappingError {
  const merge = mergeMapping(event, settings)
  if (isMappingError(merge)) return merge
  const { 'MOE-APPKEY': _, ...headers } = headersOf(settings)
  const path = 'customer/merge'
  return json({
    method: 'POST',
    endpoint: `${regions.hostOf(settings.region)}/v1/${path}?app_id=${encodeSegment(settings.apiId)}`,
    headers,
    body: { merge_data: [merge] },
    userId: userOf(event),
    endpointPath: path,
  })
}

function request(event: TypedEvent, settings: Settings, path: string, body: JsonObject): DeliveryRequest {
  return json({
    method: 'POST',
    endpoint: `${regions.hostOf(settings.region)}/v1/${path}/${encodeSegment(settings.apiId)}`,
    headers: headersOf(settings),
    body,
    userId: userOf(event),
    endpointPath: path,
  })
}

function headersOf({ apiId, apiKey }: Settings) {
  return {
    'Content-Type': 'application/json',
    'MOE-APPKEY': apiId,
    Authorization: convert.basicAuth(apiId, apiKey),
  }
}

const userIdOf = firstAt(generic.userId)

function userOf(event: TypedEvent): string {
  return convert.text(userIdOf(event) ?? '')
}
