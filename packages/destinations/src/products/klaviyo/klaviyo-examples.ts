import { type DeletionExample, type DestinationExample, instrumentationError, json } from '../../kit/index.ts'

const settings = { privateApiKey: 'key', apiVersion: 'v2' }
const headersOf = (revision: string) => ({
  Authorization: 'Klaviyo-API-Key key',
  Accept: 'application/json',
  'Content-Type': 'application/json',
  revision,
})
const headers = headersOf('2024-10-15')
const timestamp = '2024-01-02T03:04:05.000Z'
const traits = { email: 'ada@example.com', firstName: 'Ada', plan: 'pro' }
const ada = { external_id: 'u1', email: 'ada@example.com', first_name: 'Ada', properties: { plan: 'pro' } }

/** Examples of the Klaviyo destination. */
export const klaviyoExamples: readonly DestinationExample[] = [
  {
    title: 'identify updates a profile, and subscribes it to a list if its traits say so',
    event: {
      type: 'identify',
      userId: 'u1',
      traits: { ...traits, properties: { listId: 'l1', subscribe: true, consent: ['email'] } },
    },
    settings,
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://a.klaviyo.com/api/profile-import',
        headers,
        body: { data: { type: 'profile', attributes: ada, meta: { patch_properties: {} } } },
        endpointPath: '/api/profile-import',
      }),
      json({
        method: 'POST',
        endpoint: 'https://a.klaviyo.com/api/profile-subscription-bulk-create-jobs',
        headers,
        body: {
          data: {
            type: 'profile-subscription-bulk-create-job',
            attributes: {
              profiles: {
                data: [
                  {
                    type: 'profile',
                    attributes: {
                      email: 'ada@example.com',
                      subscriptions: { email: { marketing: { consent: 'SUBSCRIBED' } } },
                    },
                  },
                ],
              },
            },
            relationships: { list: { data: { type: 'list', id: 'l1' } } },
          },
        },
        endpointPath: '/api/profile-subscription-bulk-create-jobs',
      }),
    ],
  },
  {
    title: 'track sends an event with its profile and value',
    event: {
      type: 'track',
      event: 'Order Completed',
      messageId: 'm1',
      userId: 'u1',
      timestamp,
      properties: { order_id: 'o1', revenue: '9.5', currency: 'EUR' },
      context: { traits },
    },
    settings,
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://a.klaviyo.com/api/events',
        headers,
        body: {
          data: {
            type: 'event',
            attributes: {
              value: 9.5,
              value_currency: 'EUR',
              time: timestamp,
              properties: { order_id: 'o1' },
              profile: { data: { type: 'profile', attributes: { ...ada, meta: { patch_properties: {} } } } },
              metric: { data: { type: 'metric', attributes: { name: 'Order Completed' } } },
              unique_id: 'm1',
            },
          },
        },
        endpointPath: '/api/events',
      }),
    ],
  },
  {
    title: 'the old revision creates a profile to learn its id, and then updates it',
    event: { type: 'identify', userId: 'u1', traits },
    settings: { ...settings, apiVersion: 'v1' },
    answers: { [`profile ${JSON.stringify(ada)}`]: '01GW' },
    requests: [
      json({
        method: 'PATCH',
        endpoint: 'https://a.klaviyo.com/api/profiles/01GW',
        headers: headersOf('2023-02-22'),
        body: { data: { type: 'profile', attributes: ada, id: '01GW' } },
        endpointPath: '/api/profiles',
      }),
    ],
  },
  {
    title: 'a group event without a list fails',
    event: { type: 'group', userId: 'u1', traits: { ...traits, subscribe: true } },
    settings,
    error: instrumentationError('a group event needs a groupId, which is the id of the list'),
  },
]

/** Examples of deletion at Klaviyo. */
export const klaviyoDeletionExamples: readonly DeletionExample[] = [
  {
    title: 'a user is deleted by email',
    users: [{ userId: 'u1', email: 'ada@example.com' }],
    settings: { privateApiKey: 'key' },
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://a.klaviyo.com/api/data-privacy-deletion-jobs',
        headers: {
          Authorization: 'Klaviyo-API-Key key',
          Accept: 'application/json',
          'Content-Type': 'application/json',
          revision: '2024-10-15',
        },
        body: {
          data: {
            type: 'data-privacy-deletion-job',
            attributes: { profile: { data: { type: 'profile', attributes: { email: 'ada@example.com' } } } },
          },
        },
        endpointPath: '/api/data-privacy-deletion-jobs',
      }),
    ],
  },
]
