import {
  configurationError,
  type DeletionExample,
  type DestinationExample,
  instrumentationError,
  json,
} from '../../kit/index.ts'

const settings = { restApiKey: 'key', dataCenter: 'EU-01' }
const headers = { 'Content-Type': 'application/json', Accept: 'application/json', Authorization: 'Bearer key' }
const host = 'https://rest.fra-01.braze.eu'
const timestamp = '2024-01-02T03:04:05.000Z'

/** Examples of the Braze destination. */
export const brazeExamples: readonly DestinationExample[] = [
  {
    title: 'identify assigns the anonymous person to the user first, and then sets attributes',
    event: {
      type: 'identify',
      userId: 'u1',
      anonymousId: 'a1',
      traits: { email: 'Ada@Example.com', firstName: 'Ada' },
    },
    settings,
    answers: { [`identify ${JSON.stringify([{ alias_name: 'a1', alias_label: 'rudder_id' }, 'u1'])}`]: null },
    requests: [
      json({
        method: 'POST',
        endpoint: `${host}/users/track`,
        headers,
        body: { attributes: [{ email: 'ada@example.com', first_name: 'Ada', external_id: 'u1' }] },
        userId: 'u1',
        endpointPath: 'users/track',
      }),
    ],
  },
  {
    title: 'an e-commerce event is sent in the form that Braze recommends',
    event: {
      type: 'track',
      event: 'Product Viewed',
      userId: 'u1',
      timestamp,
      properties: { product_id: 'p1', name: 'Tea', price: 4, currency: 'EUR' },
    },
    settings: { ...settings, useEcommerceRecommendedEvents: true },
    requests: [
      json({
        method: 'POST',
        endpoint: `${host}/users/track`,
        headers,
        body: {
          partner: 'RudderStack',
          events: [
            {
              name: 'ecommerce.product_viewed',
              properties: {
                product_id: 'p1',
                product_name: 'Tea',
                variant_id: 'p1',
                price: 4,
                currency: 'EUR',
                source: 'web',
              },
              time: timestamp,
              external_id: 'u1',
            },
          ],
        },
        userId: 'u1',
        endpointPath: 'users/track',
      }),
    ],
  },
  {
    title: 'track sends an event, and the known traits of its person',
    event: {
      type: 'track',
      event: 'Read',
      anonymousId: 'a1',
      timestamp,
      properties: { topic: 'kilns' },
      context: { traits: { plan: 'pro' } },
    },
    settings,
    requests: [
      json({
        method: 'POST',
        endpoint: `${host}/users/track`,
        headers,
        body: {
          partner: 'RudderStack',
          attributes: [
            {
              plan: 'pro',
              _update_existing_only: false,
              user_alias: { alias_name: 'a1', alias_label: 'rudder_id' },
            },
          ],
          events: [
            {
              name: 'Read',
              properties: { topic: 'kilns' },
              time: timestamp,
              _update_existing_only: false,
              user_alias: { alias_name: 'a1', alias_label: 'rudder_id' },
            },
          ],
        },
        userId: 'a1',
        endpointPath: 'users/track',
      }),
    ],
  },
  {
    title: 'Order Completed sends a purchase for each product',
    event: {
      type: 'track',
      event: 'Order Completed',
      userId: 'u1',
      timestamp,
      properties: { currency: 'EUR', products: [{ product_id: 'p1', price: '9.5', quantity: 2 }] },
    },
    settings,
    requests: [
      json({
        method: 'POST',
        endpoint: `${host}/users/track`,
        headers,
        body: {
          partner: 'RudderStack',
          purchases: [
            { product_id: 'p1', price: 9.5, currency: 'EUR', quantity: 2, time: timestamp, external_id: 'u1' },
          ],
        },
        userId: 'u1',
        endpointPath: 'users/track',
      }),
    ],
  },
  {
    title: 'a group event changes a subscription, if the settings say so',
    event: { type: 'group', userId: 'u1', groupId: 'g1', traits: { subscriptionState: 'subscribed' } },
    settings: { ...settings, enableSubscriptionGroupInGroupCall: true },
    requests: [
      json({
        method: 'POST',
        endpoint: `${host}/v2/subscription/status/set`,
        headers,
        body: {
          subscription_groups: [
            { subscription_group_id: 'g1', subscription_state: 'subscribed', external_ids: ['u1'] },
          ],
        },
        endpointPath: 'v2/subscription/status/set',
      }),
    ],
  },
  {
    title: 'an alias event without a previousId fails',
    event: { type: 'alias', userId: 'u1' },
    settings,
    error: instrumentationError('an alias event needs a userId and a previousId'),
  },
]

/** Examples of deletion at Braze. */
export const brazeDeletionExamples: readonly DeletionExample[] = [
  {
    title: 'users are deleted by their userId, and users without one are left out',
    users: [{ userId: 'u1' }, { userId: 'u2' }, { email: 'a@example.com' }],
    settings: { restApiKey: 'key', dataCenter: 'EU-01' },
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://rest.fra-01.braze.eu/users/delete',
        headers: { 'Content-Type': 'application/json', Authorization: 'Bearer key' },
        body: { external_ids: ['u1', 'u2'] },
      }),
    ],
  },
  {
    title: 'nothing is deleted without a key',
    users: [{ userId: 'u1' }],
    settings: { dataCenter: 'EU-01' },
    error: configurationError('restApiKey and dataCenter are needed to delete users'),
  },
]
