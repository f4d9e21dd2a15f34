import { configurationError, type DestinationExample, form, instrumentationError } from '../../kit/index.ts'

const settings = { pixelId: '1', accessToken: 'token' }

/** The examples of the Facebook Pixel destination. */
export const facebookPixelExamples: readonly DestinationExample[] = [
  {
    title: 'an order becomes a purchase with its products',
    event: {
      type: 'track',
      channel: 'web',
      event: 'Order Completed',
      messageId: 'm1',
      userId: 'u1',
      timestamp: '2024-01-01T00:00:00.000Z',
      context: { traits: { email: 'Ida@example.com' } },
      properties: {
        order_id: 'o1',
        revenue: 42,
        currency: 'EUR',
        products: [{ product_id: 'p1', price: 21, quantity: 2 }],
      },
    },
    settings,
    requests: [
      form({
        method: 'POST',
        endpoint: 'https://graph.facebook.com/v25.0/1/events?access_token=token',
        endpointPath: 'events',
        body: {
          data: [
            JSON.stringify({
              user_data: {
                external_id: 'bb82030dbc2bcaba32a90bf2e207a84a856fc5f033b77c480836ab6f77f40f19',
                em: '2183cce8ca8f05aa3322c18bd1b547d42c11757e838b84a0d4d3e4b31bf4e1e1',
              },
              event_name: 'Purchase',
              event_time: 1704067200,
              event_id: 'm1',
              action_source: 'website',
              custom_data: {
                order_id: 'o1',
                revenue: 42,
                currency: 'EUR',
                'products[0].product_id': 'p1',
                'products[0].price': 21,
                'products[0].quantity': 2,
                content_ids: ['p1'],
                content_type: 'product',
                value: 42,
                contents: [{ id: 'p1', quantity: 2, item_price: 21 }],
                num_items: 1,
              },
            }),
          ],
        },
      }),
    ],
  },
  {
    title: 'properties with personal data are left out, or hashed',
    event: {
      type: 'track',
      event: 'Signed Up',
      userId: 'u1',
      timestamp: '2024-01-01T00:00:00.000Z',
      properties: { email: 'ida@example.com', phone: '+4915550100', plan: 'pro' },
    },
    settings: { ...settings, blacklistPiiProperties: [{ blacklistPiiProperties: 'phone', blacklistPiiHash: true }] },
    requests: [
      form({
        method: 'POST',
        endpoint: 'https://graph.facebook.com/v25.0/1/events?access_token=token',
        endpointPath: 'events',
        body: {
          data: [
            JSON.stringify({
              user_data: {
                external_id: 'bb82030dbc2bcaba32a90bf2e207a84a856fc5f033b77c480836ab6f77f40f19',
                em: '2183cce8ca8f05aa3322c18bd1b547d42c11757e838b84a0d4d3e4b31bf4e1e1',
                ph: '353dc2a7677ba5feaf118fce0f361dfaa3a417d357703f9d698103fd4247b403',
              },
              event_name: 'Signed Up',
              event_time: 1704067200,
              action_source: 'other',
              custom_data: { phone: '0814b2438e5338a8488b44aee2fcf018ed8134a6addf5e04ff94b379622d524a', plan: 'pro' },
            }),
          ],
        },
      }),
    ],
  },
  {
    title: 'a page is named by its name',
    event: {
      type: 'page',
      channel: 'web',
      name: 'Home',
      anonymousId: 'a1',
      timestamp: '2024-01-01T00:00:00.000Z',
      properties: { path: '/' },
    },
    settings,
    requests: [
      form({
        method: 'POST',
        endpoint: 'https://graph.facebook.com/v25.0/1/events?access_token=token',
        endpointPath: 'events',
        body: {
          data: [
            JSON.stringify({
              user_data: { external_id: 'f55ff16f66f43360266b95db6f8fec01d76031054306ae4a4b380598f6cfd114' },
              event_name: 'Viewed page Home',
              event_time: 1704067200,
              action_source: 'website',
              custom_data: { path: '/' },
            }),
          ],
        },
      }),
    ],
  },
  {
    title: 'an event of last year fails',
    event: { type: 'track', event: 'Seen', userId: 'u1', timestamp: '2023-01-01T00:00:00.000Z' },
    settings,
    error: instrumentationError('events must be at most 7 days old and at most one minute ahead'),
  },
  {
    title: 'identify fails without advanced matching',
    event: { type: 'identify', userId: 'u1', timestamp: '2024-01-01T00:00:00.000Z' },
    settings,
    error: configurationError('identify events need the setting advancedMapping'),
  },
]
