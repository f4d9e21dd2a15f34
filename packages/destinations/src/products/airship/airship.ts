import { type JsonObject, type JsonValue, uuidOf } from '@sluice/core'
import { hashBytes } from '@sluice/core/hash'
import { type Static, Type } from 'typebox'
import {
  configurationError,
  convert,
  type DeliveryRequest,
  defineDestination,
  defined,
  encodeSegment,
  field,
  generic,
  instrumentationError,
  isMappingError,
  isSegment,
  json,
  type MappingError,
  mapping,
  type TypedEvent,
  to,
} from '../../kit/index.ts'
import { airshipExamples } from './airship-examples.ts'
import { airshipName, userFacts } from './user-facts.ts'

const airshipSettings = Type.Object({
  apiKey: field.requiredText({ title: 'API key', description: 'Token of the Airship project, with all access.' }),
  appKey: field.text({ title: 'App key', description: 'App key of the project. Needed to send track events.' }),
  dataCenter: field.flag({ title: 'EU data center', description: 'Sends to the European data center of Airship.' }),
  timestampAttributes: field.names('timestampAttribute', {
    title: 'Timestamp attributes',
    description: 'Traits that are times, such as createdAt or trip.start. They are sent in the form of Airship.',
  }),
})

type Settings = Static<typeof airshipSettings>

const customEvent = mapping([
  to('occurred').from(generic.timestamp),
  to('occured').from(generic.timestamp), // the name that RudderStack sends
  to('user.named_user_id').from('userId').as(convert.id),
  to('body.name').from('event').as(eventName).required(),
  to('body.value').from('properties.value'),
  to('body.interaction_id').from('properties.interactionId', 'properties.interaction_id'),
  to('body.interaction_type').from('properties.interactionType', 'properties.interaction_type'),
  to('body.session_id').from('properties.sessionId', 'context.sessionId').as(sessionUuid),
  to('body.transaction').from('properties.transaction'),
  to('body.properties').rest('properties').without('session_id').unmapped(),
])

/** The namespace of URLs of RFC 9562, 6.6. */
const urlNamespace = Uint8Array.from('6ba7b8119dad11d180b400c04fd430c8'.match(/../g) ?? [], (hex) =>
  Number.parseInt(hex, 16),
)

/** Returns a session id as the UUID that Airship requires: version 5 of ids that are none. */
function sessionUuid(id: JsonValue): string {
  const text = convert.text(id)
  if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)) return text
  return uuidOf(hashBytes('sha1', Uint8Array.of(...urlNamespace, ...new TextEncoder().encode(text))), 5)
}

/**
 * Sends events to Airship, and traits of users as tags and attributes.
 *
 * Source: RudderStack docs, Airship destination; Airship docs, named users and custom events; recorded behaviour of
 * RudderStack's airship destination.
 */
export const airship = defineDestination({
  type: 'AIRSHIP',
  displayName: 'Airship',
  otherNames: ['Urban Airship'],
  supports: ['identify', 'track', 'group'],
  settings: airshipSettings,
  secrets: ['apiKey', 'appKey'],
  mappings: { customEvent },
  requests: (event, settings) => (event.type === 'track' ? happened(event, settings) : described(event, settings)),
  limits: [
    'Booleans become tags of the group rudderstack_integration or, for groups, rudderstack_integration_group.',
    'Other traits become attributes; nested ones are flattened with underscores. Airship must know the attributes.',
    'Names of events and tags are in lower case, with underscores instead of spaces.',
    'The time of a custom event is sent as occurred, and as occured, which RudderStack sends.',
  ],
  examples: airshipExamples,
})

function happened(event: TypedEvent, settings: Settings): DeliveryRequest | MappingError {
  if (!settings.appKey) return configurationError('appKey is needed to send track events')
  const mapped = customEvent(event, settings)
  if (isMappingError(mapped)) return mapped
  const { properties, ...facts } = mapped['body'] as JsonObject
  const isEmpty = properties === undefined || Object.keys(properties as JsonObject).length === 0
  const body = { user: {}, ...mapped, body: isEmpty ? facts : { ...facts, properties } }
  return json({
    method: 'POST',
    endpoint: `${apiOf(settings)}/custom-events`,
    headers: { ...headersOf(settings), 'X-UA-Appkey': settings.appKey },
    body,
  })
}

/** Maps the traits of an identify or group event to up to two requests. */
function described(event: TypedEvent, settings: Settings): readonly DeliveryRequest[] | MappingError {
  const userId = convert.id(event['userId'] ?? '')
  if (userId === undefined || !isSegment(userId)) return instrumentationError('the event needs a userId')
  const timestamps = settings.timestampAttributes.map(({ timestampAttribute = '' }) => timestampAttribute.trim())
  const facts = userFacts(event, new Set(timestamps))
  if (isMappingError(facts)) return facts
  const { tags, attributes } = facts
  const group = `rudderstack_integration${event.type === 'group' ? '_group' : ''}`
  const tagChanges = defined({
    add: tags.add.length > 0 ? { [group]: tags.add } : undefined,
    remove: tags.remove.length > 0 ? { [group]: tags.remove } : undefined,
  })
  const users = `${apiOf(settings)}/named_users`
  const post = (endpoint: string, body: JsonObject) =>
    json({ method: 'POST', endpoint, headers: headersOf(settings), body })
  const requests = [
    ...(Object.keys(tagChanges).length > 0
      ? [post(`${users}/tags`, { audience: { named_user_id: userId }, ...tagChanges })]
      : []),
    ...(attributes.length > 0 ? [post(`${users}/${encodeSegment(userId)}/attributes`, { attributes })] : []),
  ]
  return requests.length > 0 ? requests : instrumentationError('the event needs traits')
}

function eventName(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? airshipName(value) : undefined
}

function apiOf({ dataCenter }: Settings): string {
  return dataCenter ? 'https://go.airship.eu/api' : 'https://go.urbanairship.com/api'
}

function headersOf({ apiKey }: Settings): Readonly<Record<string, string>> {
  return {
    'Content-Type': 'application/json',
    Accept: 'application/vnd.urbanairship+json; version=3',
    Authorization: `Bearer ${apiKey}`,
  }
}
