import { configurationError, type DestinationExample, instrumentationError, json } from '../../kit/index.ts'

const accepts = { Accept: 'application/json', 'Content-Type': 'application/json' }
const headers = { ...accepts, 'OneSignal-Usage': 'Rudderstack | Partner Integration' }

/** The examples of the OneSignal destination. */
export const oneSignalExamples: readonly DestinationExample[] = [
  {
    title: 'identify registers the email of a user as a device',
    event: {
      type: 'identify',
      userId: 'u1',
      anonymousId: 'a1',
      timestamp: '2024-01-01T00:00:00.000Z',
      traits: { email: 'a@b.test', age: 7 },
    },
    settings: { appId: 'app', emailDeviceType: true },
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://onesignal.com/api/v1/players',
        headers,
        body: {
          created_at: 1_704_067_200,
          last_active: 1_704_067_200,
          external_user_id: 'u1',
          app_id: 'app',
          tags: { email: 'a@b.test', anonymousId: 'a1' },
          device_type: 11,
          identifier: 'a@b.test',
        },
      }),
    ],
  },
  {
    title: 'track tags the devices of the user',
    event: { type: 'track', event: 'Cart Viewed', userId: 'a@b.test', properties: { brand: 'Acme', total: 9 } },
    settings: { appId: 'app', eventAsTags: true, allowedProperties: [{ propertyName: 'brand' }] },
    requests: [
      json({
        method: 'PUT',
        endpoint: 'https://onesignal.com/api/v1/apps/app/users/a%40b.test',
        headers,
        body: { tags: { 'Cart Viewed': true, 'Cart Viewed_brand': 'Acme' } },
      }),
    ],
  },
  {
    title: 'the user model gets purchases and tags',
    event: {
      type: 'track',
      event: 'Order Completed',
      userId: 'u1',
      properties: { products: [{ sku: 's1', quantity: 2, amount: 9, iso: 'EUR' }] },
    },
    settings: { appId: 'app', version: 'V2' },
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://api.onesignal.com/apps/app/users',
        headers: accepts,
        body: {
          properties: {
            purchases: [{ sku: 's1', count: 2, amount: 9, iso: 'EUR' }],
            tags: { 'Order Completed': true },
          },
          identity: { external_id: 'u1' },
        },
      }),
    ],
  },
  {
    title: 'a user without a device fails',
    event: { type: 'identify', userId: 'u1' },
    settings: { appId: 'app' },
    error: configurationError('the user has no email, phone number or device to register'),
  },
  {
    title: 'an event without a userId fails',
    event: { type: 'track', event: 'Cart Viewed', anonymousId: 'a1' },
    settings: { appId: 'app' },
    error: instrumentationError('the event needs a userId'),
  },
]
