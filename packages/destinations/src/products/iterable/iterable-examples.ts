import {
  configurationError,
  type DeletionExample,
  type DestinationExample,
  instrumentationError,
  json,
  query,
} from '../../kit/index.ts'

const settings = { apiKey: 'key' }
const headers = { 'Content-Type': 'application/json', api_key: 'key' }
const timestamp = '2024-01-02T03:04:05.000Z'
const createdAt = 1_704_164_645_000

/** Examples of the Iterable destination. */
export const iterableExamples: readonly DestinationExample[] = [
  {
    title: 'identify updates a user, and registers the device if there is a key for it',
    event: {
      type: 'identify',
      userId: 'u1',
      traits: { email: 'ada@example.com', plan: 'pro' },
      context: { device: { type: 'Android', token: 't1' } },
    },
    settings: { ...settings, registerDeviceOrBrowserApiKey: 'device-key' },
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://api.iterable.com/api/users/update',
        headers,
        body: {
          email: 'ada@example.com',
          dataFields: { email: 'ada@example.com', plan: 'pro' },
          userId: 'u1',
          preferUserId: true,
          mergeNestedObjects: true,
        },
        endpointPath: 'users/update',
      }),
      json({
        method: 'POST',
        endpoint: 'https://api.iterable.com/api/users/registerDeviceToken',
        headers: { ...headers, api_key: 'device-key' },
        body: {
          email: 'ada@example.com',
          userId: 'u1',
          preferUserId: true,
          device: { token: 't1', platform: 'GCM' },
        },
        endpointPath: 'users/registerDeviceToken',
      }),
    ],
  },
  {
    title: 'track sends an event',
    event: { type: 'track', event: 'Read', userId: 'u1', timestamp, properties: { campaignId: '7', topic: 'kilns' } },
    settings: { ...settings, dataCenter: 'EUDC' },
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://api.eu.iterable.com/api/events/track',
        headers,
        body: {
          dataFields: { campaignId: '7', topic: 'kilns' },
          userId: 'u1',
          eventName: 'Read',
          createdAt,
          campaignId: 7,
        },
        endpointPath: 'events/track',
      }),
    ],
  },
  {
    title: 'Product Added updates the cart',
    event: { type: 'track', event: 'Product Added', userId: 'u1', properties: { product_id: 'p1', price: '9.5' } },
    settings,
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://api.iterable.com/api/commerce/updateCart',
        headers,
        body: {
          user: { userId: 'u1', preferUserId: true, mergeNestedObjects: true },
          items: [{ id: 'p1', price: 9.5 }],
        },
        endpointPath: 'commerce/updateCart',
      }),
    ],
  },
  {
    title: 'a row of a warehouse that is mapped to a catalog becomes one of its items',
    event: {
      type: 'identify',
      traits: { size: 'L' },
      context: {
        mappedToDestination: true,
        externalId: [{ type: 'ITERABLE-shirts', identifierType: 'itemId', id: 's1' }],
      },
    },
    settings,
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://api.iterable.com/api/catalogs/shirts/items',
        headers,
        body: { documents: { s1: { size: 'L' } }, replaceUploadedFieldsOnly: true },
        endpointPath: 'catalogs',
      }),
    ],
  },
  {
    title: 'a page fails while the settings track no pages',
    event: { type: 'page', userId: 'u1', name: 'Home' },
    settings,
    error: configurationError('the settings do not let this page be sent'),
  },
]

/** Examples of deletion at Iterable. */
export const iterableDeletionExamples: readonly DeletionExample[] = [
  {
    title: 'a user is deleted by the userId',
    users: [{ userId: 'u/1' }],
    settings: { apiKey: 'key', dataCenter: 'EUDC' },
    requests: [
      query({
        method: 'DELETE',
        endpoint: 'https://api.eu.iterable.com/api/users/byUserId/u%2F1',
        headers: { 'Content-Type': 'application/json', api_key: 'key' },
      }),
    ],
  },
  {
    title: 'a userId that would change the path is refused',
    users: [{ userId: '..' }],
    settings: { apiKey: 'key' },
    error: instrumentationError('the userId cannot be a path segment'),
  },
  {
    title: 'nothing is deleted without a key',
    users: [{ userId: 'u1' }],
    settings: {},
    error: configurationError('apiKey is needed to delete users'),
  },
]
