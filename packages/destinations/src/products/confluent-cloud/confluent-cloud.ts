import { Type } from 'typebox'
import {
  configurationError,
  type DestinationExample,
  defineDestination,
  field,
  kafkaLimits,
  kafkaRequest,
  kafkaTopicSettings,
  sink,
  streamTraits,
} from '../../kit/index.ts'

const settings = {
  bootstrapServer: 'pkc-1.eu.confluent.test:9092',
  apiKey: 'key',
  apiSecret: 'secret',
  topic: 'events',
}
const event = { type: 'identify', userId: 'u1', traits: { plan: 'pro' } }
const headers = { authorization: 'Basic a2V5OnNlY3JldA==' }

const examples: readonly DestinationExample[] = [
  {
    title: 'an event becomes a message whose key is the user',
    event,
    settings,
    requests: [
      sink({
        method: 'PUBLISH',
        endpoint: 'kafka://pkc-1.eu.confluent.test:9092',
        headers,
        params: { tls: true, mechanism: 'plain' },
        body: { messages: [{ message: event, userId: 'u1', topic: 'events' }] },
        userId: 'u1',
      }),
    ],
  },
  {
    title: 'a table sends events of a type to a topic of their own',
    event,
    settings: { ...settings, enableMultiTopic: true, eventTypeToTopicMap: [{ from: 'identify', to: 'users' }] },
    requests: [
      sink({
        method: 'PUBLISH',
        endpoint: 'kafka://pkc-1.eu.confluent.test:9092',
        headers,
        params: { tls: true, mechanism: 'plain' },
        body: { messages: [{ message: event, userId: 'u1', topic: 'users' }] },
        userId: 'u1',
      }),
    ],
  },
  {
    title: 'an event fails when a template of the topic finds nothing',
    event,
    settings: { ...settings, topic: '{{ context.topic || "" }}' },
    error: configurationError('there is no topic for this event'),
  },
]

/**
 * Produces events to Confluent Cloud as JSON.
 *
 * Source: RudderStack docs, Confluent Cloud destination; recorded behaviour of RudderStack's confluent_cloud
 * destination; Confluent docs, client configuration (TLS, SASL/PLAIN with an API key).
 */
export const confluentCloud = defineDestination({
  type: 'CONFLUENT_CLOUD',
  displayName: 'Confluent Cloud',
  ...streamTraits(kafkaLimits),
  settings: Type.Object({
    bootstrapServer: field.requiredText({
      title: 'Bootstrap server',
      pattern: '^[A-Za-z0-9.-]+:\\d{1,5}$',
      description: 'Host and port of the cluster.',
      placeholder: 'pkc-00000.region.provider.confluent.cloud:9092',
      allowed: 'host:port, without a template',
      isFixed: true,
    }),
    apiKey: field.requiredText({ title: 'API key', description: 'Key of a service account.', isFixed: true }),
    apiSecret: field.requiredText({ title: 'API secret', description: 'Secret of the key.', isFixed: true }),
    topic: field.requiredText({
      title: 'Topic',
      description: 'Topic for events that no table sends elsewhere.',
      allowed: 'the name of a topic',
    }),
    ...kafkaTopicSettings,
  }),
  secrets: ['apiKey', 'apiSecret'],
  requests: (event, given) =>
    kafkaRequest(event, given, {
      brokers: [given.bootstrapServer],
      tls: true,
      sasl: { mechanism: 'plain', username: given.apiKey, password: given.apiSecret },
    }),
  limits: [`A request has at most ${kafkaLimits.itemsMax} messages and ${kafkaLimits.bytesMax} bytes.`],
  examples,
})
