import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { type Condition, convert, mapping, type Rule, to, valueAt } from '../../kit/index.ts'
import { browserRules, contextRules, firstPageRules, hardwareRules, screenRules } from './context-rules.ts'
import { distinctIdOf, importTime } from './mixpanel-request.ts'

/** Length of an id above which Mixpanel refuses it. A longer id keeps its end, which is usually the unique part. */
export const insertIdLengthMax = 36
const insertId = (id: JsonValue): string => convert.text(id).slice(-insertIdLengthMax)

/** Properties that Mixpanel knows under names of its own. */
const ownNames: readonly Rule[] = Object.entries({
  $bluetooth_version: 'bluetoothVersion',
  $google_play_services: 'googlePlayServices',
  $has_nfc: 'hasNfc',
  $has_telephone: 'hasTelephone',
  $lib_version: 'libVersion',
  $radio: 'radio',
  $search_engine: 'searchEngine',
  mp_keyword: 'mpKeyword',
  mp_processing_time_ms: 'mpProcessingTimeMs',
}).map(([name, property]) => to(name).from(`properties.${property}`))

const isView: Condition = ({ type }) => type === 'page' || type === 'screen'
const isSimplified: Condition = (_, { identityMergeApi }) => identityMergeApi === 'simplified'
const takesTraits: Condition = (event, settings) =>
  !isView(event, settings) && settings['dropTraitsInTrackEvent'] !== true

/**
 * Maps the properties of an event: its own, traits of the user, and context fields under Mixpanel's names.
 *
 * Source: Mixpanel docs, default and reserved properties.
 */
export const eventProperties = mapping([
  to().rest('context.traits').when(isView), // properties of pages and screens win, traits of the user win otherwise
  to().rest('properties'),
  to().rest('context.traits').when(takesTraits),
  to('ip').from('context.ip', 'request_ip'),
  to('campaign_id').from('context.campaign.name'), // its name is the only id that browser SDKs report
  to('$user_id').from('userId').as(convert.text),
  ...contextRules({ $current_url: 'page.url', $referrer: 'page.referrer', $os: 'os.name' }),
  ...screenRules,
  ...contextRules({ $screen_dpi: 'screen.density', $carrier: 'network.carrier' }),
  ...contextRules({ $os_version: 'os.version', $device: 'device.name' }),
  ...hardwareRules,
  ...contextRules({ mp_device_model: 'device.model', $wifi: 'network.wifi', $bluetooth_enabled: 'network.bluetooth' }),
  ...contextRules({ mp_lib: 'library.name' }),
  ...firstPageRules,
  to('$app_build_number').from('context.app.build', 'properties.appBuildNumber'),
  to('$app_version_string').from('context.app.version', 'properties.appVersionString'),
  ...ownNames,
  to('$brand').from('properties.brand'),
  to('$insert_id').from('messageId').as(convert.text, insertId),
  to('$session_id').from('context.sessionId').as(convert.text),
  ...contextRules({ $app_name: 'app.name', $app_namespace: 'app.namespace' }),
  to('token').setting('token'),
  to('distinct_id').compute(distinctIdOf),
  to('time').compute(importTime),
  ...contextRules({ utm_campaign: 'campaign.name', utm_source: 'campaign.source', utm_medium: 'campaign.medium' }),
  ...contextRules({ utm_term: 'campaign.term', utm_content: 'campaign.content' }),
  to('$device_id').from('anonymousId').as(convert.text).when(isSimplified),
  to('name').from('name').when(isView),
  to('category').from('category').when(isView),
  ...browserRules,
])

const campaignNames: ReadonlySet<string> = new Set(['name', 'source', 'medium', 'term', 'content'])

/** Returns members of the campaign without a rule, as `utm_id`. */
export function otherCampaign({ context }: JsonObject): JsonObject {
  const campaign = valueAt(context, ['campaign'])
  if (!isJsonObject(campaign)) return {}
  const others = Object.entries(campaign).filter(([name]) => !campaignNames.has(name))
  return Object.fromEntries(others.map(([name, value]) => [`utm_${name}`, value]))
}

/** Maps the event that merges two ids of a user, for the original identity merge API. */
export const mergeProperties = mapping([
  to('$distinct_ids').compute(({ userId, anonymousId }) => [userId, anonymousId].map((id) => convert.text(id ?? ''))),
  to('token').setting('token'),
])

/** Maps the event that makes an id another name of a user. */
export const aliasProperties = mapping([
  to('distinct_id').from('previousId', 'anonymousId').as(convert.text).required(),
  to('alias').from('userId').as(convert.text).required(),
  to('token').setting('token'),
])
