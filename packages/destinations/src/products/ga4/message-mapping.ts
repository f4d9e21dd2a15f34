import type { JsonObject, JsonValue } from '@sluice/core'
import { type Condition, convert, externalId, firstAt, generic, mapping, to, valueAt } from '../../kit/index.ts'
import { ga4Option } from './ga4-option.ts'

const isWeb: Condition = (_, settings) => settings['typesOfClient'] !== 'firebase'
const isApp: Condition = (event, settings) => !isWeb(event, settings)

const consent = convert.oneOf({ GRANTED: 'GRANTED', DENIED: 'DENIED' })

/** Maps the message around an event: user, time and consent. */
export const messageMapping = mapping([
  to('client_id').compute(webClient).as(convert.text).when(isWeb),
  to('app_instance_id').compute(externalId('ga4AppInstanceId')).as(convert.text).when(isApp),
  to('user_id').from('userId').as(convert.text),
  to('timestamp_micros').compute(timeOfOrigin).as(convert.milliseconds, microseconds),
  to('non_personalized_ads').compute(isTrackingLimited),
  to('consent.ad_user_data').from(ga4Option('consents.ad_user_data')).as(consent),
  to('consent.ad_personalization').from(ga4Option('consents.ad_personalization')).as(consent),
])

/** Maps session fields. The values of the browser SDK come first, so that id and number are of the same session. */
export const sessionMapping = mapping([
  to('session_id').from(
    ga4Option('sessionId'),
    ['properties.sessionId', 'properties.session_id'],
    ['traits.sessionId', 'context.sessionId'],
  ),
  to('session_number').from(ga4Option('sessionNumber'), 'properties.sessionNumber', 'traits.sessionNumber'),
  // Google's real-time reports do not show events without engagement time.
  to('engagement_time_msec')
    .from('properties.engagementTimeMsec', 'properties.engagement_time_msec', 'traits.engagementTimeMsec')
    .or(1),
])

const clientIdOption = firstAt(ga4Option('clientId'))
const clientIdOfSdk = externalId('ga4ClientId')

const rowTime = firstAt(generic.timestamp)
const deviceTime = firstAt([...generic.timestamp].reverse())

/** Returns when the device says that the event happened: Google orders the events of a session by these times. */
function timeOfOrigin(event: JsonObject): JsonValue | undefined {
  return event['channel'] === 'sources' ? rowTime(event) : deviceTime(event)
}

function webClient(event: JsonObject): JsonValue | undefined {
  return [clientIdOption(event), clientIdOfSdk(event), event['anonymousId']].find(Boolean)
}

/** Returns whether the user has limited tracking; undefined when the device does not report it. */
function isTrackingLimited(event: JsonObject): boolean | undefined {
  const allowed = valueAt(event, ['context', 'device', 'adTrackingEnabled'])
  return allowed === undefined || allowed === null || allowed === ''
    ? undefined
    : allowed !== true && allowed !== 'true'
}

function microseconds(value: JsonValue): number | undefined {
  return typeof value === 'number' ? value * 1000 : undefined
}
