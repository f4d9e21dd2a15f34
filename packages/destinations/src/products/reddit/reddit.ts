import { isJsonObject, type JsonObject } from '@sluice/core'
import type { Static } from 'typebox'
import {
  bearer,
  convert,
  type DeliveryRequest,
  defineDestination,
  defined,
  firstAt,
  generic,
  instrumentationError,
  isMappingError,
  json,
  type MappingError,
  oauthAccount,
  type PackItem,
  pack,
  type TypedEvent,
  valueAt,
  verdictOfAccount,
} from '../../kit/index.ts'
import { eventMapping2, eventMapping3 } from './event-mapping.ts'
import { eventMetadata2, eventMetadata3 } from './event-metadata.ts'
import { redditExamples } from './reddit-examples.ts'
import { redditSettings } from './reddit-settings.ts'
import { type TrackingType, trackingTypesOf, typeOf3 } from './tracking-types.ts'

type Settings = Static<typeof redditSettings>

const api = 'https://ads-api.reddit.com/api'
const batchMax = 1000 // events; source: Reddit docs, Conversions API, batches
const ageMsMax = 7 * 24 * 60 * 60_000

/**
 * Sends track events to Reddit's Conversions API.
 *
 * Source: RudderStack docs, Reddit; Reddit docs, Conversions API 2 and 3; recorded behaviour of RudderStack's reddit
 * destination.
 */
export const reddit = defineDestination({
  type: 'REDDIT',
  displayName: 'Reddit',
  otherNames: [],
  supports: ['track'],
  settings: redditSettings,
  secrets: ['clientSecret', 'refreshToken'],
  account: oauthAccount('https://www.reddit.com/api/v1/access_token'),
  mappings: { eventMapping2, eventMapping3 },
  requests(event, settings, context) {
    const { event: name } = event
    if (typeof name !== 'string' || name === '') return instrumentationError('the name of an event must be a text')
    const authorization = bearer(context)
    if (isMappingError(authorization)) return authorization
    const types = trackingTypesOf(name, settings)
    const isNew = settings.version === 'v3'
    const body = isNew ? body3(event, types, settings, context.now) : body2(event, types, settings)
    if (isMappingError(body)) return body
    const path = isNew
      ? `v3/pixels/${settings.accountId}/conversion_events`
      : `v2.0/conversions/events/${settings.accountId}`
    return json({
      method: 'POST',
      endpoint: `${api}/${path}`,
      headers: { ...authorization, 'Content-Type': 'application/json' },
      body,
    })
  },
  limits: [
    'Version 3 accepts events that are at most 7 days old.',
    `A batch has at most ${batchMax} events. Events with the property test_id are sent alone.`,
  ],
  batch: pack({
    key: ({ index, request: { endpoint, headers, body } }) =>
      JSON.stringify([endpoint, headers, testIdOf(body.JSON) === undefined ? '' : index]),
    itemsMax: batchMax,
    weigh: ({ request: { body } }) => eventsOf(body.JSON).length || 1,
    merge(items) {
      const [{ request }] = items as readonly [PackItem, ...PackItem[]]
      const { userId: _, ...shared } = request
      const events = items.flatMap((item) => eventsOf(item.request.body.JSON))
      const { data } = request.body.JSON
      const merged = isJsonObject(data) ? { data: { ...data, events } } : { events }
      return { ...shared, body: { ...request.body, JSON: merged } } satisfies DeliveryRequest
    },
  }),
  respond: verdictOfAccount,
  examples: redditExamples,
})

function body2(event: TypedEvent, types: readonly TrackingType[], settings: Settings): JsonObject | MappingError {
  const about = eventMapping2(event, settings)
  if (isMappingError(about)) return about
  const events = types.map((type) => ({
    ...about,
    event_type: { ...type },
    event_metadata: eventMetadata2(event, type.tracking_type),
  }))
  return { events }
}

const timeOf = firstAt(generic.timestamp)

function body3(event: TypedEvent, types: readonly TrackingType[], settings: Settings, now: number) {
  const time = convert.milliseconds(timeOf(event) ?? null)
  if (time !== undefined && now - time > ageMsMax) return instrumentationError('events must be at most 7 days old')
  const about = eventMapping3(event, settings)
  if (isMappingError(about)) return about
  const testId = valueAt(event, ['properties', 'test_id'])
  const events = types.map((type) => ({
    ...about,
    type: { ...typeOf3(type) },
    metadata: eventMetadata3(event, type.tracking_type),
  }))
  return { data: defined({ partner: 'RUDDERSTACK', test_id: testId || undefined, events }) }
}

function eventsOf({ data, events }: JsonObject): readonly JsonObject[] {
  const own = isJsonObject(data) ? data['events'] : events
  return Array.isArray(own) ? own.filter(isJsonObject) : []
}

function testIdOf({ data }: JsonObject): JsonObject[string] {
  return isJsonObject(data) ? data['test_id'] : undefined
}
