import type { JsonObject } from '@sluice/core'
import {
  advertisingId,
  agentPart,
  type Condition,
  isApplePlatform,
  type Rule,
  to,
  userAgent,
  valueAt,
} from '../../kit/index.ts'

const isMobile: Condition = ({ channel }) => channel === 'mobile'
const isBrowser: Condition = (event) => event['channel'] === 'web' && Boolean(valueAt(event, ['context', 'userAgent']))
const isNoBrowser: Condition = (event, settings) => !isBrowser(event, settings)
const isApple: Condition = (event, settings) =>
  isMobile(event, settings) && isApplePlatform(valueAt(event, ['context', 'device', 'type']))
const isOtherMobile: Condition = (event, settings) => isMobile(event, settings) && !isApple(event, settings)
const takesBrand: Condition = (_, { mapDeviceBrand }) => mapDeviceBrand === true
const takesMaker: Condition = (event, settings) => isMobile(event, settings) && !takesBrand(event, settings)

/** Returns the rules for a field that browsers and apps report in different ways. */
const either = (field: string, ofBrowser: (event: JsonObject) => string | undefined, pathOfApp: string) => [
  to(field).compute(ofBrowser).when(isBrowser),
  to(field).from(pathOfApp).when(isNoBrowser),
]

/**
 * Rules for device and platform. For browsers the os is the browser and the device is the operating system, as in
 * Amplitude's own SDK. Apps report their device themselves.
 */
export const deviceRules: readonly Rule[] = [
  ...either('platform', () => 'Web', 'context.device.type'),
  ...either('os_name', agentPart('browserName'), 'context.os.name'),
  ...either('os_version', agentPart('browserVersion'), 'context.os.version'),
  ...either('device_model', browserDevice, 'context.device.model'),
  to('device_manufacturer').from('context.device.manufacturer'),
  to('device_brand').from('context.device.brand').when(takesBrand),
  to('device_brand').from('context.device.manufacturer').when(takesMaker),
  to('idfa').compute(advertisingId).when(isApple),
  to('idfv').from('context.device.id').when(isApple),
  to('adid').compute(advertisingId).when(isOtherMobile),
]

/** Returns the device of a browser. Amplitude uses its own name for Macs. */
function browserDevice(event: JsonObject): string | undefined {
  const { deviceModel, osName } = userAgent(valueAt(event, ['context', 'userAgent']))
  return osName === 'Mac OS' ? 'Mac' : (deviceModel ?? osName)
}
