import { isJsonObject, type JsonObject } from '@sluice/core'
import {
  convert,
  defined,
  generic,
  isMappingError,
  type MappingError,
  mapping,
  personalData,
  productIdOf,
  productsOf,
  to,
} from '../../kit/index.ts'
import { appDataOf } from './app-data.ts'
import type { Content } from './content.ts'
import { conversionTypeOf, deduplicationId, pageUrlOf } from './conversion-type.ts'

const { snapchat } = personalData

/** An event of version 3, without its name and content. Source: Snap docs, Conversions API 3, parameters. */
export const common3 = mapping([
  to('user_data.client_ip_address').from('context.ip', 'request_ip'),
  to('user_data.client_user_agent').from('context.userAgent'),
  to('user_data.idfv').from('context.device.id'),
  to('user_data.madid').from('context.device.advertisingId', 'properties.adId'),
  to('user_data.sc_click_id').from('properties.click_id'),
  to('user_data.sc_cookie1').from('properties.uuid_c1'),
  to('user_data.fn').from(generic.firstName).as(snapchat.firstName, convert.sha256),
  to('user_data.ln').from(generic.lastName).as(snapchat.lastName, convert.sha256),
  to('user_data.ct').from(generic.city).as(snapchat.city, convert.sha256),
  to('user_data.st').from(generic.state).as(snapchat.state, convert.sha256),
  to('user_data.zp').from(generic.zipcode).as(snapchat.zip, convert.sha256),
  to('user_data.country').from(generic.country).as(snapchat.country, convert.sha256),
  to('user_data.em').from(generic.email).as(snapchat.email, convert.sha256),
  to('user_data.ph').from(generic.phone).as(snapchat.phone, convert.sha256),
  to('user_data.ge').from(generic.gender).as(snapchat.gender, convert.sha256),
  to('event_time').from(generic.timestamp).as(convert.seconds, convert.text).required(),
  to('action_source').compute(conversionTypeOf),
  to('event_source_url').compute(pageUrlOf),
  to('app_data').compute(appDataOf),
  to('event_id').compute(deduplicationId),
])

const item = mapping([
  to('id').compute(productIdOf),
  to('item_price').from('price'),
  to('quantity').from('quantity'),
  to('brand').from('brand'),
  to('delivery_category').from('delivery_category'),
])

/** Returns an event of version 3. */
export function event3(
  event: JsonObject,
  name: string,
  content: Content,
  settings: JsonObject,
): JsonObject | MappingError {
  const common = common3(event, settings)
  if (isMappingError(common)) return common
  const { category, currency, value, itemCount, ids, search, transaction } = content
  const properties = isJsonObject(event['properties']) ? event['properties'] : {}
  const { brands } = properties
  const contents = contentsOf(properties)
  const custom = defined({
    search_string: search,
    content_category: category,
    num_items: itemCount,
    currency,
    value,
    content_ids: ids,
    contents: contents.length > 0 ? contents : undefined,
    brand: Array.isArray(brands) ? brands : undefined,
  })
  const custom_data = Object.keys(custom).length > 0 ? custom : undefined
  return { ...defined({ event_id: transaction, event_name: name, custom_data }), ...common }
}

function contentsOf(properties: JsonObject): readonly JsonObject[] {
  const products = Array.isArray(properties['products']) ? productsOf(properties) : [properties]
  return products.map((product) => item(product, {}) as JsonObject).filter((each) => Object.keys(each).length > 0)
}
