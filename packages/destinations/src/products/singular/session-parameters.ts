import type { JsonObject } from '@sluice/core'
import { convert, generic, mapping, type Rule, to, valueAt } from '../../kit/index.ts'
import { appSetId, gameRules, mobileRules, skanRules } from './mobile-rules.ts'

const time = [convert.seconds] as const

/** Rules of sessions on mobile devices. */
const session: readonly Rule[] = [
  ...mobileRules,
  to('app_v').from('context.app.version').required(),
  to('mo').from('context.device.model').required(),
  to('ma').from('context.device.manufacturer').required(),
  to('lc').from('context.locale').required(),
  to('bd').from('context.app.build'),
  to('n').from('context.app.name'),
  to('cn').from('context.network.carrier'),
  to('sessionNotificationName').from('event'),
  to('install').from('properties.install').required(),
  to('install_time')
    .from(generic.timestamp)
    .as(...time),
  to('update_time')
    .from(generic.timestamp)
    .as(...time),
  to('dnt').compute(doNotTrack),
  to('openuri').from('properties.url'),
]

/** Parameters of a session by kind of platform. Source: Singular docs, server-to-server API (sessions). */
export const sessionParameters = {
  android: mapping([
    ...session,
    appSetId,
    to('install_ref').from('properties.install_ref'),
    to('fcm').from('context.device.token'),
    to('ua').from('context.userAgent'),
    to('install_source').compute((event) => valueAt(event, ['properties', 'referring_application'])),
  ]),
  apple: mapping([
    ...session,
    ...skanRules,
    to('install_receipt').from('properties.install_receipt').required(),
    to('apns_token').from('context.device.token'),
    to('ua').from('context.userAgent', 'properties.userAgent'),
    to('attribution_token').from('properties.attribution_token'),
  ]),
  game: mapping(gameRules),
}

/** Returns 0 when the user allows tracking, otherwise 1. */
function doNotTrack(event: JsonObject): number {
  return valueAt(event, ['context', 'device', 'adTrackingEnabled']) === true ? 0 : 1
}
