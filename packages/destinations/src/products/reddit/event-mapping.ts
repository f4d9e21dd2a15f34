import type { JsonObject, JsonValue } from '@sluice/core'
import {
  type Condition,
  convert,
  firstAt,
  generic,
  hashedWhen,
  mapping,
  personalData,
  type Rule,
  to,
  traits,
  valueAt,
} from '../../kit/index.ts'

const { reddit } = personalData
const ifHashing = hashedWhen('hashData')

const systemOf = firstAt(['context.os.name', 'context.device.type'])
const isSystem =
  (...names: readonly string[]): Condition =>
  (event) =>
    names.includes(String(systemOf(event)).toLowerCase())

const isApple = isSystem('ios', 'ipados', 'watchos', 'tvos')
const isAndroid = isSystem('android')

const only =
  (isWanted: Condition) =>
  (rule: Rule): Rule => ({
    ...rule,
    condition: (...given) => isWanted(...given) && rule.condition?.(...given) !== false,
  })

const advertisingId = 'context.device.advertisingId'

const user: readonly Rule[] = [
  ...ifHashing(to('user.email').from(generic.email), reddit.email),
  ...ifHashing(to('user.external_id').from(generic.userId), reddit.externalId),
  ...ifHashing(to('user.ip_address').from('context.ip', 'request_ip'), convert.trim),
  ...ifHashing(to('user.uuid').from('properties.uuid'), convert.trim),
  ...ifHashing(to('user.idfa').from(advertisingId), convert.trim).map(only(isApple)),
  ...ifHashing(to('user.aaid').from(advertisingId), convert.trim).map(only(isAndroid)),
  to('user.user_agent').from('context.userAgent'),
]

const optOutPaths = ['properties.optOut', 'properties.opt_out', ...traits('optOut', 'opt_out')]
const hasOptedOut = firstAt(optOutPaths, (value) => value === true || value === 'true')

/** What limits the use of an event's data. A user who has opted out counts as limited, whatever the modes say. */
const dataProcessing: readonly Rule[] = [
  to('user.data_processing_options.modes').compute((event) => modesOf(event)),
  ...(['country', 'region'] as const).map((name) =>
    to(`user.data_processing_options.${name}`)
      .from(generic[name])
      .when((event) => modesOf(event) !== undefined),
  ),
]

function modesOf(event: JsonObject): readonly JsonValue[] | undefined {
  const own = valueAt(event, ['properties', 'modes'])
  const modes = own === undefined || own === null || own === '' ? [] : [own].flat()
  const all = hasOptedOut(event) && !modes.includes('LDU') ? [...modes, 'LDU'] : modes
  return all.length > 0 ? all : undefined
}

/** The user and time of an event. Source: Reddit docs, Conversions API, user. */
export const eventMapping2 = mapping([
  to('event_at').from(generic.timestamp).required(),
  to('click_id').from('properties.clickId', 'properties.click_id'),
  ...user,
  to('user.opt_out').from(optOutPaths),
  to('user.screen_dimensions').compute(({ context }) => dimensions({ context: context ?? {} }, {}) as JsonObject),
])

const dimensions = mapping([to('width').from('context.screen.width'), to('height').from('context.screen.height')])

const actionSource = firstAt(['integrations.REDDIT.action_source'])

/** Returns where an event happened, for version 3. */
function actionSourceOf(event: JsonObject): JsonObject[string] {
  const own = actionSource(event)
  if (own !== undefined) return own
  const isApp = event['channel'] === 'mobile' || isApple(event, {}) || isAndroid(event, {})
  return isApp ? 'APP' : 'WEBSITE'
}

/** The user, time and place of an event of version 3. */
export const eventMapping3 = mapping([
  to('event_at').from(generic.timestamp).as(convert.milliseconds).required(),
  to('action_source').compute(actionSourceOf),
  to('event_source_url')
    .from('properties.url', 'context.page.url')
    .when((event) => actionSourceOf(event) === 'WEBSITE'),
  to('click_id').from('properties.clickId', 'properties.click_id'),
  ...user,
  ...ifHashing(to('user.phone_number').from(generic.phone), reddit.phone),
  ...dataProcessing,
  to('user.screen_dimensions.width').from('context.screen.width'),
  to('user.screen_dimensions.height').from('context.screen.height'),
])
