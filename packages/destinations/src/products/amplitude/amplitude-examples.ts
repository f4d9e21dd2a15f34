import { type DeletionExample, type DestinationExample, form, instrumentationError, json } from '../../kit/index.ts'

const settings = { apiKey: 'key' }
const timestamp = '2024-01-01T00:00:00.000Z'
const common = { device_id: 'a1', time: 1_704_067_200_000, session_id: -1, library: 'rudderstack' }

const events = (event: object, origin = 'https://api2.amplitude.com') => ({
  ...json({
    method: 'POST',
    endpoint: `${origin}/2/httpapi`,
    headers: { 'Content-Type': 'application/json' },
    body: { api_key: 'key', events: [{ ...common, ...event }], options: { min_id_length: 1 } },
    userId: 'a1',
  }),
  endpointPath: '2/httpapi',
})

/** The examples of the Amplitude destination. */
export const amplitudeExamples: readonly DestinationExample[] = [
  {
    title: 'track sends an event, with the revenue moved from its properties to fields',
    event: {
      type: 'track',
      event: 'Order Completed',
      messageId: 'm1',
      anonymousId: 'a1',
      userId: 'u1',
      timestamp,
      properties: { revenue: 9, currency: 'EUR' },
    },
    settings,
    requests: [
      events({
        user_id: 'u1',
        insert_id: 'm1',
        event_type: 'Order Completed',
        event_properties: { currency: 'EUR' },
        user_properties: {},
        price: 9,
        quantity: 1,
        revenue: 9,
        revenueType: 'Purchased',
      }),
    ],
  },
  {
    title: 'each product becomes an event with its own revenue',
    event: {
      type: 'track',
      event: 'Order Completed',
      messageId: 'm1',
      anonymousId: 'a1',
      timestamp,
      properties: { order_id: 'o1', revenue: 8, products: [{ product_id: 'p1', name: 'Tea', price: 4, quantity: 2 }] },
    },
    settings: { ...settings, trackRevenuePerProduct: true },
    requests: [
      events({
        insert_id: 'm1',
        event_type: 'Order Completed',
        event_properties: { order_id: 'o1', revenue: 8 },
        user_properties: {},
      }),
      events({
        insert_id: 'm1-1',
        event_type: 'Product Purchased',
        event_properties: { name: 'Tea' },
        user_properties: {},
        price: 4,
        quantity: 2,
        productId: 'p1',
        revenueType: 'Purchased',
      }),
    ],
  },
  {
    title: 'products of an event without revenue have not been sold, and stay in the event',
    event: {
      type: 'track',
      event: 'Cart Viewed',
      anonymousId: 'a1',
      timestamp,
      properties: { products: [{ product_id: 'p1', price: 4 }] },
    },
    settings,
    requests: [
      events({
        event_type: 'Cart Viewed',
        event_properties: { products: [{ product_id: 'p1', price: 4 }] },
        user_properties: {},
      }),
    ],
  },
  {
    title: 'identify sets user properties, some with the operations of the settings',
    event: {
      type: 'identify',
      anonymousId: 'a1',
      userId: 'u1',
      timestamp,
      traits: { plan: 'pro', logins: 1, address: { city: 'Rome', zip: '00100' } },
      integrations: { Amplitude: { fieldsToUnset: ['trial'] } },
    },
    settings: {
      ...settings,
      residencyServer: 'EU',
      traitsToIncrement: [{ traits: 'logins' }],
      enableEnhancedUserOperations: true,
    },
    requests: [
      events(
        {
          user_id: 'u1',
          city: 'Rome',
          event_type: '$identify',
          user_properties: {
            $set: { plan: 'pro', city: 'Rome', zip: '00100' },
            $add: { logins: 1 },
            $unset: { trial: '-' },
          },
        },
        'https://api.eu.amplitude.com',
      ),
    ],
  },
  {
    title: 'a page event is named by the template in the settings',
    event: { type: 'page', name: 'Cart', anonymousId: 'a1', timestamp, properties: { path: '/cart' } },
    settings: { ...settings, useUserDefinedPageEventName: true, userProvidedPageEventString: 'Saw {{ name }}' },
    requests: [
      events({ event_type: 'Saw Cart', event_properties: { path: '/cart', name: 'Cart' }, user_properties: {} }),
    ],
  },
  {
    title: 'group adds the user to a group and sets the properties of the group',
    event: { type: 'group', anonymousId: 'a1', timestamp, traits: { kind: 'company', name: 'Acme' } },
    settings: { ...settings, groupTypeTrait: 'kind', groupValueTrait: 'name' },
    requests: [
      events({ event_type: '$identify', user_properties: { company: 'Acme' }, groups: { company: 'Acme' } }),
      {
        ...form({
          method: 'POST',
          endpoint: 'https://api2.amplitude.com/groupidentify',
          body: {
            api_key: 'key',
            identification: [
              '{"group_type":"company","group_value":"Acme","group_properties":{"kind":"company","name":"Acme"}}',
            ],
          },
          userId: 'a1',
        }),
        endpointPath: 'groupidentify',
      },
    ],
  },
  {
    title: 'a group without the traits in the settings fails',
    event: { type: 'group', anonymousId: 'a1', groupId: 'g1', traits: { name: 'Acme' } },
    settings: { ...settings, groupTypeTrait: 'kind', groupValueTrait: 'name' },
    error: instrumentationError(
      'The event needs the traits named by groupTypeTrait and groupValueTrait, or a groupId if the settings name none',
    ),
  },
  {
    title: 'an event without userId and device id fails',
    event: { type: 'track', event: 'Seen' },
    settings,
    error: instrumentationError('Either of user ID or device ID fields must be specified'),
  },
]

/** Examples of deletions at Amplitude. */
export const amplitudeDeletionExamples: readonly DeletionExample[] = [
  {
    title: 'users are deleted by their userId',
    users: [{ userId: 'u1' }, { userId: 'u2' }],
    settings: { apiKey: 'key', apiSecret: 'secret' },
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://amplitude.com/api/2/deletions/users',
        headers: { 'Content-Type': 'application/json', Authorization: 'Basic a2V5OnNlY3JldA==' },
        body: { user_ids: ['u1', 'u2'], requester: 'Sluice', ignore_invalid_id: 'true' },
      }),
    ],
  },
]
