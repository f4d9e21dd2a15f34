import { type DestinationExample, instrumentationError, json } from '../../kit/index.ts'

const settings = { accessToken: 'token', pixelCode: 'PIXEL', version: 'v2' }

/** The examples of the TikTok Ads destination. */
export const tiktokAdsExamples: readonly DestinationExample[] = [
  {
    title: 'an order is placed with its products, and with a hashed e-mail address',
    event: {
      type: 'track',
      event: 'Order Completed',
      messageId: 'm1',
      timestamp: '2024-01-01T00:00:00.000Z',
      context: { traits: { email: 'Ida@example.com' } },
      properties: {
        order_id: 'o1',
        currency: 'EUR',
        value: 42,
        products: [{ product_id: 'p1', name: 'Kiln', price: 21, quantity: 2 }],
      },
    },
    settings,
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://business-api.tiktok.com/open_api/v1.3/event/track/',
        headers: { 'Access-Token': 'token', 'Content-Type': 'application/json' },
        endpointPath: 'event/track',
        body: {
          event_source: 'web',
          event_source_id: 'PIXEL',
          partner_name: 'RudderStack',
          data: [
            {
              event_id: 'm1',
              event_time: 1704067200,
              properties: {
                content_type: 'product',
                contents: [{ content_id: 'p1', content_name: 'Kiln', price: 21, quantity: 2 }],
                contents_ids: ['p1'],
                num_items: 1,
                order_id: 'o1',
                currency: 'EUR',
                value: 42,
              },
              user: { email: '2183cce8ca8f05aa3322c18bd1b547d42c11757e838b84a0d4d3e4b31bf4e1e1' },
              event: 'PlaceAnOrder',
            },
          ],
        },
      }),
    ],
  },
  {
    title: 'an event with two names in the settings is sent as both',
    event: { type: 'track', event: 'Signed Up', messageId: 'm1', timestamp: '2024-01-01T00:00:00.000Z' },
    settings: {
      ...settings,
      eventsToStandard: [
        { from: 'Signed Up', to: 'CompleteRegistration' },
        { from: 'Signed Up', to: 'Lead' },
      ],
    },
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://business-api.tiktok.com/open_api/v1.3/event/track/',
        headers: { 'Access-Token': 'token', 'Content-Type': 'application/json' },
        endpointPath: 'event/track',
        body: {
          event_source: 'web',
          event_source_id: 'PIXEL',
          partner_name: 'RudderStack',
          data: [
            { event_id: 'm1', event_time: 1704067200, event: 'CompleteRegistration' },
            { event_id: 'm1', event_time: 1704067200, event: 'Lead' },
          ],
        },
      }),
    ],
  },
  {
    title: 'version 1.0 has other names',
    event: {
      type: 'track',
      event: 'Product Added',
      messageId: 'm1',
      timestamp: '2024-01-01T00:00:00.000Z',
      properties: { product_id: 'p1', name: 'Kiln', currency: 'EUR', clickId: 'c1' },
      context: { page: { url: 'https://shop.test/' } },
    },
    settings: { ...settings, version: 'v1' },
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://business-api.tiktok.com/open_api/v1.3/pixel/track/',
        headers: { 'Access-Token': 'token', 'Content-Type': 'application/json' },
        endpointPath: 'pixel/track',
        body: {
          pixel_code: 'PIXEL',
          partner_name: 'RudderStack',
          event_id: 'm1',
          timestamp: '2024-01-01T00:00:00.000Z',
          properties: { content_name: 'Kiln', content_id: 'p1', currency: 'EUR' },
          context: { ad: { callback: 'c1' }, page: { url: 'https://shop.test/' } },
          event: 'AddToCart',
        },
      }),
    ],
  },
  {
    title: 'an event without a standard name fails',
    event: { type: 'track', event: 'Seen', messageId: 'm1', timestamp: '2024-01-01T00:00:00.000Z' },
    settings,
    error: instrumentationError('the event Seen must be mapped to a standard event of TikTok in the settings'),
  },
]
