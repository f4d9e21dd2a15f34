import { Type } from 'typebox'
import {
  configurationError,
  type DestinationExample,
  defineDestination,
  field,
  kafkaLimits,
  kafkaRequest,
  sink,
  streamTraits,
} from '../../kit/index.ts'

/** Event Hubs takes the whole connection string as password of this user. */
const username = '$ConnectionString'

const settings = { bootstrapServer: 'shop.servicebus.test:9093', eventHubsConnectionString: 'key', topic: 'hub' }
const event = { type: 'track', event: 'Signed Up', userId: 'u1' }
const request = (userId: string, message: object) =>
  sink({
    method: 'PUBLISH',
    endpoint: 'kafka://shop.servicebus.test:9093',
    headers: { authorization: 'Basic JENvbm5lY3Rpb25TdHJpbmc6a2V5' },
    params: { tls: true, mechanism: 'plain' },
    body: { messages: [{ message: { ...message }, userId, topic: 'hub' }] },
    userId,
  })

const examples: readonly DestinationExample[] = [
  {
    title: 'an event becomes a message of the event hub, with its user as key',
    event,
    settings,
    requests: [request('u1', event)],
  },
  {
    title: 'the key of anonymous users is their anonymousId',
    event: { type: 'page', anonymousId: 'a1' },
    settings,
    requests: [request('a1', { type: 'page', anonymousId: 'a1' })],
  },
  {
    title: 'an event fails when a template of the hub finds nothing',
    event,
    settings: { ...settings, topic: '{{ context.hub || "" }}' },
    error: configurationError('there is no topic for this event'),
  },
]

/**
 * Sends events to Azure Event Hubs, through its endpoint for Kafka clients.
 *
 * Source: RudderStack docs, Azure Event Hubs destination; recorded behaviour of RudderStack's azure_event_hub
 * destination; Microsoft docs, Event Hubs for Apache Kafka (SASL/PLAIN with a connection string).
 */
export const azureEventHub = defineDestination({
  type: 'AZURE_EVENT_HUB',
  displayName: 'Azure Event Hubs',
  ...streamTraits(kafkaLimits),
  settings: Type.Object({
    topic: field.requiredText({
      title: 'Event hub',
      description: 'Name of the event hub.',
      allowed: 'the name of an event hub',
    }),
    bootstrapServer: field.requiredText({
      title: 'Bootstrap server',
      pattern: '^[A-Za-z0-9.-]+:\\d{1,5}$',
      description: 'Host and port of the namespace.',
      placeholder: 'my-namespace.servicebus.windows.net:9093',
      allowed: 'host:port, without a template',
      isFixed: true,
    }),
    eventHubsConnectionString: field.requiredText({
      title: 'Connection string',
      description: 'Connection string of a policy that may send.',
      isFixed: true,
    }),
  }),
  secrets: ['eventHubsConnectionString'],
  requests: (event, given) =>
    kafkaRequest(event, given, {
      brokers: [given.bootstrapServer],
      tls: true,
      sasl: { mechanism: 'plain', username, password: given.eventHubsConnectionString },
    }),
  limits: [
    `A request has at most ${kafkaLimits.itemsMax} messages and ${kafkaLimits.bytesMax} bytes.`,
    'The namespace needs the Standard tier or higher: the Basic tier has no endpoint for Kafka clients.',
  ],
  examples,
})
