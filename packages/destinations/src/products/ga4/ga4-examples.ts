import type { JsonObject } from '@sluice/core'
import { type DestinationExample, instrumentationError, json } from '../../kit/index.ts'

const settings = { apiSecret: 'secret', measurementId: 'G-1' }
const sent = { timestamp: '2024-01-01T00:00:00.000Z', userId: 'u1', anonymousId: 'a1' }

const collected = (body: JsonObject, stream: JsonObject = { measurement_id: 'G-1' }, path = 'mp/collect') => ({
  ...json({
    method: 'POST',
    endpoint: `https://www.google-analytics.com/${path}`,
    headers: { HOST: 'www.google-analytics.com', 'Content-Type': 'application/json' },
    params: { api_secret: 'secret', ...stream },
    body: { user_id: 'u1', timestamp_micros: 1_704_067_200_000_000, ...body },
  }),
  endpointPath: path,
})

/** The examples of the Google Analytics 4 destination. */
export const ga4Examples: readonly DestinationExample[] = [
  {
    title: 'an order becomes a purchase with its products as items',
    event: {
      ...sent,
      type: 'track',
      event: 'Order Completed',
      properties: {
        order_id: 'o1',
        total: '9.50',
        gift: { note: 'hi' },
        products: [{ product_id: 'p1', price: '9.50' }],
      },
    },
    settings,
    requests: [
      collected({
        client_id: 'a1',
        events: [
          {
            name: 'purchase',
            params: {
              transaction_id: 'o1',
              value: 9.5,
              currency: 'USD',
              gift_note: 'hi',
              items: [{ item_id: 'p1', price: 9.5 }],
              engagement_time_msec: 1,
            },
          },
        ],
      }),
    ],
  },
  {
    title: 'the properties of an event can describe its single product',
    event: {
      ...sent,
      type: 'track',
      event: 'Product Added',
      properties: { product_id: 'p1', price: 4, quantity: 2, shelf: 'top' },
    },
    settings,
    requests: [
      collected({
        client_id: 'a1',
        events: [
          {
            name: 'add_to_cart',
            params: {
              currency: 'USD',
              value: 8,
              shelf: 'top',
              items: [{ item_id: 'p1', price: 4, quantity: 2 }],
              engagement_time_msec: 1,
            },
          },
        ],
      }),
    ],
  },
  {
    title: 'an app event has an instance id, and traits become user properties unless the settings exclude them',
    event: {
      ...sent,
      type: 'track',
      event: 'Level Up',
      context: {
        traits: { plan: 'pro', email: 'a@example.com' },
        externalId: [{ type: 'ga4AppInstanceId', id: 'i1' }],
        device: { adTrackingEnabled: false },
      },
      properties: { level: 5, sessionId: 7 },
    },
    settings: {
      apiSecret: 'secret',
      typesOfClient: 'firebase',
      firebaseAppId: '1:2:ios:3',
      piiPropertiesToIgnore: [{ piiProperty: 'email' }],
    },
    requests: [
      collected(
        {
          app_instance_id: 'i1',
          non_personalized_ads: true,
          user_properties: { plan: { value: 'pro' } },
          events: [{ name: 'level_up', params: { level: 5, session_id: 7, engagement_time_msec: 1 } }],
        },
        { firebase_app_id: '1:2:ios:3' },
      ),
    ],
  },
  {
    title: 'page becomes a page view; with debugMode, Google only validates it',
    event: {
      ...sent,
      type: 'page',
      context: { page: { url: 'https://shop.test/cart', title: 'Cart' } },
      integrations: { GA4: { clientId: 'c1', sessionId: 's1', consents: { ad_user_data: 'DENIED' } } },
    },
    settings: { ...settings, debugMode: true },
    requests: [
      collected(
        {
          client_id: 'c1',
          consent: { ad_user_data: 'DENIED' },
          events: [
            {
              name: 'page_view',
              params: {
                page_location: 'https://shop.test/cart',
                page_title: 'Cart',
                session_id: 's1',
                engagement_time_msec: 1,
              },
            },
          ],
        },
        { measurement_id: 'G-1' },
        'debug/mp/collect',
      ),
    ],
  },
  {
    title: 'an event older than 72 hours fails, because Google would drop it',
    event: { ...sent, type: 'track', event: 'Seen', timestamp: '2023-12-28T00:00:00.000Z' },
    settings,
    error: instrumentationError('Allowed timestamp is [72 hours] into the past'),
  },
  {
    title:
      'a product of an event that Google has no name for becomes parameters; page and time are those of the device',
    event: {
      ...sent,
      type: 'track',
      event: 'Gift Wrapped',
      originalTimestamp: sent.timestamp,
      timestamp: '2024-01-01T00:00:00.400Z',
      context: { page: { url: 'https://shop.example/gifts', title: 'Gifts' } },
      properties: { products: [{ product_id: 'p1' }] },
    },
    settings,
    requests: [
      collected({
        client_id: 'a1',
        events: [
          {
            name: 'Gift_Wrapped',
            params: {
              page_location: 'https://shop.example/gifts',
              page_title: 'Gifts',
              products_0_product_id: 'p1',
              engagement_time_msec: 1,
            },
          },
        ],
      }),
    ],
  },
  {
    title:
      'Google orders events by the time of the device, unless they are rows of a warehouse with a time of their own',
    event: {
      ...sent,
      type: 'track',
      channel: 'sources',
      event: 'Row Changed',
      originalTimestamp: '2024-01-01T00:05:00.000Z',
      properties: { timestamp: '2024-01-01T00:00:00Z' },
    },
    settings,
    requests: [
      collected({
        client_id: 'a1',
        events: [{ name: 'Row_Changed', params: { timestamp: '2024-01-01T00:00:00Z', engagement_time_msec: 1 } }],
      }),
    ],
  },
  {
    title: 'a group event carries the traits of its user, except those that the settings keep private',
    event: { ...sent, type: 'group', groupId: 'g1', context: { traits: { plan: 'pro', email: 'a@example.com' } } },
    settings: { ...settings, piiPropertiesToIgnore: [{ piiProperty: 'email' }] },
    requests: [
      collected({
        client_id: 'a1',
        user_properties: { plan: { value: 'pro' } },
        events: [{ name: 'join_group', params: { plan: 'pro', group_id: 'g1', engagement_time_msec: 1 } }],
      }),
    ],
  },
  {
    title: 'an order without products fails: Google requires items',
    event: { ...sent, type: 'track', event: 'Order Completed', properties: { order_id: 'o1', products: [] } },
    settings,
    error: instrumentationError('properties.products of purchase must be a list of products'),
  },
  {
    title: 'a product that is viewed needs a price: Google requires the value',
    event: { ...sent, type: 'track', event: 'Product Viewed', properties: { product_id: 'p1' } },
    settings,
    error: instrumentationError(
      'Missing required value from ["properties.total","properties.price","properties.value","properties.revenue"]',
    ),
  },
  {
    title: 'a name that Google refuses fails',
    event: { ...sent, type: 'track', event: 'odd-name!' },
    settings,
    error: instrumentationError(
      'The name "odd-name!" must be letters of any alphabet, digits and _, and start with a letter',
    ),
  },
]
