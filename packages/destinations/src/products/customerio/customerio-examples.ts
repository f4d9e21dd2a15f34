import { type DestinationExample, instrumentationError, json, query } from '../../kit/index.ts'

const settings = { siteID: 'site', apiKey: 'key' }
const headers = { Authorization: 'Basic c2l0ZTprZXk=' }
const timestamp = '2024-01-01T00:00:00.000Z'
const seconds = Date.parse(timestamp) / 1000
const app = { device: { type: 'Android', token: 'token' } }

/** The examples of the Customer.io destination. */
export const customerioExamples: readonly DestinationExample[] = [
  {
    title: 'identify sets the attributes of a person from traits and address',
    event: {
      type: 'identify',
      userId: 'user/1',
      anonymousId: 'a1',
      timestamp,
      traits: { email: 'ada@example.com', createdAt: '2023-01-01T00:00:00.000Z', address: { city: 'London' } },
    },
    settings,
    requests: [
      {
        ...json({
          method: 'PUT',
          endpoint: 'https://track.customer.io/api/v1/customers/user%2F1',
          headers,
          body: {
            email: 'ada@example.com',
            city: 'London',
            created_at: Date.UTC(2023, 0) / 1000,
            _timestamp: seconds,
            anonymous_id: 'a1',
          },
          userId: 'user/1',
        }),
        endpointPath: 'v1/customers',
        statusCode: 200,
      },
    ],
  },
  {
    title: 'track sends an event of a person, identified by email if there is no userId',
    event: {
      type: 'track',
      event: 'Order Placed',
      anonymousId: 'a1',
      timestamp,
      properties: { total: 9 },
      context: { traits: { email: 'ada@example.com' } },
    },
    settings: { ...settings, datacenter: 'EU' },
    requests: [
      {
        ...json({
          method: 'POST',
          endpoint: 'https://track-eu.customer.io/api/v1/customers/ada%40example.com/events',
          headers,
          body: { data: { total: 9 }, name: 'Order Placed', type: 'event', timestamp: seconds },
          userId: 'a1',
        }),
        endpointPath: 'v1/customers/events',
        statusCode: 200,
      },
    ],
  },
  {
    title: 'a page event is named by its name or URL, also for anonymous users',
    event: { type: 'page', anonymousId: 'a1', properties: { url: 'https://shop.test/cart' } },
    settings,
    requests: [
      {
        ...json({
          method: 'POST',
          endpoint: 'https://track.customer.io/api/v1/events',
          headers,
          body: {
            data: { url: 'https://shop.test/cart' },
            name: 'https://shop.test/cart',
            type: 'page',
            anonymous_id: 'a1',
          },
          userId: 'a1',
        }),
        endpointPath: 'v1/events',
        statusCode: 200,
      },
    ],
  },
  {
    title: 'an installed app adds a device, so that messages can be sent to it',
    event: { type: 'track', event: 'Application Installed', userId: 'u1', timestamp, context: app },
    settings,
    requests: [
      {
        ...json({
          method: 'PUT',
          endpoint: 'https://track.customer.io/api/v1/customers/u1/devices',
          headers,
          body: { device: { id: 'token', last_used: seconds, platform: 'android' } },
          userId: 'u1',
        }),
        endpointPath: 'v1/customers/devices',
        statusCode: 200,
      },
    ],
  },
  {
    title: 'an uninstalled app deletes the device',
    event: { type: 'track', event: 'Application Uninstalled', userId: 'u1', context: app },
    settings,
    requests: [
      {
        ...query({
          method: 'DELETE',
          endpoint: 'https://track.customer.io/api/v1/customers/u1/devices/token',
          headers,
          userId: 'u1',
        }),
        endpointPath: 'v1/customers/devices/delete',
        statusCode: 200,
      },
    ],
  },
  {
    title: 'group creates an object that the person is related to',
    event: { type: 'group', userId: 'ada@example.com', groupId: 7, traits: { name: 'Acme', objectTypeId: 2 } },
    settings,
    requests: [
      {
        ...json({
          method: 'POST',
          endpoint: 'https://track.customer.io/api/v2/batch',
          headers,
          body: {
            type: 'object',
            action: 'identify',
            identifiers: { object_id: '7', object_type_id: '2' },
            attributes: { name: 'Acme' },
            cio_relationships: [{ identifiers: { email: 'ada@example.com' } }],
          },
          userId: 'ada@example.com',
        }),
        endpointPath: 'v2/batch',
        statusCode: 200,
      },
    ],
  },
  {
    title: 'with version 2 of the API every event is an item of a batch',
    event: { type: 'track', event: 'Order Placed', userId: 'u1', timestamp, properties: { total: 9 } },
    settings: { ...settings, apiVersion: 'v2' },
    requests: [
      {
        ...json({
          method: 'POST',
          endpoint: 'https://track.customer.io/api/v2/batch',
          headers,
          body: {
            batch: [
              {
                type: 'person',
                action: 'event',
                identifiers: { id: 'u1' },
                name: 'Order Placed',
                attributes: { total: 9 },
                timestamp: seconds,
              },
            ],
          },
          userId: 'u1',
        }),
        endpointPath: 'v2/batch',
        statusCode: 200,
      },
    ],
  },
  {
    title: 'an uninstalled app of an anonymous user fails',
    event: { type: 'track', event: 'Application Uninstalled', anonymousId: 'a1', context: app },
    settings,
    error: instrumentationError('an uninstalled app needs a userId or email, and a device token'),
  },
]
