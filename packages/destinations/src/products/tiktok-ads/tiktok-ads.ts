import { isJsonObject, type JsonObject } from '@sluice/core'
import type { Static } from 'typebox'
import {
  type BatchEntry,
  type DeliveryRequest,
  type DestinationReply,
  defineDestination,
  defined,
  eachAlone,
  instrumentationError,
  isMappingError,
  jointRequest,
  json,
  type MappingError,
  objectOrEmpty,
  objectsIn,
  pack,
  type TypedEvent,
  type Verdict,
  valueAt,
  verdictByStatus,
  withoutUser,
} from '../../kit/index.ts'
import { eventNamesOf } from './event-names.ts'
import { event1 } from './events-1.ts'
import { event2 } from './events-2.ts'
import { tiktokAdsExamples } from './tiktok-ads-examples.ts'
import { tiktokAdsSettings } from './tiktok-ads-settings.ts'

type Settings = Static<typeof tiktokAdsSettings>

const api = 'https://business-api.tiktok.com/open_api/v1.3'
const batchMax = { v1: 50, v2: 1000 } as const // events; source: TikTok docs, Events API, batches

/** Events that TikTok's reports need a content type for. */
const typedEvents: ReadonlySet<string> = new Set(['AddToCart', 'CompletePayment', 'PlaceAnOrder', 'ViewContent'])

/**
 * Sends track events to a pixel of TikTok.
 *
 * Source: RudderStack docs, TikTok Ads, cloud mode; TikTok docs, Events API 1.0 and 2.0; recorded behaviour of
 * RudderStack's tiktok_ads destination.
 */
export const tiktokAds = defineDestination({
  type: 'TIKTOK_ADS',
  displayName: 'TikTok Ads',
  supports: ['track'],
  settings: tiktokAdsSettings,
  secrets: ['accessToken'],
  mappings: { event1, event2 },
  requests(event, settings) {
    const { event: name } = event
    if (typeof name !== 'string' || name === '') return instrumentationError('the name of an event must be a text')
    const names = eventNamesOf(name, settings)
    if (names.length === 0) {
      return instrumentationError(`the event ${name} must be mapped to a standard event of TikTok in the settings`)
    }
    return settings.version === 'v1' ? requests1(event, names, settings) : request2(event, names, settings)
  },
  limits: [
    `A batch has at most ${batchMax.v1} events with version 1.0, and ${batchMax.v2} with 2.0.`,
    'Events with the property testEventCode are sent alone.',
    'Names and zip codes are always hashed with version 2.0.',
  ],
  batch: (entries, settings, limits) => {
    const tests = entries.filter(({ event }) => isTest(event)).map(withoutUserId)
    const others = entries.filter(({ event }) => !isTest(event))
    return [...eachAlone(tests), ...packEvents(others, settings, limits)]
  },
  respond,
  examples: tiktokAdsExamples,
})

function requests1(event: TypedEvent, names: readonly string[], settings: Settings) {
  const body = event1(event, settings)
  if (isMappingError(body)) return body
  return names.map((name) => request('pixel/track', { ...body, event: name }, settings))
}

function request2(event: TypedEvent, names: readonly string[], settings: Settings): DeliveryRequest | MappingError {
  const mapped = event2(event, settings)
  if (isMappingError(mapped)) return mapped
  const data = names.map((name) => withContentType({ ...mapped, event: name }))
  const testCode = valueAt(event, ['properties', 'testEventCode'])
  const source = valueAt(event, ['properties', 'eventSource'])
  const body = defined({
    event_source: source || 'web',
    event_source_id: settings.pixelCode,
    partner_name: 'RudderStack',
    test_event_code: testCode || undefined,
    data,
  })
  return request('event/track', body, settings)
}

function withContentType(event: JsonObject): JsonObject {
  const { properties, event: name } = event
  if (!typedEvents.has(String(name)) || !isJsonObject(properties)) return event
  return { ...event, properties: { content_type: 'product', ...properties } }
}

function request(path: string, body: JsonObject, { accessToken }: Settings): DeliveryRequest {
  const headers = { 'Access-Token': accessToken, 'Content-Type': 'application/json' }
  return json({ method: 'POST', endpoint: `${api}/${path}/`, headers, endpointPath: path, body })
}

function isTest({ properties }: JsonObject): boolean {
  return isJsonObject(properties) && Boolean(properties['testEventCode'])
}

/** Requests of batches have no user, as in RudderStack. */
function withoutUserId(entry: BatchEntry): BatchEntry {
  return { ...entry, requests: entry.requests.map(withoutUser) }
}

const packEvents = pack({
  key: ({ request: { endpoint, headers, body } }) =>
    JSON.stringify([
      endpoint,
      headers,
      body.JSON['pixel_code'],
      body.JSON['event_source'],
      body.JSON['event_source_id'],
    ]),
  itemsMax: (_, { request: { endpointPath } }) => (endpointPath === 'pixel/track' ? batchMax.v1 : batchMax.v2),
  weigh: ({ request: { body } }) => dataOf(body.JSON).length || 1,
  merge(items) {
    const [{ request: first }] = items
    if (first.endpointPath === 'event/track') {
      const data = items.flatMap((item) => dataOf(item.request.body.JSON))
      return jointRequest(first, { ...first.body.JSON, data })
    }
    const batch = items.map(({ request: { body } }) => {
      const { pixel_code: _, partner_name: __, ...own } = body.JSON
      return { ...own, type: 'track' }
    })
    const { pixel_code, partner_name } = first.body.JSON
    const endpointPath = 'pixel/batch'
    const endpoint = `${api}/${endpointPath}/`
    return jointRequest({ ...first, endpoint, endpointPath }, { pixel_code, partner_name, batch })
  },
})

function dataOf({ data }: JsonObject): readonly JsonObject[] {
  return objectsIn(data)
}

const throttledCode = 40100

/** Interprets replies: TikTok answers 200 and reports failures as a code. Source: TikTok docs, return codes. */
function respond(reply: DestinationReply): Verdict {
  const { code, message } = objectOrEmpty(reply.body)
  if (reply.status !== 200 || code === 0 || typeof code !== 'number') return verdictByStatus(reply)
  const status = code === throttledCode ? 429 : code >= 50_000 ? 500 : 400
  return { ...verdictByStatus({ status }), message: `${String(message ?? 'refused')} (code ${code})` }
}
