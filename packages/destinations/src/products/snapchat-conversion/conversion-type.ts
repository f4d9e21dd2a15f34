import type { JsonObject } from '@sluice/core'
import { configurationError, firstAt, generic, type MappingError, valueAt } from '../../kit/index.ts'

type ConversionType = 'WEB' | 'MOBILE_APP' | 'OFFLINE'

/** Returns where an event happened: as its property eventConversionType says, otherwise by its channel. */
export function conversionTypeOf(event: JsonObject): ConversionType {
  const own = valueAt(event, ['properties', 'eventConversionType'])
  const chosen = typeof own === 'string' ? own.toUpperCase() : ''
  if (chosen === 'WEB' || chosen === 'MOBILE_APP' || chosen === 'OFFLINE') return chosen
  return event['channel'] === 'web' ? 'WEB' : event['channel'] === 'mobile' ? 'MOBILE_APP' : 'OFFLINE'
}

/** Returns which setting is missing for events of a type, if any. */
export function missingSetting(type: ConversionType, settings: JsonObject): MappingError | undefined {
  const missing = (type === 'MOBILE_APP' ? ['snapAppId', 'appId'] : ['pixelId']).find((name) => !settings[name])
  return missing === undefined ? undefined : configurationError(`events of type ${type} need the setting ${missing}`)
}

const pageUrl = firstAt(generic.pageUrl)

/** Returns the address of the page; only events of web sites have one. */
export function pageUrlOf(event: JsonObject): JsonObject[string] {
  return conversionTypeOf(event) === 'WEB' ? pageUrl(event) : undefined
}

/** Returns the id by which Snapchat recognises an event; undefined if the settings do not want one. */
export function deduplicationId(event: JsonObject, { enableDeduplication, deduplicationKey }: JsonObject) {
  if (enableDeduplication !== true) return undefined
  const key = typeof deduplicationKey === 'string' && deduplicationKey !== '' ? deduplicationKey : 'messageId'
  return valueAt(event, key.split('.')) || undefined
}
