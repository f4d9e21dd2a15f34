import type { JsonObject } from '@sluice/core'
import {
  type DeletionExample,
  type DeliveryRequest,
  type DestinationExample,
  instrumentationError,
  jsonArray,
} from '../../kit/index.ts'

const timestamp = '2024-01-01T00:00:00.000Z'
const time = Date.parse(timestamp)

const imported = (event: JsonObject, userId = 'u1'): DeliveryRequest => ({
  ...jsonArray({
    method: 'POST',
    endpoint: 'https://api.mixpanel.com/import/',
    headers: { 'Content-Type': 'application/json', Authorization: 'Basic dG9rZW46' },
    params: { strict: 0 },
    body: [event],
    userId,
  }),
  endpointPath: 'import',
})

const changed = (kind: 'engage' | 'groups', update: JsonObject): DeliveryRequest => ({
  ...jsonArray({
    method: 'POST',
    endpoint: `https://api-eu.mixpanel.com/${kind}/`,
    headers: { 'Content-Type': 'application/json' },
    params: { verbose: 2 },
    body: [update],
    userId: 'u1',
  }),
  endpointPath: kind,
})

/** The examples of the Mixpanel destination. */
export const mixpanelExamples: readonly DestinationExample[] = [
  {
    title: 'track imports an event with traits and context',
    event: {
      type: 'track',
      event: 'Song Played',
      messageId: '1700000000000-11111111-2222-3333-4444-555555555555',
      userId: 'u1',
      anonymousId: 'a1',
      timestamp,
      properties: { song: 'Golden Slumbers' },
      context: { ip: '203.0.113.7', traits: { plan: 'pro' }, os: { name: 'Android', version: '14' } },
    },
    settings: { token: 'token', identityMergeApi: 'simplified' },
    requests: [
      imported({
        event: 'Song Played',
        properties: {
          song: 'Golden Slumbers',
          plan: 'pro',
          ip: '203.0.113.7',
          $user_id: 'u1',
          $os: 'Android',
          $os_version: '14',
          $insert_id: '11111111-2222-3333-4444-555555555555',
          token: 'token',
          distinct_id: 'u1',
          time,
          $device_id: 'a1',
        },
      }),
    ],
  },
  {
    title: 'a page event is named by the template in the settings; anonymous users are identified by device',
    event: { type: 'page', name: 'Cart', anonymousId: 'a1', timestamp, properties: { items: 2 } },
    settings: {
      token: 'token',
      identityMergeApi: 'simplified',
      useUserDefinedPageEventName: true,
      userDefinedPageEventTemplate: 'Viewed {{ name }} with {{ properties.items }} items',
    },
    requests: [
      imported(
        {
          event: 'Viewed Cart with 2 items',
          properties: { items: 2, token: 'token', distinct_id: '$device:a1', time, $device_id: 'a1', name: 'Cart' },
        },
        'a1',
      ),
    ],
  },
  {
    title: 'revenue and incremented properties also update the profile of the user',
    event: {
      type: 'track',
      event: 'Order Placed',
      userId: 'u1',
      timestamp,
      properties: { revenue: 20, items: 3 },
    },
    settings: { token: 'token', dataResidency: 'eu', propIncrements: [{ property: 'items' }] },
    requests: [
      changed('engage', {
        $append: { $transactions: { $time: timestamp, $amount: 20 } },
        $token: 'token',
        $distinct_id: 'u1',
      }),
      changed('engage', { $add: { items: 3 }, $token: 'token', $distinct_id: 'u1' }),
      {
        ...imported({
          event: 'Order Placed',
          properties: { revenue: 20, items: 3, $user_id: 'u1', token: 'token', distinct_id: 'u1', time },
        }),
        endpoint: 'https://api-eu.mixpanel.com/import/',
      },
    ],
  },
  {
    title: 'identify updates the profile with traits, using the operations of the settings',
    event: {
      type: 'identify',
      userId: 'u1',
      timestamp,
      traits: {
        email: 'ada@example.com',
        firstName: 'Ada',
        lastName: 'Lovelace',
        address: { city: 'London' },
        tags: ['maths'],
        visited: 'docs',
        plan: 'pro',
      },
    },
    settings: {
      token: 'token',
      dataResidency: 'eu',
      useNewMapping: true,
      setOnceProperties: [{ property: 'address.city' }],
      unionProperties: [{ property: 'tags' }],
      appendProperties: [{ property: 'visited' }],
    },
    requests: [
      changed('engage', { $set_once: { $city: 'London' }, $token: 'token', $distinct_id: 'u1' }),
      changed('engage', { $union: { tags: ['maths'] }, $token: 'token', $distinct_id: 'u1' }),
      changed('engage', { $append: { visited: 'docs' }, $token: 'token', $distinct_id: 'u1' }),
      changed('engage', {
        $set: {
          $email: 'ada@example.com',
          $first_name: 'Ada',
          $last_name: 'Lovelace',
          $name: 'Ada Lovelace',
          plan: 'pro',
        },
        $token: 'token',
        $distinct_id: 'u1',
        $time: time,
      }),
    ],
  },
  {
    title: 'an event without a user is imported, and updates no profile',
    event: { type: 'track', event: 'Order Placed', timestamp, properties: { revenue: 20, brand: 'Acme' } },
    settings: { token: 'token' },
    requests: [
      imported(
        { event: 'Order Placed', properties: { revenue: 20, brand: 'Acme', $brand: 'Acme', token: 'token', time } },
        '',
      ),
    ],
  },
  {
    title: 'ids are texts, and the properties of a page come before the traits of its user',
    event: {
      type: 'page',
      userId: 7,
      timestamp,
      properties: { plan: 'free' },
      context: { traits: { plan: 'pro' }, campaign: { name: 'spring' } },
    },
    settings: { token: 'token' },
    requests: [
      imported(
        {
          event: 'Loaded a Page',
          properties: {
            plan: 'free',
            campaign_id: 'spring',
            $user_id: '7',
            token: 'token',
            distinct_id: '7',
            time,
            utm_campaign: 'spring',
          },
        },
        '7',
      ),
    ],
  },
  {
    title: 'group adds the user to a group and updates the group',
    event: { type: 'group', userId: 'u1', traits: { company: 'Acme', seats: 5 } },
    settings: { token: 'token', dataResidency: 'eu', groupKeySettings: [{ groupKey: 'company' }] },
    requests: [
      changed('engage', { $token: 'token', $distinct_id: 'u1', $set: { company: ['Acme'] } }),
      changed('groups', {
        $token: 'token',
        $group_key: 'company',
        $group_id: 'Acme',
        $set: { company: 'Acme', seats: 5 },
      }),
    ],
  },
  {
    title: 'alias adds an id of the user, in projects with the original identity merge API',
    event: { type: 'alias', userId: 'u1', previousId: 'a1' },
    settings: { token: 'token' },
    requests: [imported({ event: '$create_alias', properties: { distinct_id: 'a1', alias: 'u1', token: 'token' } })],
  },
  {
    title: 'an event without a valid time fails',
    event: { type: 'track', event: 'Song Played', userId: 'u1', timestamp: 'yesterday' },
    settings: { token: 'token' },
    error: instrumentationError('neither timestamp nor originalTimestamp of the event is a valid date'),
  },
  {
    title: 'an alias of itself fails',
    event: { type: 'alias', userId: 'u1', previousId: 'u1' },
    settings: { token: 'token' },
    error: instrumentationError('the user u1 is an alias of itself'),
  },
  {
    title: 'an event that is too old for Mixpanel fails',
    event: { type: 'track', event: 'Song Played', userId: 'u1', timestamp: '2018-12-31T00:00:00.000Z' },
    settings: { token: 'token' },
    error: instrumentationError('the event is older than 5 years, which Mixpanel does not import'),
  },
]

/** Examples of deletions at Mixpanel. */
export const mixpanelDeletionExamples: readonly DeletionExample[] = [
  {
    title: 'the profile of a user is deleted',
    users: [{ userId: 'u1' }],
    settings: { token: 'token' },
    requests: [
      jsonArray({
        method: 'POST',
        endpoint: 'https://api.mixpanel.com/engage',
        headers: { 'Content-Type': 'application/json' },
        body: [{ $distinct_id: 'u1', $token: 'token', $delete: null, $ignore_alias: true }],
      }),
    ],
  },
]
