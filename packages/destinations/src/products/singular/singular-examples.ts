import { type DestinationExample, instrumentationError, query } from '../../kit/index.ts'

const settings = { apiKey: 'key' }
const context = {
  os: { name: 'Android', version: '14' },
  app: { namespace: 'com.shop', version: '2.0' },
  device: { id: 'd1', advertisingId: 'gaid-1', model: 'Pixel 8', manufacturer: 'Google', adTrackingEnabled: true },
  network: { wifi: true },
  ip: '192.0.2.1',
  locale: 'en-US',
}

/** The examples of the Singular destination. */
export const singularExamples: readonly DestinationExample[] = [
  {
    title: 'an order becomes one request for each product',
    event: {
      type: 'track',
      event: 'Order Completed',
      userId: 'u1',
      timestamp: '2024-01-01T00:00:00.000Z',
      context,
      properties: { currency: 'EUR', order_id: 'o1', products: [{ product_id: 'p1', price: 4.5, quantity: 2 }] },
    },
    settings,
    requests: [
      query({
        method: 'GET',
        endpoint: 'https://s2s.singular.net/api/v1/evt',
        params: {
          p: 'Android',
          i: 'com.shop',
          ip: '192.0.2.1',
          ve: '14',
          custom_user_id: 'u1',
          utime: 1_704_067_200,
          aifa: 'gaid-1',
          andi: 'd1',
          c: 'wifi',
          a: 'key',
          partner: 'rudderstack',
          n: 'Order Completed',
          cur: 'EUR',
          e: { order_id: 'o1' },
          amt: 9,
          purchase_product_id: 'p1',
          is_revenue_event: true,
        },
        endpointPath: '/v1/evt',
      }),
    ],
  },
  {
    title: 'a session is sent with the Singular device id, if there is one',
    event: {
      type: 'track',
      event: 'Application Opened',
      timestamp: '2024-01-01T00:00:00.000Z',
      integrations: { Singular: { singularDeviceId: 'sd1', limitDataSharing: true } },
      context,
      properties: { install: 'false' },
    },
    settings,
    requests: [
      query({
        method: 'GET',
        endpoint: 'https://s2s.singular.net/api/v2/launch',
        params: {
          p: 'Android',
          install_source: '',
          i: 'com.shop',
          ip: '192.0.2.1',
          ve: '14',
          utime: 1_704_067_200,
          data_sharing_options: { limit_data_sharing: true },
          sdid: 'sd1',
          c: 'wifi',
          a: 'key',
          partner: 'rudderstack',
          app_v: '2.0',
          mo: 'Pixel 8',
          ma: 'Google',
          lc: 'en-US',
          sessionNotificationName: 'Application Opened',
          install: 'false',
          install_time: 1_704_067_200,
          update_time: 1_704_067_200,
          dnt: 0,
        },
        endpointPath: '/v2/launch',
      }),
    ],
  },
  {
    title: 'an event of an unknown platform fails',
    event: { type: 'track', event: 'Seen', context: { os: { name: 'Windows' } } },
    settings,
    error: instrumentationError(
      'context.os.name must be Android, a mobile platform of Apple, or one of PCs and consoles',
    ),
  },
]
