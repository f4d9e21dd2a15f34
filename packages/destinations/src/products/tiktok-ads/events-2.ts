import { isJsonObject, type JsonObject } from '@sluice/core'
import {
  type Condition,
  convert,
  externalId,
  generic,
  hashedWhen,
  mapping,
  personalData,
  type Rule,
  to,
  valueAt,
} from '../../kit/index.ts'
import { contentsOf } from './contents.ts'

const { tiktok } = personalData
const ifHashing = hashedWhen('hashUserProperties')

const place = (name: string) =>
  ['traits', 'context.traits', 'traits.address', 'context.traits.address'].map((path) => `${path}.${name}`)

const user: readonly Rule[] = [
  to('user.locale').from('context.locale'),
  ...ifHashing(to('user.email').from(generic.email), tiktok.email),
  ...ifHashing(to('user.phone').from(generic.phone), tiktok.phone),
  ...ifHashing(to('user.external_id').compute(externalId('tiktokExternalId')), tiktok.externalId),
  to('user.ttclid').from('properties.ttclid', 'context.ttclid'),
  to('user.ttp').from('properties.ttp', 'context.ttp'),
  to('user.ip').from('context.ip', 'request_ip'),
  to('user.user_agent').from('context.userAgent'),
  ...ifHashing(to('user.idfa').from('context.device.advertisingId'), convert.trim).map((rule) => only(rule, 'ios')),
  to('user.idfv').from('context.device.id').when(isDevice('ios')),
  ...ifHashing(to('user.gaid').from('context.device.advertisingId'), convert.trim).map((rule) => only(rule, 'android')),
  to('user.first_name').from(generic.firstName).as(tiktok.firstName, convert.sha256),
  to('user.last_name').from(generic.lastName).as(tiktok.lastName, convert.sha256),
  to('user.city').from(place('city')),
  to('user.country').from(place('country')),
  to('user.state').from(place('state')),
  to('user.zip_code').from(generic.zipcode).as(tiktok.zip, convert.sha256),
]

/** Members of a part of the event, from properties in either spelling: `ad_id` or `adId`. */
function about(part: string, names: readonly string[]): readonly Rule[] {
  return names.map((name) => {
    const camelCase = name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    return to(`${part}.${name}`).from(`properties.${name}`, `properties.${camelCase}`)
  })
}

/** An event of the Events API 2.0, without its name. Source: TikTok docs, Events API 2.0, parameters. */
export const event2 = mapping([
  to('event_id').from('properties.eventId', 'messageId').as(convert.text),
  to('event_time').from(generic.timestamp).as(convert.seconds).required(),
  to('properties.contents').compute((event) => contentsOf(event, 'v2')),
  to('properties.contents_ids').compute(contentIds),
  to('properties.num_items').compute(contentCount),
  to('properties.content_type').from('properties.contentType'),
  to('properties.shop_id').from('properties.shop_id', 'properties.shopId').as(convert.text),
  to('properties.order_id').from('properties.order_id', 'properties.orderId').as(convert.text),
  to('properties.search_string').from('properties.query'),
  ...['currency', 'value', 'description', 'query'].map((name) => to(`properties.${name}`).from(`properties.${name}`)),
  to('page.url').from(generic.pageUrl),
  to('page.referrer').from('context.page.referrer', 'properties.referrer'),
  ...user,
  to('user.att_status').from('properties.att_status'),
  to('app.app_id').from('context.app.namespace', 'properties.appId'),
  to('app.app_name').from('context.app.name', 'properties.appName'),
  to('app.app_version').from('context.app.version', 'properties.appVersion'),
  ...about('ad', ['ad_id', 'attribution_provider', 'attribution_type', 'campaign_id', 'creative_id', 'is_retargeting']),
  to('ad.attributed').from('properties.attributed'),
  to('ad.callback').from('properties.callBack'),
  ...about('lead', ['lead_event_source', 'lead_id']),
  to('limited_data_use').from('properties.limited_data_use'),
])

function isDevice(type: string): Condition {
  return (event) => {
    const own = valueAt(event, ['context', 'device', 'type'])
    return typeof own === 'string' && own.toLowerCase() === type
  }
}

function only(rule: Rule, type: string): Rule {
  const { condition } = rule
  const isOfType = isDevice(type)
  return { ...rule, condition: (...given) => isOfType(...given) && condition?.(...given) !== false }
}

function contentIds(event: JsonObject): JsonObject[string] {
  const contents = contentsOf(event, 'v2')
  const ids = (Array.isArray(contents) ? contents : []).flatMap((each) =>
    isJsonObject(each) && each['content_id'] ? [each['content_id']] : [],
  )
  return ids.length > 0 ? ids : undefined
}

function contentCount(event: JsonObject): number | undefined {
  const contents = contentsOf(event, 'v2')
  return (Array.isArray(contents) && contents.length) || undefined
}
