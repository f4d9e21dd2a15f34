import type { JsonObject, JsonValue } from '@sluice/core'
import {
  type Condition,
  convert,
  generic,
  isApplePlatform,
  mapping,
  type Rule,
  to,
  traits,
  valueAt,
} from '../../kit/index.ts'

const customer: readonly Rule[] = [
  to('customer_id').from(generic.userId).as(convert.id).required(),
  to('device_id').from('context.device.id'),
]

const sendsObjects: Condition = (_, { useObjectData }) => useObjectData === true
const sendsNoObjects: Condition = (_, { useObjectData }) => useObjectData !== true

/** Traits that MoEngage knows under the same or another name. Source: RudderStack docs, MoEngage (mappings). */
const knownTraits = [
  ...['email', 'firstName', 'firstname', 'first_name', 'lastName', 'lastname', 'last_name', 'age', 'gender', 'mobile'],
  ...['source', 'last_seen', 'lastSeen', 'transactions', 'revenue', 'moe_unsubscribe', 'moeUnsubscribe'],
]

const otherTraits = to('attributes')
  .rest(generic.traits)
  .without(...knownTraits)

export const customerMapping = mapping([
  to('customer_id').from(generic.userId).as(convert.id).required(),
  to('type').value('customer'),
  otherTraits.when(sendsObjects),
  otherTraits.flat().when(sendsNoObjects),
  to('attributes.name').from(generic.name),
  to('attributes.first_name').from(generic.firstName),
  to('attributes.last_name').from(generic.lastName),
  to('attributes.email').from(generic.email),
  to('attributes.age').from(traits('age')),
  to('attributes.gender').from(generic.gender),
  to('attributes.mobile').from(traits('mobile')),
  to('attributes.source').from(traits('source')),
  to('attributes.created_time').from(generic.createdAtOnly),
  to('attributes.last_seen').from(traits('last_seen', 'lastSeen')),
  to('attributes.transactions').from(traits('transactions')),
  to('attributes.revenue').from(traits('revenue')),
  to('attributes.moe_unsubscribe').from(traits('moe_unsubscribe', 'moeUnsubscribe')),
])

export const deviceMapping = mapping([
  ...customer,
  to('type').value('device'),
  to('attributes.platform').compute(platformOf),
  to('attributes.push_id').from('context.device.token'),
  to('attributes.model').from('context.device.model'),
  to('attributes.app_version').from('context.app.version'),
  to('attributes.os_version').from('context.os.version'),
  to('attributes.push_preference').from(traits('pushPreference')),
  to('attributes.active').from(traits('active')),
])

const otherProperties = to('attributes').rest('properties')

/** The single action of an event; `customerOfEvent` maps what is around it. */
export const actionMapping = mapping([
  to('action').from('event').required(),
  otherProperties.when(sendsObjects),
  otherProperties.flat().when(sendsNoObjects),
  to('platform').compute((event) => platformOf(event) ?? event['channel']),
  to('app_version').from('context.app.version'),
  to('current_time').from('properties.timestamp', generic.timestamp),
])

export const customerOfEvent = mapping([...customer, to('type').value('event')])

export const mergeMapping = mapping([
  to('retained_user').from('userId').required(),
  to('merged_user').from('previousId').required(),
])

/** Returns the platform of the device of an event, if it is one that MoEngage knows. */
export function platformOf(event: JsonObject): JsonValue | undefined {
  const type = valueAt(event, ['context', 'device', 'type'])
  if (isApplePlatform(type)) return 'iOS'
  return typeof type === 'string' && type.toLowerCase() === 'android' ? 'Android' : undefined
}
