import { type DestinationExample, instrumentationError, json } from '../../kit/index.ts'

const settings = { apiVersion: 'newApi', adAccountId: '1', conversionToken: 'token' }

/** The examples of the Pinterest Tag destination. */
export const pinterestTagExamples: readonly DestinationExample[] = [
  {
    title: 'an order becomes a checkout with its products',
    event: {
      type: 'track',
      channel: 'web',
      event: 'Order Completed',
      messageId: 'm1',
      timestamp: '2024-01-01T00:00:00.000Z',
      context: {
        ip: '203.0.113.1',
        userAgent: 'Firefox',
        traits: { email: 'Ida@example.com', phone: '+49 155 50100' },
      },
      properties: {
        order_id: 'o1',
        total: 42,
        currency: 'EUR',
        products: [{ product_id: 'p1', name: 'Kiln', price: 21, quantity: 2 }],
      },
    },
    settings,
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://api.pinterest.com/v5/ad_accounts/1/events',
        headers: { 'Content-Type': 'application/json', Authorization: 'Bearer token' },
        body: {
          event_time: 1704067200,
          action_source: 'web',
          event_id: 'm1',
          user_data: {
            em: ['2183cce8ca8f05aa3322c18bd1b547d42c11757e838b84a0d4d3e4b31bf4e1e1'],
            ph: ['353dc2a7677ba5feaf118fce0f361dfaa3a417d357703f9d698103fd4247b403'],
            client_ip_address: '203.0.113.1',
            client_user_agent: 'Firefox',
          },
          custom_data: {
            currency: 'EUR',
            value: '42',
            order_id: 'o1',
            num_items: 2,
            content_ids: ['p1'],
            contents: [{ quantity: 2, item_price: '21', item_name: 'Kiln', id: 'p1' }],
          },
          event_name: 'checkout',
        },
      }),
    ],
  },
  {
    title: 'the settings name events and the id to deduplicate by',
    event: {
      type: 'track',
      channel: 'web',
      event: 'Trailer Seen',
      timestamp: '2024-01-01T00:00:00.000Z',
      context: {
        ip: '203.0.113.1',
        userAgent: 'Firefox',
        traits: { email: 'Ida@example.com', phone: '+49 155 50100' },
      },
      properties: { view: 7 },
    },
    settings: {
      ...settings,
      eventsMapping: [{ from: 'Trailer Seen', to: 'WatchVideo' }],
      deduplicationKey: 'properties.view',
    },
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://api.pinterest.com/v5/ad_accounts/1/events',
        headers: { 'Content-Type': 'application/json', Authorization: 'Bearer token' },
        body: {
          event_time: 1704067200,
          action_source: 'web',
          event_id: '7',
          user_data: {
            em: ['2183cce8ca8f05aa3322c18bd1b547d42c11757e838b84a0d4d3e4b31bf4e1e1'],
            ph: ['353dc2a7677ba5feaf118fce0f361dfaa3a417d357703f9d698103fd4247b403'],
            client_ip_address: '203.0.113.1',
            client_user_agent: 'Firefox',
          },
          custom_data: { num_items: 0, contents: [{ quantity: 1 }] },
          event_name: 'watch_video',
        },
      }),
    ],
  },
  {
    title: 'a page goes to the legacy API',
    event: {
      type: 'page',
      channel: 'web',
      name: 'Home',
      messageId: 'm1',
      timestamp: '2024-01-01T00:00:00.000Z',
      context: { ip: '203.0.113.1', userAgent: 'Firefox' },
    },
    settings: { ...settings, apiVersion: 'legacyApi', advertiserId: '9', sendingUnHashedData: false },
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://ct.pinterest.com/events/v3',
        headers: { 'Content-Type': 'application/json' },
        body: {
          event_time: 1704067200,
          action_source: 'web',
          event_id: 'm1',
          advertiser_id: '9',
          user_data: { client_ip_address: '203.0.113.1', client_user_agent: 'Firefox' },
          event_name: 'page_visit',
        },
      }),
    ],
  },
  {
    title: 'an event that Pinterest cannot match to a user fails',
    event: { type: 'track', channel: 'web', event: 'Seen', messageId: 'm1', timestamp: '2024-01-01T00:00:00.000Z' },
    settings,
    error: instrumentationError(
      'the user needs an e-mail address, an advertising id, or an IP address and a user agent',
    ),
  },
]
