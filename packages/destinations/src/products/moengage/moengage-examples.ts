import { type DestinationExample, instrumentationError, json } from '../../kit/index.ts'

const settings = { apiId: 'app', apiKey: 'key', region: 'EU' }
const headers = { 'Content-Type': 'application/json', 'MOE-APPKEY': 'app', Authorization: 'Basic YXBwOmtleQ==' }
const v1 = 'https://api-02.moengage.com/v1'

/** The examples of the MoEngage destination. */
export const moengageExamples: readonly DestinationExample[] = [
  {
    title: 'identify sets the attributes of a user, and registers the device',
    event: {
      type: 'identify',
      userId: 'u1',
      context: { device: { type: 'iOS', id: 'd1', token: 'push-1' } },
      traits: { firstName: 'Ada', address: { city: 'Rome' } },
    },
    settings,
    requests: [
      json({
        method: 'POST',
        endpoint: `${v1}/customer/app`,
        headers,
        body: {
          customer_id: 'u1',
          type: 'customer',
          attributes: { 'address.city': 'Rome', first_name: 'Ada' },
        },
        userId: 'u1',
        endpointPath: 'customer',
      }),
      json({
        method: 'POST',
        endpoint: `${v1}/device/app`,
        headers,
        body: {
          customer_id: 'u1',
          device_id: 'd1',
          type: 'device',
          attributes: { platform: 'iOS', push_id: 'push-1' },
        },
        userId: 'u1',
        endpointPath: 'device',
      }),
    ],
  },
  {
    title: 'track sends an event with the time zone of the user',
    event: {
      type: 'track',
      channel: 'web',
      event: 'Order Completed',
      anonymousId: 'a1',
      timestamp: '2024-07-01T00:00:00.000Z',
      context: { timezone: 'Europe/Berlin' },
      properties: { products: [{ sku: 's1' }] },
    },
    settings: { ...settings, useObjectData: true },
    requests: [
      json({
        method: 'POST',
        endpoint: `${v1}/event/app`,
        headers,
        body: {
          customer_id: 'a1',
          type: 'event',
          actions: [
            {
              action: 'Order Completed',
              attributes: { products: [{ sku: 's1' }] },
              platform: 'web',
              current_time: '2024-07-01T00:00:00.000Z',
              user_timezone_offset: 7200,
            },
          ],
        },
        userId: 'a1',
        endpointPath: 'event',
      }),
    ],
  },
  {
    title: 'an alias without a previousId fails',
    event: { type: 'alias', userId: 'u1' },
    settings,
    error: instrumentationError('Missing required value from "previousId"'),
  },
]
