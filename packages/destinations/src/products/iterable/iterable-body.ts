import type { JsonObject, JsonValue } from '@sluice/core'
import { convert, generic, mapping, personEmail, to, valueAt } from '../../kit/index.ts'

const email = to('email').compute(personEmail)
const userId = to('userId').from(generic.userId).as(convert.text)
const preferUserId = to('preferUserId').setting('preferUserId')
const time = to('createdAt').from(generic.timestamp).as(convert.milliseconds)
const campaign = [
  to('campaignId').from('properties.campaignId').as(convert.integer),
  to('templateId').from('properties.templateId').as(convert.integer),
]

/** Bodies of Iterable's API, by what they are about. Source: Iterable docs, API overview. */
export const bodyOf = {
  user: mapping([
    email,
    to('dataFields').rest(generic.traits),
    userId,
    preferUserId,
    to('mergeNestedObjects').setting('mergeNestedObjects'),
  ]),
  event: mapping([
    // An email in the properties names the person whom the event is about.
    to('email').compute((event) => valueAt(event, ['properties', 'email']) || personEmail(event)),
    to('dataFields').from('properties'),
    userId,
    to('eventName').from('event'),
    to('id').from('properties.event_id').as(convert.text),
    time,
    ...campaign,
  ]),
  view: mapping([email, to('dataFields').from('properties'), userId, time, ...campaign]),
  purchase: mapping([
    to('dataFields').from('properties'),
    to('id')
      .from('properties.order_id', 'properties.orderId', 'properties.checkout_id', 'properties.event_id')
      .as(convert.text),
    time,
    ...campaign,
    to('total').from('properties.total').as(convert.number).required(),
  ]),
  item: mapping([
    to('id').from('product_id', 'productId').required(),
    to('sku').from('sku'),
    to('name').from('name'),
    to('categories').from('category').as(convert.list),
    to('price').from('price').as(convert.number),
    to('quantity').from('quantity').as(convert.integer),
    to('imageUrl').from('image_url', 'imageUrl'),
    to('url').from('url'),
  ]),
  alias: mapping([to('currentEmail').from('previousId').required(), to('newEmail').from('userId').required()]),
  device: mapping([
    email,
    userId,
    preferUserId,
    to('device.token').from('context.device.token').as(convert.text),
    to('device.applicationName').from('context.device.name'),
    to('device.platform').compute(platformOf),
  ]),
  browser: mapping([email, userId, to('browserToken').from('context.os.token').as(convert.text)]),
}

const apple: ReadonlySet<string> = new Set(['ios', 'ipados', 'tvos', 'watchos'])

function platformOf({ context }: JsonObject): JsonValue {
  return apple.has(convert.lower(valueAt(context, ['device', 'type']) ?? '')) ? 'APNS' : 'GCM'
}
