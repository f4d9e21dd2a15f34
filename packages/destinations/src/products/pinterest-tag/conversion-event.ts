import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import {
  type Condition,
  convert,
  generic,
  hashedWhen,
  mapping,
  personalData,
  productIdOf,
  type Rule,
  to,
  valueAt,
} from '../../kit/index.ts'

const { pinterest } = personalData
const ifHashing = hashedWhen('sendingUnHashedData')

const isTrack: Condition = ({ type }) => type === 'track'
const isLegacy: Condition = (_, { apiVersion }) => apiVersion !== 'newApi'

function listed(field: string, ...paths: readonly (string | readonly string[])[]) {
  return to(`user_data.${field}`)
    .from([...paths.flat()])
    .as(convert.list)
}

const place = (name: string) => [`traits.address.${name}`, `context.traits.address.${name}`]

const user: readonly Rule[] = [
  ...ifHashing(listed('em', generic.email), pinterest.email),
  ...ifHashing(listed('ph', generic.phone), pinterest.phone),
  ...ifHashing(listed('ge', generic.gender), pinterest.gender),
  ...ifHashing(listed('db', generic.birthday), pinterest.birthday),
  ...ifHashing(listed('ln', generic.lastName), pinterest.lastName),
  ...ifHashing(listed('fn', generic.firstName), pinterest.firstName),
  ...ifHashing(listed('ct', place('city')), pinterest.city),
  ...ifHashing(listed('st', place('state'), generic.state), pinterest.state),
  ...ifHashing(listed('zp', place('zip'), 'traits.zip', 'context.traits.zip'), pinterest.zip),
  ...ifHashing(listed('country', place('country'), generic.country), pinterest.country),
  ...ifHashing(listed('hashed_maids', 'context.device.advertisingId'), convert.trim),
  ...ifHashing(listed('external_id', generic.userId), pinterest.externalId).map(
    (rule): Rule => ({
      ...rule,
      condition: (event, settings) =>
        settings['sendExternalId'] === true && rule.condition?.(event, settings) !== false,
    }),
  ),
  to('user_data.client_ip_address').from('context.ip', 'request_ip'),
  to('user_data.client_user_agent').from('context.userAgent'),
  to('user_data.click_id').from('properties.clickId').as(convert.text),
  to('user_data.partner_id').from('traits.partnerId', 'context.traits.partnerId').as(convert.text),
]

const content = mapping([
  to('quantity').from('quantity').as(convert.number).or(1),
  to('item_price').from('price').as(convert.text),
  to('item_name').from('name'),
  to('id').compute(productIdOf).as(convert.text),
  to('item_category').from('category'),
  to('item_brand').from('brand'),
])

const custom: readonly Rule[] = [
  to('custom_data.currency').from('properties.currency'),
  to('custom_data.value').from('properties.value', 'properties.total', 'properties.revenue').as(convert.text),
  to('custom_data.order_id').from('properties.order_id').as(convert.text),
  to('custom_data.search_string').from('properties.query'),
  to('custom_data.opt_out_type').from('properties.optOutType'),
  to('custom_data.content_name').from('properties.contentName'),
  to('custom_data.content_category').from('properties.contentCategory'),
  to('custom_data.content_brand').from('properties.contentBrand'),
  to('custom_data.num_items').compute(itemCount),
  to('custom_data.content_ids').compute(contentIds),
  to('custom_data.contents').compute((event) =>
    productsSeen(event).map((product) => content(product, {}) as JsonObject),
  ),
].map((rule) => rule.when(isTrack))

/** An event of Pinterest, without its name. Source: Pinterest docs, API for conversions, event parameters. */
export const conversionEvent = mapping([
  to('event_time').from(generic.timestamp).as(convert.seconds).required(),
  to('event_source_url').from(generic.pageUrl),
  to('action_source').from('properties.action_source', 'channel'),
  to('opt_out')
    .from('context.device.adTrackingEnabled')
    .as((isEnabled) => isEnabled !== true && isEnabled !== 'true'),
  to('advertiser_tracking_enabled')
    .from('context.device.adTrackingEnabled')
    .as((isEnabled) => (typeof isEnabled === 'boolean' ? isEnabled : undefined))
    .when((...given) => !isLegacy(...given)),
  to('partner_name').from('properties.partnerName'),
  to('app_name').from('context.app.name'),
  to('app_version').from('context.app.version'),
  to('device_brand').from('context.device.manufacturer'),
  to('device_carrier').from('context.network.carrier'),
  to('device_model').from('context.device.model'),
  to('device_type').from('context.device.type'),
  to('os_version').from('context.os.version'),
  to('wifi').from('context.network.wifi'),
  to('language').from('context.locale'),
  to('event_id').compute(eventId).as(convert.text),
  to('app_id').setting('appId'),
  to('advertiser_id').setting('advertiserId').when(isLegacy),
  ...user,
  ...custom,
])

function eventId(event: JsonObject, { deduplicationKey: key }: JsonObject): JsonValue | undefined {
  const own = typeof key === 'string' && key !== '' ? valueAt(event, key.split('.')) : undefined
  return own ?? event['messageId']
}

/** Returns the products of an event, or its properties as the only product. */
function productsSeen({ properties }: JsonObject): readonly JsonObject[] {
  if (!isJsonObject(properties)) return [{}]
  const { products } = properties
  return Array.isArray(products) ? products.map((each) => (isJsonObject(each) ? each : {})) : [properties]
}

function itemCount(event: JsonObject): JsonValue {
  const own = valueAt(event, ['properties', 'numOfItems'])
  if (own !== undefined && own !== null && own !== '') return own
  return productsSeen(event).reduce((count, { quantity }) => count + (convert.number(quantity ?? 0) ?? 0), 0)
}

function contentIds(event: JsonObject): readonly JsonValue[] | undefined {
  const ids = productsSeen(event).flatMap((product) => {
    const id = productIdOf(product)
    return id === undefined ? [] : [convert.text(id)]
  })
  const isListed = Array.isArray(valueAt(event, ['properties', 'products']))
  return ids.length > 0 || isListed ? ids : undefined
}
