import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { convert, mapping, to } from '../../kit/index.ts'
import { deviceRules } from './device-rules.ts'
import { importTime } from './import-time.ts'
import { browserRules } from './mixpanel-browser.ts'
import { distinctIdOf } from './mixpanel-request.ts'

/** Length of an id above which Mixpanel refuses it. A longer id keeps its end, which is usually the unique part. */
export const insertIdLengthMax = 36

/**
 * Maps the properties of an event: its own, traits of the user, and context fields under Mixpanel's names.
 *
 * Source: Mixpanel docs, default and reserved properties.
 */
export const eventProperties = mapping([
  to().rest('context.traits').when(isView), // properties of pages and screens win, traits of the user win otherwise
  to().rest('properties'),
  to()
    .rest('context.traits')
    .when((event, { dropTraitsInTrackEvent }) => !isView(event) && dropTraitsInTrackEvent !== true),
  to('ip').from('context.ip', 'request_ip'),
  to('campaign_id').from('context.campaign.name'), // its name is the only id that browser SDKs report
  to('$user_id').from('userId').as(convert.text),
  to('$current_url').from('context.page.url'),
  to('$referrer').from('context.page.referrer'),
  to('$os').from('context.os.name'),
  ...deviceRules.screen,
  to('$screen_dpi').from('context.screen.density'),
  to('$carrier').from('context.network.carrier'),
  to('$os_version').from('context.os.version'),
  to('$device').from('context.device.name'),
  ...deviceRules.hardware,
  to('mp_device_model').from('context.device.model'),
  to('$wifi').from('context.network.wifi'),
  to('$bluetooth_enabled').from('context.network.bluetooth'),
  to('mp_lib').from('context.library.name'),
  ...deviceRules.firstPage,
  to('$app_build_number').from('context.app.build'),
  to('$app_version_string').from('context.app.version'),
  to('$brand').from('properties.brand'),
  to('$insert_id').from('messageId').as(convert.text, insertId),
  to('$session_id').from('context.sessionId').as(convert.text),
  to('$app_name').from('context.app.name'),
  to('$app_namespace').from('context.app.namespace'),
  to('token').setting('token'),
  to('distinct_id').compute(distinctIdOf),
  to('time').compute(importTime),
  to('utm_campaign').from('context.campaign.name'),
  to('utm_source').from('context.campaign.source'),
  to('utm_medium').from('context.campaign.medium'),
  to('utm_term').from('context.campaign.term'),
  to('utm_content').from('context.campaign.content'),
  to('$device_id')
    .from('anonymousId')
    .as(convert.text)
    .when((_, { identityMergeApi }) => identityMergeApi === 'simplified'),
  to('name').from('name').when(isView),
  to('category').from('category').when(isView),
  ...browserRules,
])

/** Maps the event that merges two ids of a user, for the original identity merge API. */
export const mergeProperties = mapping([
  to('$distinct_ids').compute(({ userId, anonymousId }) => [userId, anonymousId].map((id) => convert.text(id ?? ''))),
  to('token').setting('token'),
])

export const aliasProperties = mapping([
  to('distinct_id').from('previousId', 'anonymousId').as(convert.text),
  to('alias').from('userId').as(convert.text),
  to('token').setting('token'),
])

/** Returns the properties of a track event that increment values on the profile of its user. */
export function incrementsOf({ properties }: JsonObject, names: readonly string[]): JsonObject {
  const own = isJsonObject(properties) ? properties : {}
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(own, name) && own[name] ? [[name, own[name]]] : [])))
}

function isView({ type }: JsonObject): boolean {
  return type === 'page' || type === 'screen'
}

function insertId(id: JsonValue): string {
  return convert.text(id).slice(-insertIdLengthMax)
}
