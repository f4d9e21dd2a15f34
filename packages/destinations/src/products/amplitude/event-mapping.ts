import type { JsonObject, JsonValue } from '@sluice/core'
import { convert, generic, mappedRowOf, mapping, type Rule, to, valueAt } from '../../kit/index.ts'
import { amplitudeOption, readAmplitudeOption } from './amplitude-option.ts'
import { deviceRules } from './device-rules.ts'

/**
 * Traits that Amplitude stores as fields of an event, not as user properties. Source: Amplitude's Identify API (the two
 * sets of fields that are updated together).
 */
export const eventFieldTraits: readonly string[] = [
  ...['platform', 'os_name', 'os_version', 'device_brand', 'device_manufacturer', 'device_model', 'carrier'],
  ...['country', 'region', 'city', 'dma', 'language'],
]

const readSkipSync = readAmplitudeOption('skipUserPropertiesSync')

const isIdentify = ({ type }: JsonObject): boolean => type === 'identify'
const isNoGroup = ({ type }: JsonObject): boolean => type !== 'group'

const userRules: readonly Rule[] = [
  to('user_id').from(generic.userIdOnly).as(convert.text),
  // Mobile SDKs use the id of the device as anonymousId until the app sets another.
  to('device_id').from('anonymousId', 'context.device.id').as(convert.text),
  ...['user_id', 'device_id'].map((field) =>
    to(field)
      .compute((event) => mappedRowOf(event)?.id)
      .when((event) => mappedRowOf(event)?.field === field),
  ),
]

const countryOfAddress = generic.address.map((path) => `${path}.country`)

const where: readonly Rule[] = [
  to('country').from('context.location.country', countryOfAddress),
  to('region').from('context.location.region'),
  to('city').from('context.location.city', generic.city),
  to('dma').from('context.location.dma'),
  to('location_lat').from('context.location.latitude'),
  to('location_lng').from('context.location.longitude'),
]

/** Common fields of an event, without name, properties and user properties. */
export const eventMapping = mapping([
  ...deviceRules,
  ...where,
  to('carrier').from('context.network.carrier'),
  to('language').from('context.locale'),
  ...eventFieldTraits.map((trait) => to(trait).from(`traits.${trait}`).when(isIdentify)),
  ...userRules,
  to('app_name').from('context.app.name'),
  to('app_version').from('context.app.version'),
  to('ip').from('context.ip', 'request_ip'),
  to('insert_id').from('messageId').as(convert.text).when(isNoGroup),
  to('event_id').from(amplitudeOption('event_id')),
  to('$skip_user_properties_sync').compute((event) => readSkipSync(event) === true || undefined),
  to('time').from(generic.timestamp).as(convert.milliseconds).or(0),
  to('session_id').compute(sessionId),
  to('library').value('rudderstack'), // the value that RudderStack sends, so that charts continue after a migration
])

/**
 * Returns the session id: the start time of the session as a number, or -1 outside a session. SDKs may prefix it with a
 * word and a colon.
 */
function sessionId(event: JsonObject): number {
  return sessionNumber(valueAt(event, ['context', 'sessionId'])) ?? sessionNumber(event['session_id']) ?? -1
}

function sessionNumber(value: JsonValue | undefined): number | undefined {
  if (typeof value !== 'string') return typeof value === 'number' ? value : undefined
  const digits = value.split(':').at(-1) ?? ''
  return /^\d{1,15}$/.test(digits) ? Number(digits) : undefined
}
