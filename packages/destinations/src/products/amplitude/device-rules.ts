import type { JsonObject } from '@sluice/core'
import { agentPart, isApplePlatform, type Rule, to, userAgent, valueAt } from '../../kit/index.ts'

/**
 * Rules for device and platform. For browsers the os is the browser and the device is the operating system, as in
 * Amplitude's own SDK. Apps report their device themselves.
 */
export const deviceRules: readonly Rule[] = [
  to('platform').value('Web').when(isBrowser),
  to('platform').from('context.device.type').when(isNoBrowser),
  to('os_name').compute(agentPart('browserName')).when(isBrowser),
  to('os_name').from('context.os.name').when(isNoBrowser),
  to('os_version').compute(agentPart('browserVersion')).when(isBrowser),
  to('os_version').from('context.os.version').when(isNoBrowser),
  to('device_model').compute(browserDevice).when(isBrowser),
  to('device_model').from('context.device.model').when(isNoBrowser),
  to('device_manufacturer').from('context.device.manufacturer'),
  to('device_brand').from('context.device.brand').when(takesBrand),
  to('device_brand')
    .from('context.device.manufacturer')
    .when((event, settings) => isMobile(event) && !takesBrand(event, settings)),
  to('idfa')
    .from('context.device.advertisingId')
    .when((event) => isApple(event) && allowsTracking(event)),
  to('idfv').from('context.device.id').when(isApple),
  to('adid')
    .from('context.device.advertisingId')
    .when((event) => isMobile(event) && !isApple(event) && allowsTracking(event)),
]

function isMobile(event: JsonObject): boolean {
  return event['channel'] === 'mobile'
}

function isBrowser(event: JsonObject): boolean {
  return event['channel'] === 'web' && Boolean(valueAt(event, ['context', 'userAgent']))
}

function isNoBrowser(event: JsonObject): boolean {
  return !isBrowser(event)
}

function isApple(event: JsonObject): boolean {
  return isMobile(event) && isApplePlatform(valueAt(event, ['context', 'device', 'type']))
}

/**
 * Returns false when the user has disabled tracking. The advertising id is then not sent, even if an SDK provides it.
 */
function allowsTracking(event: JsonObject): boolean {
  return valueAt(event, ['context', 'device', 'adTrackingEnabled']) !== false
}

function takesBrand(_: JsonObject, settings: JsonObject): boolean {
  return settings['mapDeviceBrand'] === true
}

/** Returns the device of a browser. Amplitude uses its own name for Macs. */
function browserDevice(event: JsonObject): string | undefined {
  const { deviceModel, osName } = userAgent(valueAt(event, ['context', 'userAgent']))
  return osName === 'Mac OS' ? 'Mac' : (deviceModel ?? osName)
}
