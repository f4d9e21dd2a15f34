import { convert, externalId, hashedWhen, mapping, personalData, type Rule, to } from '../../kit/index.ts'
import { contentsOf } from './contents.ts'

const { tiktok } = personalData
const ifHashing = hashedWhen('hashUserProperties')

const emailPaths = ['properties.context.user.email', 'traits.email', 'context.traits.email']
const phonePaths = ['properties.context.user.phone_number', 'traits.phone', 'context.traits.phone']

const properties: readonly Rule[] = [
  to('properties.contents').compute((event) => contentsOf(event, 'v1')),
  to('properties.content_type').from('properties.contentType'),
  to('properties.content_category').from('properties.category'),
  to('properties.content_name').from('properties.name'),
  to('properties.content_id').from('properties.product_id', 'properties.productId').as(convert.text),
  to('properties.shop_id').from('properties.shop_id', 'properties.shopId').as(convert.text),
  to('properties.order_id').from('properties.order_id', 'properties.orderId').as(convert.text),
  ...['currency', 'value', 'description', 'query', 'status'].map((name) =>
    to(`properties.${name}`).from(`properties.${name}`),
  ),
]

/** An event of the Events API 1.0, without its name. Source: TikTok docs, Events API 1.0, parameters. */
export const event1 = mapping([
  to('pixel_code').setting('pixelCode'),
  to('partner_name').value('RudderStack'), // the partner whose data TikTok continues after a migration
  to('event_id').from('properties.eventId', 'messageId').as(convert.text),
  to('timestamp').from('timestamp'),
  to('test_event_code').from('properties.testEventCode'),
  ...properties,
  to('context.ad.callback').from('properties.clickId', 'properties.context.ad.callback'),
  to('context.page.url').from('context.page.url', 'properties.context.page.url'),
  to('context.page.referrer').from('context.page.referrer', 'properties.context.page.referrer'),
  ...ifHashing(to('context.user.email').from(...emailPaths), tiktok.email),
  ...ifHashing(to('context.user.phone_number').from(...phonePaths), tiktok.phone),
  ...ifHashing(to('context.user.external_id').compute(externalId('tiktokExternalId')), tiktok.externalId),
  to('context.ip').from('context.ip', 'properties.context.ip'),
  to('context.user_agent').from('context.userAgent', 'properties.context.userAgent'),
])
