import { type DestinationExample, instrumentationError, json } from '../../kit/index.ts'

const settings = { accountId: 'id', passcode: 'pass' }
const posted = {
  method: 'POST',
  endpoint: 'https://api.clevertap.com/1/upload',
  headers: { 'X-CleverTap-Account-Id': 'id', 'X-CleverTap-Passcode': 'pass', 'Content-Type': 'application/json' },
}

/** The examples of the CleverTap destination. */
export const clevertapExamples: readonly DestinationExample[] = [
  {
    title: 'identify sets the profile of a user, and uploads the push token of the device',
    event: {
      type: 'identify',
      userId: 'u1',
      anonymousId: 'a1',
      context: { device: { type: 'Android', token: 'push-1' } },
      traits: { firstName: 'Ada', lastName: 'L', gender: 'female', tags: ['x'] },
    },
    settings: { ...settings, enableObjectIdMapping: true },
    requests: [
      json({
        ...posted,
        body: {
          d: [
            {
              type: 'profile',
              profileData: { tags: '["x"]', Name: 'Ada L', Gender: 'F', identity: 'u1' },
              objectId: 'a1',
            },
          ],
        },
      }),
      json({
        ...posted,
        body: { d: [{ type: 'token', tokenData: { id: 'push-1', type: 'fcm' }, objectId: 'a1' }] },
      }),
    ],
  },
  {
    title: 'an order becomes the event Charged',
    event: {
      type: 'track',
      event: 'Order Completed',
      userId: 'u1',
      properties: {
        checkout_id: 'c1',
        revenue: 9,
        currency: 'EUR',
        products: [{ sku: 's1' }],
        ts: '2024-01-01T00:00:00Z',
      },
    },
    settings: { ...settings, region: 'in1' },
    requests: [
      json({
        ...posted,
        endpoint: 'https://in1.api.clevertap.com/1/upload',
        body: {
          d: [
            {
              evtName: 'Charged',
              evtData: { 'Charged ID': 'c1', Amount: 9, Items: [{ sku: 's1' }], currency: 'EUR' },
              ts: 1_704_067_200,
              type: 'event',
              identity: 'u1',
            },
          ],
        },
      }),
    ],
  },
  {
    title: 'an anonymous event fails unless anonymous users are tracked',
    event: { type: 'page', name: 'Home', anonymousId: 'a1' },
    settings,
    error: instrumentationError('the event needs a userId, because anonymous users are not tracked'),
  },
]
