import { configurationError, type DestinationExample, sink } from '../../kit/index.ts'

const settings = { topic: 'events', hostName: 'kafka.test', port: '9092' }
const page = { type: 'page', userId: 'u1', name: 'Home' }
const order = { type: 'track', event: 'Order Completed', anonymousId: 'a1', properties: { total: 9 } }

/** The examples of the Kafka destination. */
export const kafkaExamples: readonly DestinationExample[] = [
  {
    title: 'an event becomes a message whose key is the user',
    event: page,
    settings,
    requests: [
      sink({
        method: 'PUBLISH',
        endpoint: 'kafka://kafka.test:9092',
        body: { messages: [{ message: page, userId: 'u1', topic: 'events' }] },
        userId: 'u1',
      }),
    ],
  },
  {
    title: 'a table sends track events to a topic of their own, over TLS and with a password',
    event: order,
    settings: {
      ...{ topic: 'events', hostName: 'a.test:9093, b.test', port: '9094' },
      ...{ sslEnabled: true, useSASL: true, saslType: 'sha512', username: 'ada', password: 'secret' },
      ...{ enableMultiTopic: true, eventToTopicMap: [{ from: 'order completed', to: 'orders' }] },
    },
    requests: [
      sink({
        method: 'PUBLISH',
        endpoint: 'kafka://a.test:9093',
        headers: { authorization: 'Basic YWRhOnNlY3JldA==' },
        params: { moreBrokers: ['b.test:9094'], tls: true, mechanism: 'scram-sha-512' },
        body: { messages: [{ message: order, userId: 'a1', topic: 'orders' }] },
        userId: 'a1',
      }),
    ],
  },
  {
    title: 'an event fails when a template of the topic finds nothing',
    event: page,
    settings: { ...settings, topic: '{{ properties.topic || "" }}' },
    error: configurationError('there is no topic for this event'),
  },
]
