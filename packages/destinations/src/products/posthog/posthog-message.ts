import { type JsonObject, parseUrl } from '@sluice/core'
import { agentPart, convert, generic, mapping, type Rule, to, valueAt } from '../../kit/index.ts'

/** Context fields under PostHog's property names. Source: PostHog docs, default properties. */
const surroundings: readonly Rule[] = [
  to('$os').from('context.os.name').when(knowsOs),
  to('$os')
    .compute(agentPart('osName'))
    .when((event) => !knowsOs(event) && isWeb(event)),
  to('$os_version').from('context.os.version'),
  to('$browser').compute(agentPart('browserName')).when(isWeb),
  to('$browser_version').compute(agentPart('browserVersion')).when(isWeb),
  to('$useragent').from('context.userAgent'),
  to('$current_url').from('context.page.url'),
  to('$host').compute(hostOfPage),
  to('$pathname').from('context.page.path'),
  to('$performance_page_loaded').from('context.page.loaded'),
  to('$screen_height').from('context.screen.height'),
  to('$screen_width').from('context.screen.width'),
  to('$screen_density').from('context.screen.density'),
  to('$viewport_height').from('properties.viewport_height'),
  to('$viewport_width').from('properties.viewport_width'),
  to('$lib').from('context.library.name'),
  to('$lib_version').from('context.library.version'),
  to('$app_name').from('context.app.name'),
  to('$app_namespace').from('context.app.namespace'),
  to('$app_version').from('context.app.version'),
  to('$app_build').from('context.app.build'),
  to('$device_id').from('context.device.id'),
  to('$device_name').from('context.device.name'),
  to('$device_model').from('context.device.model'),
  to('$device_manufacturer').from('context.device.manufacturer'),
  to('$network_carrier').from('context.network.carrier'),
  to('$ip').from('context.ip', 'request_ip'),
  to('$locale').from('context.locale'),
  to('$timezone').from('context.timezone'),
  to('$time').from(generic.timestamp),
  to('$timestamp').from(generic.timestamp),
  to('$anon_distinct_id').from('anonymousId').as(convert.text),
  to('distinct_id').from(generic.userId).as(convert.text),
  to('utm_source').from('context.campaign.source'),
  to('utm_medium').from('context.campaign.medium'),
  to('utm_campaign').from('context.campaign.name'),
  to('utm_content').from('context.campaign.content'),
  to('utm_term').from('context.campaign.term'),
]

/** Sets user properties with every event except identify, which sets them itself. */
const knownUser = to('$set').from('context.traits')

/** Properties by kind of event; those of the event itself win. */
export const propertiesOf = {
  identify: mapping(surroundings),
  capture: mapping([
    knownUser,
    ...surroundings,
    to('$screen_name')
      .from('event', 'name')
      .when(({ type }) => type === 'screen'),
    to().rest('properties'),
  ]),
  alias: mapping([knownUser, ...surroundings, to('alias').from('previousId').required()]),
  group: mapping([knownUser, ...surroundings]),
  groupV2: mapping([
    knownUser,
    ...surroundings,
    to('$group_type').from('traits.groupType').required(),
    to('$group_key').from(generic.groupId).required(),
    to('$group_set').rest('traits').without('groupType'),
    to('$groups').compute(groupOfEvent),
  ]),
}

const time = to('timestamp').from(generic.timestamp)
const message: readonly Rule[] = [to('messageId').from('messageId'), time]
const about = to('distinct_id').from(generic.userId).as(convert.text)

/** Message around the properties, by kind of event. */
export const messageOf = {
  identify: mapping([...message, about, to('$set').from(generic.traits)]),
  track: mapping([...message, about, to('event').from('event').required()]),
  page: mapping([...message, about, to('name').from('name'), to('category').from('category')]),
  alias: mapping([time]),
  group: mapping([...message, about, to('groupId').from(generic.groupId).required(), to('traits').from('traits')]),
  groupV2: mapping([...message, about]),
}

function knowsOs(event: JsonObject): boolean {
  return Boolean(valueAt(event, ['context', 'os', 'name']))
}

/** Returns whether the user agent is that of a browser: apps report the one of their web view. */
function isWeb(event: JsonObject): boolean {
  return event['channel'] === 'web'
}

function hostOfPage(event: JsonObject): string | undefined {
  const url = valueAt(event, ['context', 'page', 'url'])
  return typeof url === 'string' ? parseUrl(url)?.host : undefined
}

function groupOfEvent(event: JsonObject): JsonObject | undefined {
  const type = valueAt(event, ['traits', 'groupType'])
  const key = valueAt(event, ['groupId']) ?? valueAt(event, ['traits', 'groupId'])
  return typeof type === 'string' && key !== undefined ? { [type]: key } : undefined
}
