import { configurationError, type DestinationExample, sink } from '../../kit/index.ts'

const settings = { servers: 'nats.test:4222', subject: 'events.{{ type }}' }
const order = { type: 'track', event: 'Order Completed', userId: 'u1', messageId: 'm1' }

/** The examples of the NATS destination. */
export const natsExamples: readonly DestinationExample[] = [
  {
    title: 'an event is published under a subject with its type',
    event: order,
    settings,
    requests: [
      sink({
        method: 'PUBLISH',
        endpoint: 'nats://nats.test:4222',
        params: { jetStream: true },
        body: { messages: [{ message: order, userId: 'u1', topic: 'events.track' }] },
        userId: 'u1',
      }),
    ],
  },
  {
    title: 'a table names subjects of events, and several servers are tried over TLS',
    event: order,
    settings: {
      ...settings,
      ...{ servers: 'a.test, b.test:4223', tls: true, username: 'ada', password: 'secret', jetStream: false },
      eventToSubjectMap: [{ from: 'Order Completed', to: 'shop.orders' }],
    },
    requests: [
      sink({
        method: 'PUBLISH',
        endpoint: 'nats://a.test',
        headers: { authorization: 'Basic YWRhOnNlY3JldA==' },
        params: { moreServers: ['b.test:4223'], tls: true },
        body: { messages: [{ message: order, userId: 'u1', topic: 'shop.orders' }] },
        userId: 'u1',
      }),
    ],
  },
  {
    title: 'an event fails when a part of its subject is empty',
    event: { type: 'page', userId: 'u1' },
    settings: { ...settings, subject: 'events.{{ event }}' },
    error: configurationError('the subject of this event has an empty token'),
  },
]
