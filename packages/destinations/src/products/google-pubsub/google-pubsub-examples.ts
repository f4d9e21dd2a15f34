import { configurationError, type DestinationExample, sink } from '../../kit/index.ts'

const settings = {
  projectId: 'shop-123',
  credentials: '{"client_email": "a@shop-123.iam.test", "private_key": "-----BEGIN PRIVATE KEY-----"}',
  eventToTopicMap: [
    { from: 'Order Completed', to: 'orders' },
    { from: 'identify', to: 'users' },
  ],
  eventToAttributesMap: [{ from: 'order completed', to: 'order_id' }],
}
const order = { type: 'track', event: 'Order Completed', userId: 'u1', properties: { order_id: 7 } }
const identify = { type: 'identify', anonymousId: 'a1', traits: { plan: 'pro' } }
const request = (message: object, userId: string, topicId: string, attributes: object) =>
  sink({
    method: 'PUBLISH',
    endpoint: 'pubsub://pubsub.googleapis.com',
    params: { origin: 'https://pubsub.googleapis.com', projectId: 'shop-123' },
    body: { messages: [{ userId, message: { ...message }, topicId, attributes: { ...attributes } }] },
    userId,
  })

/** The examples of the Google Pub/Sub destination. */
export const googlePubsubExamples: readonly DestinationExample[] = [
  {
    title: 'an event is published to the topic of its name, with attributes from its properties',
    event: order,
    settings,
    requests: [request(order, 'u1', 'orders', { order_id: '7' })],
  },
  {
    title: 'other events are published to the topic of their type',
    event: identify,
    settings,
    requests: [request(identify, 'a1', 'users', {})],
  },
  {
    title: 'an event without a topic fails',
    event: { type: 'page', userId: 'u1' },
    settings,
    error: configurationError('no topic is set for this event'),
  },
]
