import { type DestinationExample, instrumentationError, json } from '../../kit/index.ts'

const settings = { branchKey: 'key' }
const headers = { 'Content-Type': 'application/json', Accept: 'application/json' }

/** The examples of the Branch destination. */
export const branchExamples: readonly DestinationExample[] = [
  {
    title: 'an order becomes a standard event with an item for each product',
    event: {
      type: 'track',
      event: 'Order Completed',
      userId: 'u1',
      context: {
        os: { name: 'iOS' },
        device: { id: 'vendor-1', advertisingId: 'idfa-1', attTrackingStatus: 3 },
      },
      properties: { order_id: 'o1', revenue: 9, currency: 'EUR', products: [{ sku: 's1', price: 9, size: 'M' }] },
    },
    settings: { ...settings, eventsMapping: [{ from: 'Order Completed', to: 'PURCHASE' }] },
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://api2.branch.io/v2/event/standard',
        headers,
        body: {
          custom_data: { order_id: 'o1', size: 'M' },
          content_items: [{ $sku: 's1', $price: 9 }, {}],
          event_data: { revenue: 9, currency: 'EUR' },
          user_data: {
            os: 'iOS',
            developer_identity: 'u1',
            idfa: 'idfa-1',
            idfv: 'vendor-1',
            limit_ad_tracking: false,
          },
          name: 'PURCHASE',
          branch_key: 'key',
        },
      }),
    ],
  },
  {
    title: 'identify becomes a custom event with the traits',
    event: { type: 'identify', userId: 'u1', anonymousId: 'a1', traits: { plan: 'pro' } },
    settings,
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://api2.branch.io/v2/event/custom',
        headers,
        body: {
          custom_data: { plan: 'pro' },
          content_items: [{}],
          user_data: { developer_identity: 'u1' },
          name: 'u1',
          branch_key: 'key',
        },
        userId: 'a1',
      }),
    ],
  },
  {
    title: 'an event without a name fails',
    event: { type: 'track', userId: 'u1' },
    settings,
    error: instrumentationError('the event needs a name'),
  },
]
