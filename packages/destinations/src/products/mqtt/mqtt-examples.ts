import { configurationError, type DestinationExample, sink } from '../../kit/index.ts'

const settings = { address: 'broker.test', topic: 'events/{{ type }}' }
const order = { type: 'track', event: 'Order/Completed', userId: 'u1', messageId: 'm1' }

/** The examples of the MQTT destination. */
export const mqttExamples: readonly DestinationExample[] = [
  {
    title: 'an event is published under a topic with its type',
    event: order,
    settings,
    requests: [
      sink({
        method: 'PUBLISH',
        endpoint: 'mqtt://broker.test',
        body: { messages: [{ message: order, userId: 'u1', topic: 'events/track' }] },
        userId: 'u1',
      }),
    ],
  },
  {
    title: 'names of events cannot add levels to a topic, and the broker can retain messages',
    event: order,
    settings: {
      ...settings,
      topic: 'events/{{ event }}',
      tls: true,
      username: 'ada',
      password: 'secret',
      retain: true,
    },
    requests: [
      sink({
        method: 'PUBLISH',
        endpoint: 'mqtts://broker.test',
        headers: { authorization: 'Basic YWRhOnNlY3JldA==' },
        params: { retain: true },
        body: { messages: [{ message: order, userId: 'u1', topic: 'events/Order_Completed' }] },
        userId: 'u1',
      }),
    ],
  },
  {
    title: 'an event without a topic fails',
    event: order,
    settings: { ...settings, topic: '{{ properties.topic }}' },
    error: configurationError('there is no topic for this event'),
  },
]
