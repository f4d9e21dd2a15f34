import type { Event, EventType, JsonObject } from '@sluice/core'

const traits: JsonObject = {
  email: 'ada@example.com',
  name: 'Ada Example',
  firstName: 'Ada',
  lastName: 'Example',
  phone: '+1-202-555-0143',
  age: 36,
  plan: 'pro',
  address: { street: '1 Main Street', city: 'Springfield', state: 'IL', country: 'US', postalCode: '62701' },
  company: { id: 'company-1', name: 'Example Ltd', industry: 'retail' },
  createdAt: '2025-06-01T09:00:00.000Z',
}

const page: JsonObject = {
  path: '/products/tent',
  url: 'https://shop.example.com/products/tent?utm_source=mail',
  title: 'Tent',
  search: '?utm_source=mail',
  referrer: 'https://www.example.org/',
}

const context: JsonObject = {
  traits,
  ip: '203.0.113.7',
  locale: 'en-US',
  timezone: 'America/Chicago',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  library: { name: 'analytics.js', version: '3.0.0' },
  app: { name: 'Shop', version: '4.2.0', build: '420', namespace: 'com.example.shop' },
  device: { id: 'device-1', type: 'Android', manufacturer: 'Example', model: 'P9', name: 'p9', advertisingId: 'ad-1' },
  os: { name: 'Android', version: '14' },
  network: { carrier: 'Example Mobile', wifi: true, cellular: false, bluetooth: false },
  screen: { width: 1080, height: 2340, density: 3 },
  campaign: { name: 'spring', source: 'mail', medium: 'email', term: 'tent', content: 'header' },
  page,
  sessionId: 1767254400,
}

const properties: JsonObject = {
  ...page,
  category: 'Outdoor',
  order_id: 'order-1',
  revenue: 99.5,
  total: 99.5,
  price: 49.75,
  quantity: 2,
  currency: 'USD',
  coupon: 'SPRING',
  email: 'ada@example.com',
  products: [
    { product_id: 'p-1', sku: 'T-1', name: 'Tent', category: 'Outdoor', brand: 'Example', price: 49.75, quantity: 2 },
  ],
}

/**
 * One complete event of each type, for tests without events of their own. Each has `properties`, `traits` and `context`
 * with everything SDKs send, so that ordinary code finds every object it reads. Source:
 * packages/docs/behaviour/events.md#sample-events.
 */
export const sampleEvents: readonly Event[] = (
  [
    ['identify', {}],
    ['track', { event: 'Order Completed' }],
    ['page', { name: 'Product', category: 'Outdoor' }],
    ['screen', { name: 'Product', category: 'Outdoor' }],
    ['group', { groupId: 'company-1' }],
    ['alias', { previousId: 'anonymous-1' }],
  ] satisfies readonly (readonly [EventType, JsonObject])[]
).map(([type, own], index) => ({
  type,
  messageId: `00000000-0000-4000-8000-00000000000${index + 1}`,
  userId: 'user-1',
  anonymousId: 'anonymous-1',
  rudderId: '00000000-0000-4000-8000-0000000000ff',
  channel: 'web',
  ...own,
  properties,
  traits,
  context,
  integrations: { All: true },
  originalTimestamp: '2026-01-01T08:00:00.000Z',
  sentAt: '2026-01-01T08:00:01.000Z',
  receivedAt: '2026-01-01T08:00:02.000Z',
  timestamp: '2026-01-01T08:00:01.000Z',
  request_ip: '203.0.113.7',
}))
