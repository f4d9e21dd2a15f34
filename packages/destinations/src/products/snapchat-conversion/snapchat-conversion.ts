import { isJsonObject, type JsonObject } from '@sluice/core'
import {
  convert,
  type DeliveryRequest,
  defineDestination,
  firstAt,
  generic,
  instrumentationError,
  isMappingError,
  json,
  jsonArray,
  type PackItem,
  pack,
} from '../../kit/index.ts'
import { contentOf } from './content.ts'
import { conversionTypeOf, missingSetting } from './conversion-type.ts'
import { kindOf } from './event-kind.ts'
import { common2, event2 } from './events-2.ts'
import { common3, event3 } from './events-3.ts'
import { snapchatConversionExamples } from './snapchat-conversion-examples.ts'
import { snapchatConversionSettings } from './snapchat-conversion-settings.ts'

const batchMax = 2000 // events; source: Snap docs, Conversions API, batches
const dayMs = 24 * 60 * 60_000
const ageDaysMax = { legacyApi: 37, newApi: 7 } as const

/**
 * Sends pages and track events to Snapchat's Conversions API.
 *
 * Source: RudderStack docs, Snapchat Conversion; Snap docs, Conversions API 2 and 3; recorded behaviour of
 * RudderStack's snapchat_conversion destination.
 */
export const snapchatConversion = defineDestination({
  type: 'SNAPCHAT_CONVERSION',
  displayName: 'Snapchat Conversion',
  supports: ['track', 'page'],
  settings: snapchatConversionSettings,
  secrets: ['apiKey'],
  mappings: { common2, common3 },
  requests(event, settings, { now }) {
    const conversionType = conversionTypeOf(event)
    const missing = missingSetting(conversionType, settings)
    if (missing) return missing
    const kind = kindOf(event, settings)
    if (isMappingError(kind)) return kind
    const problem = problemOf(event, now, ageDaysMax[settings.apiVersion])
    if (problem !== undefined) return instrumentationError(problem)
    const isNew = settings.apiVersion === 'newApi'
    const body = (isNew ? event3 : event2)(event, kind.type, contentOf(event, kind), settings)
    if (isMappingError(body)) return body
    if (!isNew) {
      return json({
        method: 'POST',
        endpoint: 'https://tr.snapchat.com/v2/conversion',
        headers: { Authorization: `Bearer ${settings.apiKey}`, 'Content-Type': 'application/json' },
        body,
      })
    }
    const id = conversionType === 'MOBILE_APP' ? settings.snapAppId : settings.pixelId
    return json({
      method: 'POST',
      endpoint: `https://tr.snapchat.com/v3/${id}/events`,
      headers: { 'Content-Type': 'application/json' },
      params: { access_token: settings.apiKey },
      body: { data: [body] },
    })
  },
  limits: [
    `Snapchat accepts events that are at most ${ageDaysMax.legacyApi} days old with version 2, and ${ageDaysMax.newApi} with version 3.`,
    'Events need an e-mail address, a phone number, an advertising id, or both an IP address and a user agent.',
    'Personal data is hashed as UTF-8. RudderStack hashes letters beyond ASCII as Latin-1, which matches no user.',
    `A batch has at most ${batchMax} events.`,
  ],
  batch: pack({
    key: ({ request: { endpoint, headers, params } }) => JSON.stringify([endpoint, headers, params]),
    itemsMax: batchMax,
    merge(items) {
      const [{ request }] = items as readonly [PackItem, ...PackItem[]]
      const bodies = items.map((item) => item.request.body.JSON)
      const isNew = Array.isArray(request.body.JSON['data'])
      return withoutUserId(
        isNew ? json({ ...request, body: { data: bodies.flatMap(dataOf) } }) : jsonArray({ ...request, body: bodies }),
      )
    },
  }),
  examples: snapchatConversionExamples,
})

function dataOf({ data }: JsonObject): readonly JsonObject[] {
  return Array.isArray(data) ? data.filter(isJsonObject) : []
}

/** Requests of batches have no user, as in RudderStack. */
function withoutUserId({ userId: _, ...request }: DeliveryRequest): DeliveryRequest {
  return request
}

const timeOf = firstAt(generic.timestamp)
const emailOf = firstAt(generic.email)
const phoneOf = firstAt(generic.phone)
const advertisingIdOf = firstAt(['context.device.advertisingId'])
const addressOf = firstAt(['context.ip', 'request_ip'])
const agentOf = firstAt(['context.userAgent'])

function problemOf(event: JsonObject, now: number, days: number): string | undefined {
  const isKnown = emailOf(event) || phoneOf(event) || advertisingIdOf(event) || (addressOf(event) && agentOf(event))
  if (!isKnown) return 'the user needs an e-mail address, a phone number, an advertising id, or an IP address and agent'
  const time = convert.milliseconds(timeOf(event) ?? null)
  return time !== undefined && now - time > days * dayMs ? `events must be at most ${days} days old` : undefined
}
