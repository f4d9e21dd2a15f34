import { type DestinationExample, instrumentationError, json } from '../../kit/index.ts'

const posted = {
  method: 'POST',
  endpoint: 'https://eu.posthog.test/batch',
  headers: { 'Content-Type': 'application/json' },
}
const settings = { teamApiKey: 'key', yourInstance: 'https://eu.posthog.test/' }

/** The examples of the PostHog destination. */
export const posthogExamples: readonly DestinationExample[] = [
  {
    title: 'track captures an event with browser and page',
    event: {
      type: 'track',
      channel: 'web',
      event: 'Order Placed',
      messageId: 'm1',
      userId: 'u1',
      timestamp: '2024-01-01T00:00:00.000Z',
      properties: { total: 9 },
      context: {
        traits: { plan: 'pro' },
        userAgent:
          'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36',
        page: { url: 'https://shop.test/cart' },
      },
    },
    settings,
    requests: [
      json({
        ...posted,
        body: {
          messageId: 'm1',
          timestamp: '2024-01-01T00:00:00.000Z',
          distinct_id: 'u1',
          event: 'Order Placed',
          properties: {
            $set: { plan: 'pro' },
            $os: 'Mac OS',
            $browser: 'Chrome',
            $browser_version: '120.0.0.0',
            $useragent:
              'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36',
            $current_url: 'https://shop.test/cart',
            $host: 'shop.test',
            $time: '2024-01-01T00:00:00.000Z',
            $timestamp: '2024-01-01T00:00:00.000Z',
            distinct_id: 'u1',
            total: 9,
          },
          type: 'capture',
          api_key: 'key',
        },
      }),
    ],
  },
  {
    title: 'a page keeps its name and category beside the properties',
    event: { type: 'page', name: 'Home', category: 'Docs', userId: 7, properties: { path: '/' } },
    settings,
    requests: [
      json({
        ...posted,
        body: {
          distinct_id: '7',
          name: 'Home',
          category: 'Docs',
          properties: { distinct_id: '7', path: '/' },
          type: 'page',
          event: '$pageview',
          api_key: 'key',
        },
      }),
    ],
  },
  {
    title: 'identify sets the properties of the user',
    event: { type: 'identify', userId: 'u1', traits: { plan: 'pro' } },
    settings,
    requests: [
      json({
        ...posted,
        body: {
          distinct_id: 'u1',
          $set: { plan: 'pro' },
          properties: { distinct_id: 'u1' },
          type: 'identify',
          event: '$identify',
          api_key: 'key',
        },
      }),
    ],
  },
  {
    title: 'group uses group analytics with useV2Group',
    event: { type: 'group', userId: 'u1', groupId: 'g1', traits: { groupType: 'company', name: 'Acme' } },
    settings: { ...settings, useV2Group: true },
    requests: [
      json({
        ...posted,
        body: {
          distinct_id: 'u1',
          properties: {
            distinct_id: 'u1',
            $group_type: 'company',
            $group_key: 'g1',
            $group_set: { name: 'Acme' },
            $groups: { company: 'g1' },
          },
          type: 'group',
          event: '$groupidentify',
          api_key: 'key',
        },
      }),
    ],
  },
  {
    title: 'an event without userId and anonymousId fails',
    event: { type: 'track', event: 'Seen' },
    settings,
    error: instrumentationError('Either userId or anonymousId must be provided'),
  },
]
