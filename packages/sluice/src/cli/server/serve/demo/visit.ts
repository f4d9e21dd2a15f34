import { type Chance, oneOf } from './chance.ts'

/** An event as an SDK sends it, with the source that it goes to. */
export interface DemoEvent {
  readonly source: 'web' | 'mobile' | 'till'
  readonly event: Readonly<Record<string, unknown>>
}

const people = 900
const names = ['Ada', 'Grace', 'Linus', 'Barbara', 'Edsger', 'Radia', 'Donald', 'Frances'] as const
const goods = [
  { product_id: 'p-1', name: 'Tent', price: 249 },
  { product_id: 'p-2', name: 'Trail Shoes', price: 119 },
  { product_id: 'p-3', name: 'Head Torch', price: 39.5 },
  { product_id: 'p-4', name: 'Rain Jacket', price: 89 },
] as const

/** How many visits begin in five minutes, at an hour of the day in UTC: few at night, most in the evening. */
export function visitsAt(hour: number): number {
  return Math.round(3 + 6 * (1 + Math.sin(((hour - 13) / 24) * 2 * Math.PI)))
}

/**
 * Returns the events of one visit to the shop, in order.
 * @param at when it begins, in milliseconds since the epoch.
 * @param isNewApp whether the mobile app has its new release, which sends totals as text, a coupon and no products.
 */
export function visit(chance: Chance, at: number, isNewApp: boolean): readonly DemoEvent[] {
  const source = chance() < 0.55 ? 'web' : chance() < 0.85 ? 'mobile' : 'till'
  const person = Math.floor(chance() ** 2 * people)
  const userId = `user-${String(person).padStart(3, '0')}`
  const email = `${names[person % names.length]?.toLowerCase()}.${person}@mail.invalid`
  const events: DemoEvent[] = []
  const add = (event: Readonly<Record<string, unknown>>): void => {
    const time = new Date(at + events.length * 2_000).toISOString()
    const context = contextOf(source, chance)
    events.push({ source, event: { ...event, userId, context, originalTimestamp: time, sentAt: time } })
  }
  if (source !== 'till')
    add({
      type: source === 'web' ? 'page' : 'screen',
      name: 'Shop',
      properties: { path: oneOf(chance, '/', '/tents', '/shoes') },
    })
  if (chance() < 0.16)
    add({
      type: 'identify',
      traits: {
        email,
        firstName: names[person % names.length],
        plan: oneOf(chance, 'free', 'club'),
        phone: chance() < 0.12 ? 'n/a' : '+4930123456',
      },
    })
  const wanted = goods.filter(() => chance() < 0.4)
  for (const product of wanted) add({ type: 'track', event: 'Product Viewed', properties: { ...product } })
  if (wanted.length > 0 && chance() < 0.6) {
    add({ type: 'track', event: 'Product Added', properties: { ...wanted[0], quantity: 1 } })
    if (chance() < 0.75) add(order(chance, email, source === 'mobile' && isNewApp, wanted))
  }
  return events
}

function order(chance: Chance, email: string, isNewApp: boolean, wanted: readonly (typeof goods)[number][]) {
  const total = wanted.reduce((sum, { price }) => sum + price, 0)
  return {
    type: 'track',
    event: 'Order Completed',
    properties: {
      order_id: `o-${Math.floor(chance() * 1e6)}`,
      email,
      total: isNewApp ? String(total) : total,
      ...(chance() < 0.04 ? {} : { currency: oneOf(chance, 'EUR', 'EUR', 'USD') }),
      ...(isNewApp ? { coupon: oneOf(chance, 'WINTER', 'CLUB10') } : {}),
      // A gift card is an order without products, and the new app sends none at all.
      ...(isNewApp || chance() < 0.15 ? {} : { products: wanted.map((product) => ({ ...product, quantity: 1 })) }),
    },
  }
}

function contextOf(source: DemoEvent['source'], chance: Chance) {
  const shared = { locale: oneOf(chance, 'de-DE', 'en-GB', 'fr-FR'), ip: `203.0.113.${Math.floor(chance() * 254)}` }
  if (source === 'web') return { ...shared, library: { name: 'analytics.js', version: '3.2.1' } }
  if (source === 'mobile')
    return { ...shared, library: { name: 'analytics-ios', version: '4.1.0' }, app: { name: 'Shop', version: '5.2.0' } }
  return { library: { name: 'analytics-node', version: '2.1.2' } }
}
