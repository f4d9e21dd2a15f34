import { identifierText, type JsonValue } from '@sluice/core'
import { Type } from 'typebox'
import {
  configurationError,
  type DeliveryRequest,
  type DestinationExample,
  defineDestination,
  everyType,
  field,
  pack,
  redisCommands,
  redisServerSettings,
  sink,
  streamKey,
  topicOf,
} from '../../kit/index.ts'

const order = { type: 'track', event: 'Order Completed', userId: 'u1', messageId: 'm1' }
const requestFor = (stream: string, limit: readonly string[]) =>
  sink({
    method: 'POST',
    endpoint: 'redis://cache.test/0',
    body: {
      commands: [
        [
          'XADD',
          stream,
          ...limit,
          '*',
          'messageId',
          'm1',
          'userId',
          'u1',
          'type',
          'track',
          'event',
          JSON.stringify(order),
        ],
      ],
    },
    userId: 'u1',
  })

const examples: readonly DestinationExample[] = [
  {
    title: 'an event is appended to a stream',
    event: order,
    settings: { address: 'cache.test', stream: 'events' },
    requests: [requestFor('events', [])],
  },
  {
    title: 'a stream per type keeps about a million events',
    event: order,
    settings: { address: 'cache.test', stream: 'events:{{ type }}', lengthMax: 1_000_000 },
    requests: [requestFor('events:track', ['MAXLEN', '~', '1000000'])],
  },
  {
    title: 'an event fails when a template of the stream finds nothing',
    event: order,
    settings: { address: 'cache.test', stream: '{{ properties.stream }}' },
    error: configurationError('there is no stream for this event'),
  },
]

/**
 * Appends events to streams of Redis. Each entry has the fields `messageId`, `userId`, `type`, and `event`: the event as
 * JSON.
 *
 * Source: Redis docs, XADD.
 */
export const redisStreams = defineDestination({
  type: 'REDIS_STREAMS',
  displayName: 'Redis Streams',
  supports: everyType,
  takesAnyType: true,
  isTestable: false,
  settings: Type.Object({
    ...redisServerSettings,
    stream: field.requiredText({
      title: 'Stream',
      description: 'Key of the stream for events without an entry in the table, with {{ paths }} of the event.',
      placeholder: 'events:{{ type }}',
      allowed: 'a key',
    }),
    eventToStreamMap: field.pairs({
      title: 'Streams',
      description: 'Streams by the name of track events, by message type, or * for all others.',
      from: 'Name of a track event, a message type, or *.',
      to: 'Key of the stream.',
    }),
    lengthMax: field.integer({
      title: 'Length',
      description: 'About how many entries a stream keeps, removing the oldest; all when 0.',
      default: 0,
      minimum: 0,
      maximum: 1_000_000_000,
      isFixed: true,
    }),
  }),
  secrets: ['password'],
  requests(event, given) {
    const stream = topicOf(event, given.stream, given.eventToStreamMap, /[\s:{}]/g)
    if (stream === '') return configurationError('there is no stream for this event')
    const userId = streamKey(event)
    const limit = given.lengthMax === 0 ? [] : ['MAXLEN', '~', String(given.lengthMax)]
    const fields = ['messageId', identifierText(event.messageId), 'userId', userId]
    const entry = [...fields, 'type', String(event.type ?? ''), 'event', JSON.stringify(event)]
    return { ...redisCommands(given, [['XADD', stream, ...limit, '*', ...entry]]), userId }
  },
  batch: pack({
    itemsMax: 500,
    bytesMax: 4_000_000,
    merge(items) {
      const [{ request }] = items
      const commands = items.flatMap((item) => commandsOf(item.request))
      return items.length === 1 ? request : { ...request, userId: '', body: { ...request.body, JSON: { commands } } }
    },
  }),
  limits: [
    'A request has at most 500 events. When it fails, some of them may have been appended, and are appended again.',
    'Values in the names of streams lose spaces, colons and braces, so that senders cannot choose other keys.',
  ],
  examples,
})

function commandsOf({ body }: DeliveryRequest): readonly JsonValue[] {
  const { commands } = body.JSON
  return Array.isArray(commands) ? commands : []
}
