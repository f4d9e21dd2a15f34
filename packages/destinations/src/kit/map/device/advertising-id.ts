import type { JsonObject, JsonValue } from '@sluice/core'
import { valueAt } from '../../rules/key-path.ts'
import * as field from '../../settings/declare/field.ts'

/** The setting with which the operator takes advertising ids of users who limit tracking. For products that attribute installs. */
export const limitedAdvertisingIds = {
  sendLimitedAdvertisingIds: field.flag({
    title: 'Send limited advertising ids',
    description:
      'Sends advertising ids also when the device says that its user limits tracking (adTrackingEnabled is false), as RudderStack does.',
    isUnlisted: true,
  }),
}

/** Returns the advertising id of a device; undefined when its user limits tracking, unless the settings say otherwise. */
export function advertisingId(event: JsonObject, settings: JsonObject): JsonValue | undefined {
  const isEnabled = valueAt(event, ['context', 'device', 'adTrackingEnabled'])
  const isAllowed = settings['sendLimitedAdvertisingIds'] === true || (isEnabled !== false && isEnabled !== 'false')
  return isAllowed ? valueAt(event, ['context', 'device', 'advertisingId']) || undefined : undefined
}
