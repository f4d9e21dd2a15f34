import {
  configurationError,
  type DeletionExample,
  type DestinationExample,
  instrumentationError,
  json,
} from '../../kit/index.ts'

const settings = { devKey: 'key', androidAppId: 'com.shop', appleAppId: '123456789' }
const posted = {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', authentication: 'key' },
  endpointPath: 'v1/inappevent',
}
const externalId = [{ type: 'appsflyerExternalId', id: 'af-1' }]

/** The examples of the AppsFlyer destination. */
export const appsflyerExamples: readonly DestinationExample[] = [
  {
    title: 'an order is sent with its products as lists',
    event: {
      type: 'track',
      event: 'Order Completed',
      userId: 'u1',
      timestamp: '2024-01-01T00:00:00.000Z',
      context: {
        os: { name: 'Android', version: '14' },
        device: { advertisingId: 'gaid-1' },
        app: { version: '2.0', namespace: 'com.shop' },
        ip: '192.0.2.1',
        externalId,
      },
      properties: {
        revenue: 9,
        currency: 'EUR',
        order_id: 'o1',
        products: [{ product_id: 'p1', price: 4.5, quantity: 2 }],
      },
    },
    settings: { ...settings, listOfProps: [{ property: 'currency' }], sharingFilter: 'all' },
    requests: [
      json({
        ...posted,
        endpoint: 'https://api2.appsflyer.com/inappevent/com.shop',
        body: {
          eventValue: JSON.stringify({
            currency: 'EUR',
            properties: { revenue: 9, order_id: 'o1', products: [{ product_id: 'p1', price: 4.5, quantity: 2 }] },
            af_revenue: 9,
            af_order_id: 'o1',
            af_content_id: ['p1'],
            af_quantity: [2],
            af_price: [4.5],
          }),
          eventName: 'Order Completed',
          eventCurrency: 'EUR',
          eventTime: '2024-01-01T00:00:00.000Z',
          customer_user_id: 'u1',
          ip: '192.0.2.1',
          advertising_id: 'gaid-1',
          app_version_name: '2.0',
          bundleIdentifier: 'com.shop',
          sharing_filter: 'all',
          os: '14',
          appsflyer_id: 'af-1',
        },
      }),
    ],
  },
  {
    title: 'a screen of an iPad is named after its name, with useRichEventName',
    event: { type: 'screen', name: 'Cart', context: { os: { name: 'iPadOS' }, externalId } },
    settings: { ...settings, useRichEventName: true },
    requests: [
      json({
        ...posted,
        endpoint: 'https://api2.appsflyer.com/inappevent/id123456789',
        body: { eventValue: '', eventName: 'Viewed Cart Screen', appsflyer_id: 'af-1' },
      }),
    ],
  },
  {
    title: 'an event of an unknown operating system fails',
    event: { type: 'track', event: 'Seen', context: { externalId } },
    settings,
    error: configurationError('context.os.name must be Android or one of Apple, and the settings need its app id'),
  },
  {
    title: 'an event without the id of AppsFlyer fails',
    event: { type: 'track', event: 'Seen', context: { os: { name: 'android' } } },
    settings,
    error: instrumentationError('the event needs an external id of type appsflyerExternalId'),
  },
]

/** Examples of deletion at AppsFlyer. */
export const appsflyerDeletionExamples: readonly DeletionExample[] = [
  {
    title: 'a user is deleted by the id of a device',
    users: [{ userId: 'u1', ios_advertising_id: 'idfa' }],
    settings: { apiToken: 'token', appleAppId: '123456789', statusCallbackUrls: 'https://callback.test/a' },
    context: { now: Date.UTC(2024, 0), requestId: '97fcd7b2-cc24-47d7-b776-057b7b199513' },
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://hq1.appsflyer.com/api/gdpr/v1/opendsr_request',
        headers: { 'Content-Type': 'application/json', Authorization: 'Bearer token' },
        body: {
          subject_request_type: 'erasure',
          subject_identities: [{ identity_format: 'raw', identity_type: 'ios_advertising_id', identity_value: 'idfa' }],
          status_callback_urls: ['https://callback.test/a'],
          property_id: '123456789',
          subject_request_id: '97fcd7b2-cc24-47d7-b776-057b7b199513',
          submitted_time: '2024-01-01T00:00:00.000Z',
        },
      }),
    ],
  },
  {
    title: 'a user without an AppsFlyer identifier is refused',
    users: [{ userId: 'u1' }],
    settings: { apiToken: 'token', appleAppId: '123456789' },
    error: instrumentationError(
      'one of appsflyer_id, ios_advertising_id, android_advertising_id is needed to delete a user',
    ),
  },
  {
    title: 'a user with an Android device needs androidAppId',
    users: [{ android_advertising_id: 'gaid' }],
    settings: { apiToken: 'token', appleAppId: '123456789' },
    error: configurationError('androidAppId is needed to delete by android_advertising_id'),
  },
]
