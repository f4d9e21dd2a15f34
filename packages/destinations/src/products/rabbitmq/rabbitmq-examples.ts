import { type DestinationExample, instrumentationError, sink } from '../../kit/index.ts'

const settings = { address: 'rabbit.test', routingKey: 'events', password: 'secret' }
const order = { type: 'track', event: 'Order Completed', userId: 'u1', messageId: 'm1' }

/** The examples of the RabbitMQ destination. */
export const rabbitmqExamples: readonly DestinationExample[] = [
  {
    title: 'an event goes to a queue',
    event: order,
    settings,
    requests: [
      sink({
        method: 'PUBLISH',
        endpoint: 'amqp://rabbit.test',
        headers: { authorization: 'Basic Z3Vlc3Q6c2VjcmV0' },
        params: { virtualHost: '/', exchange: '' },
        body: { messages: [{ message: order, userId: 'u1', topic: 'events' }] },
        userId: 'u1',
      }),
    ],
  },
  {
    title: 'an event goes to an exchange, with a routing key from its type and name',
    event: order,
    settings: {
      ...{ address: 'rabbit.test:5671', tls: true, virtualHost: 'shop', exchange: 'events', username: 'ada' },
      ...{ routingKey: '{{ type }}.{{ event }}', password: 'secret' },
    },
    requests: [
      sink({
        method: 'PUBLISH',
        endpoint: 'amqps://rabbit.test:5671',
        headers: { authorization: 'Basic YWRhOnNlY3JldA==' },
        params: { virtualHost: 'shop', exchange: 'events' },
        body: { messages: [{ message: order, userId: 'u1', topic: 'track.Order_Completed' }] },
        userId: 'u1',
      }),
    ],
  },
  {
    title: 'an event fails when its routing key is too long',
    event: { ...order, event: 'x'.repeat(200) },
    settings: { ...settings, routingKey: '{{ event }}.{{ event }}' },
    error: instrumentationError('the routing key of the event has more than 255 bytes'),
  },
]
