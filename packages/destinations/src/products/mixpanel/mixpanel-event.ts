import type { JsonValue } from '@sluice/core'
import { type Condition, convert, mapping, to } from '../../kit/index.ts'
import { browserRules, contextRules, firstPageRules, hardwareRules, screenRules } from './context-rules.ts'
import { distinctIdOf, importTime } from './mixpanel-request.ts'

/** Length of an id above which Mixpanel refuses it. A longer id keeps its end, which is usually the unique part. */
export const insertIdLengthMax = 36
const insertId = (id: JsonValue): string => convert.text(id).slice(-insertIdLengthMax)

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
  ...contextRules({ $app_build_number: 'app.build', $app_version_string: 'app.version' }),
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
