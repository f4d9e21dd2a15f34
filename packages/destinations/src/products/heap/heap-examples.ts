import { type DestinationExample, instrumentationError, json } from '../../kit/index.ts'

const headers = { Accept: 'application/json', 'Content-Type': 'application/json' }

/** The examples of the Heap destination. */
export const heapExamples: readonly DestinationExample[] = [
  {
    title: 'identify sets the flattened properties of the user',
    event: { type: 'identify', anonymousId: 'a1', traits: { plan: 'pro', address: { city: 'Rome' } } },
    settings: { appId: '1' },
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://heapanalytics.com/api/add_user_properties',
        headers,
        body: { identity: 'a1', app_id: '1', properties: { plan: 'pro', 'address.city': 'Rome' } },
        userId: 'a1',
      }),
    ],
  },
  {
    title: 'track sends an event with a key that prevents duplicates',
    event: {
      type: 'track',
      event: 'Order Placed',
      userId: 'u1',
      anonymousId: 'a1',
      timestamp: '2024-01-01T00:00:00.000Z',
      properties: { items: ['x'], idempotencyKey: 'o-1' },
    },
    settings: { appId: '1', dataResidency: 'eu' },
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://c.eu.heap-api.com/api/track',
        headers,
        body: {
          identity: 'u1',
          app_id: '1',
          event: 'Order Placed',
          timestamp: '2024-01-01T00:00:00.000Z',
          idempotency_key: 'o-1',
          properties: { 'items[0]': 'x' },
        },
        userId: 'a1',
      }),
    ],
  },
  {
    title: 'an event without a name fails',
    event: { type: 'track', userId: 'u1' },
    settings: { appId: '1' },
    error: instrumentationError('Missing required value from "event"'),
  },
]
