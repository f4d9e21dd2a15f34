import { type DestinationExample, instrumentationError, json } from '../../kit/index.ts'

const settings = { apiKey: 'key', signUpSourceId: '123' }
const headers = { Authorization: 'Bearer key', 'Content-Type': 'application/json' }
const v1 = 'https://api.attentivemobile.com/v1'

/** The examples of the Attentive Tag destination. */
export const attentiveTagExamples: readonly DestinationExample[] = [
  {
    title: 'identify subscribes a user',
    event: { type: 'identify', traits: { email: 'a@b.test', phone: '+12025550100' } },
    settings,
    requests: [
      json({
        method: 'POST',
        endpoint: `${v1}/subscriptions`,
        headers,
        body: { user: { phone: '+12025550100', email: 'a@b.test' }, signUpSourceId: '123' },
        endpointPath: '/subscriptions',
      }),
    ],
  },
  {
    title: 'identify sets attributes of a user, with the new flow',
    event: { type: 'identify', traits: { email: 'a@b.test', plan: 'pro' } },
    settings: { ...settings, enableNewIdentifyFlow: true },
    requests: [
      json({
        method: 'POST',
        endpoint: `${v1}/attributes/custom`,
        headers,
        body: { user: { email: 'a@b.test' }, properties: { plan: 'pro' } },
        endpointPath: '/attributes/custom',
      }),
    ],
  },
  {
    title: 'a purchase is sent with its products',
    event: {
      type: 'track',
      event: 'Order Completed',
      timestamp: '2024-01-01T00:00:00.000Z',
      context: { externalId: [{ type: 'clientUserId', id: 'c1' }] },
      properties: { currency: 'EUR', products: [{ product_id: 'p1', variant: 'M', price: '9', quantity: 2 }] },
    },
    settings,
    requests: [
      json({
        method: 'POST',
        endpoint: `${v1}/events/ecommerce/purchase`,
        headers,
        body: {
          items: [{ productId: 'p1', productVariantId: 'M', quantity: 2, price: [{ value: 9, currency: 'EUR' }] }],
          occuredAt: '2024-01-01T00:00:00.000Z',
          occurredAt: '2024-01-01T00:00:00.000Z',
          user: { externalIdentifiers: { clientUserId: 'c1' } },
        },
        endpointPath: '/events/ecommerce/purchase',
      }),
    ],
  },
  {
    title: 'a withdrawn consent ends a subscription',
    event: {
      type: 'track',
      event: 'subscription_event',
      properties: { email: 'a@b.test', channelConsents: [{ channel: 'email', consented: false, type: 'MARKETING' }] },
    },
    settings,
    requests: [
      json({
        method: 'POST',
        endpoint: `${v1}/subscriptions/unsubscribe`,
        headers,
        body: { user: { email: 'a@b.test' }, subscriptions: [{ type: 'MARKETING', channel: 'EMAIL' }] },
        endpointPath: '/subscriptions/unsubscribe',
      }),
    ],
  },
  {
    title: 'an old event fails',
    event: { type: 'track', event: 'Seen', timestamp: '2023-12-31T11:00:00.000Z' },
    settings,
    error: instrumentationError('the event is more than 12 hours old'),
  },
]
