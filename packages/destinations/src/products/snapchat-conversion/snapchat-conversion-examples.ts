import { configurationError, type DestinationExample, instrumentationError, json } from '../../kit/index.ts'

const settings = { apiKey: 'key', pixelId: 'pixel' }

/** The examples of the Snapchat Conversion destination. */
export const snapchatConversionExamples: readonly DestinationExample[] = [
  {
    title: 'an order becomes a purchase',
    event: {
      type: 'track',
      channel: 'web',
      event: 'Order Completed',
      timestamp: '2024-01-01T00:00:00.000Z',
      context: { traits: { email: 'Ida@example.com' }, page: { url: 'https://shop.test/' } },
      properties: { order_id: 'o1', currency: 'EUR', products: [{ product_id: 'p1', price: 21, quantity: 2 }] },
    },
    settings,
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://tr.snapchat.com/v2/conversion',
        headers: { Authorization: 'Bearer key', 'Content-Type': 'application/json' },
        body: {
          transaction_id: 'o1',
          currency: 'EUR',
          price: '42',
          event_type: 'PURCHASE',
          item_ids: ['p1'],
          hashed_email: '2183cce8ca8f05aa3322c18bd1b547d42c11757e838b84a0d4d3e4b31bf4e1e1',
          timestamp: '1704067200',
          event_conversion_type: 'WEB',
          pixel_id: 'pixel',
          page_url: 'https://shop.test/',
        },
      }),
    ],
  },
  {
    title: 'version 3 describes the app of an event',
    event: {
      type: 'track',
      channel: 'mobile',
      event: 'Products Searched',
      messageId: 'm1',
      timestamp: '2024-01-01T00:00:00.000Z',
      context: {
        traits: { email: 'Ida@example.com' },
        app: { namespace: 'test.shop', version: '2.1' },
        device: { type: 'iOS', model: 'iPhone' },
        timezone: 'Europe/London',
      },
      properties: { query: 'kiln' },
    },
    settings: { ...settings, apiVersion: 'newApi', snapAppId: 'app', appId: '77', enableDeduplication: true },
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://tr.snapchat.com/v3/app/events',
        headers: { 'Content-Type': 'application/json' },
        params: { access_token: 'key' },
        body: {
          data: [
            {
              event_name: 'SEARCH',
              custom_data: { search_string: 'kiln' },
              user_data: { em: '2183cce8ca8f05aa3322c18bd1b547d42c11757e838b84a0d4d3e4b31bf4e1e1' },
              event_time: '1704067200',
              action_source: 'MOBILE_APP',
              app_data: {
                app_id: '77',
                extinfo: [
                  'i2',
                  'test.shop',
                  '',
                  '2.1',
                  '',
                  'iPhone',
                  '',
                  'GMT',
                  '',
                  '',
                  '',
                  '',
                  '',
                  '',
                  '',
                  'Europe/London',
                ],
              },
              event_id: 'm1',
            },
          ],
        },
      }),
    ],
  },
  {
    title: 'the settings name events',
    event: {
      type: 'track',
      event: 'Signed Up',
      timestamp: '2024-01-01T00:00:00.000Z',
      context: { traits: { email: 'Ida@example.com' } },
    },
    settings: { ...settings, rudderEventsToSnapEvents: [{ from: 'Signed Up', to: 'sign_up' }] },
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://tr.snapchat.com/v2/conversion',
        headers: { Authorization: 'Bearer key', 'Content-Type': 'application/json' },
        body: {
          event_type: 'SIGN_UP',
          hashed_email: '2183cce8ca8f05aa3322c18bd1b547d42c11757e838b84a0d4d3e4b31bf4e1e1',
          timestamp: '1704067200',
          event_conversion_type: 'OFFLINE',
          pixel_id: 'pixel',
        },
      }),
    ],
  },
  {
    title: 'an event that Snapchat does not know fails',
    event: {
      type: 'track',
      event: 'Seen',
      timestamp: '2024-01-01T00:00:00.000Z',
      context: { traits: { email: 'Ida@example.com' } },
    },
    settings,
    error: instrumentationError('the event Seen is not one of Snapchat; name one in the settings'),
  },
  {
    title: 'an event of an app fails without the id of the app',
    event: {
      type: 'page',
      channel: 'mobile',
      timestamp: '2024-01-01T00:00:00.000Z',
      context: { traits: { email: 'Ida@example.com' } },
    },
    settings,
    error: configurationError('events of type MOBILE_APP need the setting snapAppId'),
  },
]
