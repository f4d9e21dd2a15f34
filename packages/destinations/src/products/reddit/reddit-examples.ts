import { type DestinationExample, instrumentationError, json } from '../../kit/index.ts'

const settings = { accountId: 't2_1' }

/** The examples of the Reddit destination. */
export const redditExamples: readonly DestinationExample[] = [
  {
    title: 'an order becomes a purchase with its products and amount',
    event: {
      type: 'track',
      event: 'Order Completed',
      messageId: 'm1',
      timestamp: '2024-01-01T00:00:00.000Z',
      context: { traits: { email: 'Ida@example.com' }, userAgent: 'Firefox' },
      properties: {
        revenue: 42,
        currency: 'EUR',
        products: [{ product_id: 'p1', name: 'Kiln', price: 21, quantity: 2 }],
      },
    },
    settings,
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://ads-api.reddit.com/api/v2.0/conversions/events/t2_1',
        headers: { 'Content-Type': 'application/json' },
        body: {
          events: [
            {
              event_at: '2024-01-01T00:00:00.000Z',
              user: {
                email: '2183cce8ca8f05aa3322c18bd1b547d42c11757e838b84a0d4d3e4b31bf4e1e1',
                user_agent: 'Firefox',
                screen_dimensions: {},
              },
              event_type: { tracking_type: 'Purchase' },
              event_metadata: {
                item_count: 1,
                products: [{ id: 'p1', name: 'Kiln' }],
                currency: 'EUR',
                value_decimal: 42,
                value: 4200,
                conversion_id: 'm1',
              },
            },
          ],
        },
      }),
    ],
  },
  {
    title: 'version 3 has other names',
    event: {
      type: 'track',
      channel: 'mobile',
      event: 'Product Added',
      messageId: 'm1',
      timestamp: '2024-01-01T00:00:00.000Z',
      context: { traits: { email: 'Ida@example.com' }, userAgent: 'Firefox' },
      properties: { product_id: 'p1', price: 21, quantity: 2 },
    },
    settings: { ...settings, version: 'v3' },
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://ads-api.reddit.com/api/v3/pixels/t2_1/conversion_events',
        headers: { 'Content-Type': 'application/json' },
        body: {
          data: {
            partner: 'RUDDERSTACK',
            events: [
              {
                event_at: 1704067200000,
                action_source: 'APP',
                user: {
                  email: '2183cce8ca8f05aa3322c18bd1b547d42c11757e838b84a0d4d3e4b31bf4e1e1',
                  user_agent: 'Firefox',
                },
                type: { tracking_type: 'ADD_TO_CART' },
                metadata: {
                  item_count: 1,
                  products: [{ id: 'p1', item_price: 21, quantity: 2 }],
                  value: 42,
                  conversion_id: 'm1',
                },
              },
            ],
          },
        },
      }),
    ],
  },
  {
    title: 'other events are custom events, and hashed data stays unchanged',
    event: { type: 'track', event: 'Watched', messageId: 'm1', userId: 'u1', timestamp: '2024-01-01T00:00:00.000Z' },
    settings: { ...settings, hashData: false },
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://ads-api.reddit.com/api/v2.0/conversions/events/t2_1',
        headers: { 'Content-Type': 'application/json' },
        body: {
          events: [
            {
              event_at: '2024-01-01T00:00:00.000Z',
              user: { external_id: 'u1', screen_dimensions: {} },
              event_type: { tracking_type: 'Custom', custom_event_name: 'Watched' },
              event_metadata: { item_count: 0, products: [{}], conversion_id: 'm1' },
            },
          ],
        },
      }),
    ],
  },
  {
    title: 'an event without a name fails',
    event: { type: 'track', timestamp: '2024-01-01T00:00:00.000Z' },
    settings,
    error: instrumentationError('the name of an event must be a text'),
  },
]
