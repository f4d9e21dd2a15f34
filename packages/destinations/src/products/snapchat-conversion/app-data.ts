import type { JsonObject, JsonValue } from '@sluice/core'
import { convert, defined, firstAt, generic, valueAt } from '../../kit/index.ts'
import { conversionTypeOf } from './conversion-type.ts'
import { zoneAbbreviation } from './zone-abbreviation.ts'

const platforms: Readonly<Record<string, string>> = { ios: 'i2', android: 'a2' }

const timeOf = firstAt(generic.timestamp)

/**
 * Returns the data of an app that Snapchat needs to attribute its events; undefined for other events.
 *
 * Source: Snap docs, Conversions API 3, app data and extinfo (16 texts in this order).
 */
export function appDataOf(event: JsonObject, { appId }: JsonObject): JsonObject | undefined {
  if (conversionTypeOf(event) !== 'MOBILE_APP') return undefined
  const tracking = valueAt(event, ['properties', 'att_status'])
  const extinfo = extinfoOf(event)
  return defined({
    app_id: appId,
    extinfo,
    advertiser_tracking_enabled: tracking !== undefined && tracking !== null && tracking !== '' ? tracking : undefined,
  })
}

function extinfoOf(event: JsonObject): readonly string[] | undefined {
  const platform = platforms[textAt(event, 'context.device.type').toLowerCase()]
  if (platform === undefined) return undefined
  const zone = textAt(event, 'context.timezone')
  return [
    platform,
    textAt(event, 'context.app.namespace'),
    textAt(event, 'context.app.build'),
    textAt(event, 'context.app.version'),
    textAt(event, 'context.os.version'),
    textAt(event, 'context.device.model'),
    textAt(event, 'context.locale'),
    zoneAbbreviation(zone, convert.milliseconds(timeOf(event) ?? null)),
    textAt(event, 'context.network.carrier'),
    textAt(event, 'context.screen.width'),
    textAt(event, 'context.screen.height'),
    textAt(event, 'context.screen.density'),
    textAt(event, 'properties.cpu_cores'),
    textAt(event, 'properties.storage'),
    textAt(event, 'properties.free_storage'),
    zone,
  ]
}

function textAt(event: JsonObject, path: string): string {
  const value: JsonValue | undefined = valueAt(event, path.split('.'))
  return value === undefined || value === null ? '' : convert.text(value)
}
