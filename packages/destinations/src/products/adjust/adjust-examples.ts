import { configurationError, type DestinationExample, instrumentationError, query } from '../../kit/index.ts'

const settings = { appToken: 'app', customMappings: [{ from: 'Order Completed', to: 'abc123' }] }
const posted = { method: 'POST', endpoint: 'https://s2s.adjust.com/event', headers: { Accept: '*/*' } }

/** The examples of the Adjust destination. */
export const adjustExamples: readonly DestinationExample[] = [
  {
    title: 'an order is sent with its revenue, and its other properties as callback parameters',
    event: {
      type: 'track',
      event: 'Order Completed',
      anonymousId: 'a1',
      context: {
        device: { type: 'iOS', id: 'vendor-1', advertisingId: 'idfa-1', attTrackingStatus: 3 },
        ip: '192.0.2.1',
      },
      properties: { revenue: '20.375', currency: 'EUR', order_id: 'o1', items: [{ sku: 7 }] },
    },
    settings: { ...settings, environment: true, partnerParamsKeys: [{ from: 'order_id', to: 'order' }] },
    requests: [
      query({
        ...posted,
        params: {
          revenue: 20.38,
          ip_address: '192.0.2.1',
          idfa: 'idfa-1',
          idfv: 'vendor-1',
          att_status: 3,
          currency: 'EUR',
          callback_params: '{"order_id":"o1","items[0].sku":"7"}',
          s2s: 1,
          app_token: 'app',
          partner_params: { order: 'o1' },
          event_token: 'abc123',
          environment: 'production',
        },
        userId: 'a1',
      }),
    ],
  },
  {
    title: 'an event without properties is sent to the sandbox by default',
    event: { type: 'track', event: 'Order Completed', context: { device: { type: 'android', id: 'd1' } } },
    settings,
    requests: [
      query({
        ...posted,
        params: { android_id: 'd1', s2s: 1, app_token: 'app', event_token: 'abc123', environment: 'sandbox' },
      }),
    ],
  },
  {
    title: 'an event without a device fails',
    event: { type: 'track', event: 'Order Completed' },
    settings,
    error: instrumentationError('context.device needs a type and an id'),
  },
  {
    title: 'an event without a token fails',
    event: { type: 'track', event: 'Seen', context: { device: { type: 'android', id: 'd1' } } },
    settings,
    error: configurationError('customMappings has no token for this event'),
  },
]
