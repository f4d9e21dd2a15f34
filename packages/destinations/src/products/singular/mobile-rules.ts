import type { JsonObject } from '@sluice/core'
import { convert, deviceIds, firstAt, generic, type Rule, to, valueAt } from '../../kit/index.ts'

/** Returns the Singular device id that an app stored in the options of the event. */
export const singularDeviceId = firstAt(['integrations.SINGULAR.singularDeviceId'])

const hasNoSingularId = (event: JsonObject): boolean => !singularDeviceId(event)

const own = deviceIds('context.os.name', {
  apple: { advertisingId: 'idfa', id: 'idfv' },
  android: { advertisingId: 'aifa', id: 'andi' },
}).map(
  (rule): Rule => ({
    ...rule,
    condition: (event, settings) => hasNoSingularId(event) && (rule.condition?.(event, settings) ?? true),
  }),
)

/** The ids of a device: the Singular device id, which replaces those of the platform. */
const deviceRules: readonly Rule[] = [to('sdid').compute(singularDeviceId), ...own]

/** The App Set ID of Android. */
export const appSetId = to('asid').from('properties.asid').when(hasNoSingularId)

/** Rules of every session and event of Android and Apple. */
export const mobileRules: readonly Rule[] = [
  to('i').from('context.app.namespace').required(),
  to('ip').from('context.ip', 'request_ip').required(),
  to('ve').from('context.os.version').required(),
  to('custom_user_id').from(generic.userIdOnly),
  to('utime').from(generic.timestamp).as(convert.seconds),
  to('data_sharing_options').compute(dataSharing),
  ...deviceRules,
  to('c').compute((event) => (valueAt(event, ['context', 'network', 'wifi']) === true ? 'wifi' : 'carrier')),
  to('a').setting('apiKey'),
  to('partner').value('rudderstack'), // the value that RudderStack sends, so that reports continue after a migration
]

/** Rules of Apple's SKAdNetwork. */
export const skanRules: readonly Rule[] = [
  to('att_authorization_status').from('context.device.attTrackingStatus'),
  to('skan_conversion_value').from('properties.skan_conversion_value'),
  to('skan_first_call_timestamp').from('properties.skan_first_call_timestamp').as(convert.seconds),
  to('skan_last_call_timestamp').from('properties.skan_last_call_timestamp').as(convert.seconds),
]

/** Rules of every session and event of a game. */
export const gameRules: readonly Rule[] = [
  to('i').from('context.app.namespace').required(),
  to('av').from('context.app.version'),
  to('ve').from('context.os.version'),
  to('os').from('properties.os'),
  to('ip').from('context.ip', 'request_ip').required(),
  to('install_source').from('properties.install_source'),
  to('install').from('properties.install'),
  to('use_ip').from('properties.use_ip'),
  to('ua').from('context.userAgent'),
  to('utime').from(generic.timestamp).as(convert.seconds),
  to('data_sharing_options').from('properties.data_sharing_options', 'integrations.SINGULAR.data_sharing_options'),
  to('sdid').from('integrations.SINGULAR.singularDeviceId', 'context.device.id'),
  to('a').setting('apiKey'),
  to('partner').value('rudderstack'),
]

function dataSharing(event: JsonObject): JsonObject | undefined {
  const isLimited = valueAt(event, ['integrations', 'SINGULAR', 'limitDataSharing'])
  return typeof isLimited === 'boolean' ? { limit_data_sharing: isLimited } : undefined
}
