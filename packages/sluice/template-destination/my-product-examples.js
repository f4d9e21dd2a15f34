import { instrumentationError, json } from '@sluice/destinations'

const settings = { url: 'https://api.my-product.test', token: 'secret' }

export const examples = [
  {
    title: 'an event is sent with its user and properties',
    event: { type: 'track', userId: 'u1', event: 'Order Placed', properties: { total: 42 } },
    settings,
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://api.my-product.test/events',
        headers: { 'content-type': 'application/json', authorization: 'Bearer secret' },
        body: { user: 'u1', name: 'Order Placed', properties: { total: 42 } },
      }),
    ],
  },
  {
    title: 'an event without a name fails',
    event: { type: 'track', userId: 'u1' },
    settings,
    error: instrumentationError('Missing required value from "event"'),
  },
]
