import { Type } from 'typebox'
import {
  convert,
  defineDestination,
  eventFilterSettings,
  field,
  generic,
  isMappingError,
  json,
  mapping,
  regionHosts,
  to,
} from '../../kit/index.ts'
import { heapExamples } from './heap-examples.ts'

const user = [to('identity').from(generic.userId).as(convert.text).required(), to('app_id').setting('appId')]

const userProperties = mapping([...user, to('properties').rest(generic.traits).flat()])

const trackedEvent = mapping([
  ...user,
  to('event').from('event').required(),
  to('timestamp').from(generic.timestamp),
  to('idempotency_key').from('properties.idempotencyKey'),
  to('properties').rest('properties').unmapped().flat(),
])

const regions = regionHosts(
  { us: ['United States', 'https://heapanalytics.com'], eu: ['Europe', 'https://c.eu.heap-api.com'] },
  { title: 'Region', description: 'Region of the environment; us when absent.', isUnlisted: true },
)

/**
 * Sends users and events to Heap. The identity is the userId, otherwise the anonymousId; `userId` of the request is the
 * anonymousId, as in RudderStack.
 *
 * Source: RudderStack docs, Heap.io destination (identify and track only); recorded behaviour of RudderStack's heap
 * destination; Heap's server-side API (track, add user properties, and the hosts of its regions).
 */
export const heap = defineDestination({
  type: 'HEAP',
  displayName: 'Heap.io',
  supports: ['identify', 'track'],
  matchesTypesExactly: true,
  settings: Type.Object({
    appId: field.requiredText({ title: 'App id', description: 'Id of the Heap environment.', allowed: 'an app id' }),
    dataResidency: Type.Optional(regions.setting),
    ...eventFilterSettings,
  }),
  secrets: [],
  limits: [
    'Heap accepts identities of at most 255 characters, and names and values of properties of at most 1024.',
    'Traits are those of the event, or those of its context if it has none; nested ones are flattened.',
  ],
  mappings: { userProperties, trackedEvent },
  requests(event, settings) {
    const isIdentify = event.type === 'identify'
    const body = (isIdentify ? userProperties : trackedEvent)(event, settings)
    if (isMappingError(body)) return body
    return json({
      method: 'POST',
      endpoint: `${regions.hostOf(settings.dataResidency)}/api/${isIdentify ? 'add_user_properties' : 'track'}`,
      headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
      body,
      userId: convert.text(event['anonymousId'] ?? ''),
    })
  },
  examples: heapExamples,
})
