import type { JsonObject } from '@sluice/core'
import {
  type Condition,
  convert,
  defined,
  generic,
  isMappingError,
  type MappingError,
  mapping,
  personalData,
  to,
  valueAt,
} from '../../kit/index.ts'
import type { Content } from './content.ts'
import { conversionTypeOf, deduplicationId, pageUrlOf } from './conversion-type.ts'

const { snapchat } = personalData

const isApp: Condition = (event) => conversionTypeOf(event) === 'MOBILE_APP'
const isNoApp: Condition = (event) => !isApp(event, {})
const isApple: Condition = (event) => String(valueAt(event, ['context', 'device', 'type'])).toLowerCase() === 'ios'

/** An event of version 2, without its type and content. Source: Snap docs, Conversions API 2, parameters. */
export const common2 = mapping([
  to('description').from('properties.description'),
  to('event_tag').from('properties.event_tag'),
  to('brands')
    .from('properties.brands')
    .as((brands) => (Array.isArray(brands) ? brands : undefined)),
  to('click_id').from('properties.click_id'),
  to('customer_status').from('properties.customer_status'),
  to('level').from('properties.level'),
  to('sign_up_method').from('properties.sign_up_method', 'properties.signUpMethod'),
  to('delivery_method').from('properties.delivery_method'),
  to('advertiser_cookie_1').from('properties.advertiser_cookie_1'),
  to('uuid_c1').from('properties.uuid_c1'),
  to('device_model').from('context.device.model'),
  to('user_agent').from('context.userAgent').as(convert.lower),
  to('hashed_first_name_sha').from(generic.firstName).as(snapchat.firstName, convert.sha256),
  to('hashed_middle_name_sha').from(generic.middleName).as(snapchat.firstName, convert.sha256),
  to('hashed_last_name_sha').from(generic.lastName).as(snapchat.lastName, convert.sha256),
  to('hashed_city_sha').from(generic.city).as(snapchat.city, convert.sha256),
  to('hashed_state_sha').from(generic.state).as(snapchat.state, convert.sha256),
  to('hashed_zip').from(generic.zipcode).as(snapchat.zip, convert.sha256),
  to('country').from(generic.country),
  to('region').from(generic.region),
  to('hashed_email').from(generic.email).as(snapchat.email, convert.sha256),
  to('hashed_phone_number').from(generic.phone).as(snapchat.phone, convert.sha256),
  to('hashed_ip_address').from('context.ip', 'request_ip').as(convert.sha256),
  to('hashed_idfv').from('context.device.id').as(convert.sha256).when(isApple),
  to('hashed_mobile_ad_id').from('context.device.advertisingId').as(convert.sha256),
  to('timestamp').from(generic.timestamp).as(convert.seconds, convert.text).required(),
  to('event_conversion_type').compute(conversionTypeOf),
  to('pixel_id').setting('pixelId').when(isNoApp),
  to('snap_app_id').setting('snapAppId').when(isApp),
  to('app_id').setting('appId').when(isApp),
  to('page_url').compute(pageUrlOf),
  to('client_dedup_id').compute(deduplicationId),
])

/** Returns an event of version 2. */
export function event2(
  event: JsonObject,
  type: string,
  content: Content,
  settings: JsonObject,
): JsonObject | MappingError {
  const common = common2(event, settings)
  if (isMappingError(common)) return common
  const { category, currency, value, itemCount, ids, search, transaction } = content
  const own = defined({
    search_string: search,
    item_category: category,
    transaction_id: transaction,
    number_items: itemCount,
    currency,
    price: value,
    event_type: type,
    item_ids: ids,
  })
  return { ...own, ...common }
}
