import type { Draft } from './versions/draft.ts'

/** Code to begin with. */
interface CodeExample {
  readonly title: string
  readonly code: string
}

const agent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'

/** Events to choose, by what they are. */
export const eventExamples: readonly { readonly title: string; readonly events: readonly object[] }[] = [
  {
    title: 'An order and its buyer',
    events: [
      {
        type: 'track',
        event: 'Order Completed',
        messageId: 'm-1',
        userId: 'u-1',
        anonymousId: 'a-1',
        properties: {
          order_id: 'o-1',
          total: 99.5,
          currency: 'EUR',
          coupon: 'SPRING',
          products: [{ product_id: 'p-1', name: 'Tent', price: 49.75, quantity: 2 }],
        },
      },
      {
        type: 'identify',
        messageId: 'm-2',
        userId: 'u-1',
        anonymousId: 'a-1',
        traits: { email: 'ada@example.com', name: 'Ada Example', plan: 'pro' },
      },
    ],
  },
  {
    title: 'Visits of pages, by people and by a robot',
    events: [
      {
        type: 'page',
        messageId: 'm-1',
        anonymousId: 'a-1',
        name: 'Product',
        properties: { url: 'https://shop.example/tent?utm_source=mail&email=ada%40example.com', title: 'Tent' },
        context: { ip: '203.0.113.7', userAgent: agent },
      },
      {
        type: 'page',
        messageId: 'm-2',
        anonymousId: 'a-2',
        name: 'Product',
        properties: { url: 'https://shop.example/tent', title: 'Tent' },
        context: { ip: '203.0.113.9', userAgent: 'Examplebot/1.0 (+https://bot.example)' },
      },
    ],
  },
  {
    title: 'A form with personal data',
    events: [
      {
        type: 'track',
        event: 'Form Submitted',
        messageId: 'm-1',
        userId: 'u-2',
        anonymousId: 'a-2',
        properties: { message: 'Call me at +1 202 555 0143 or write to grace@example.com', topic: 'Returns' },
      },
    ],
  },
]

/** Transformations to choose. The first one is there at the start. */
export const codeExamples: readonly CodeExample[] = [
  {
    title: 'Add a member, and log',
    code: `// Gets every event, and returns it changed. Return nothing to drop it.
export function transformEvent(event, metadata) {
  if (event.type === 'track') {
    event.properties.isLarge = event.properties.total > 50
    log(event.event, 'is large:', event.properties.isLarge)
  }
  return event
}
`,
  },
  {
    title: 'Drop robots',
    code: `export function transformEvent(event) {
  const agent = event.context?.userAgent ?? ''
  if (/bot|crawler|spider/i.test(agent)) {
    log('dropped', agent)
    return
  }
  return event
}
`,
  },
  {
    title: 'One event per product',
    code: `// A list becomes several events.
export function transformEvent(event) {
  const products = event.properties?.products
  if (!products) return event
  return products.map((product, index) => ({
    ...event,
    event: 'Product Bought',
    messageId: \`\${event.messageId}-\${index}\`,
    properties: product,
  }))
}
`,
  },
  {
    title: 'Mask personal data',
    code: `import { mask } from '@sluice/pii'

// Addresses, phone numbers and cards in any text of the event.
export const transformEvent = (event) => mask(event, { replacement: { email: '(an address)' } })
`,
  },
  {
    title: 'TypeScript (loads TypeScript, about 1 MB)',
    code: `type Product = { product_id: string; price: number; quantity: number }

export function transformEvent(event: TrackEvent) {
  const products = (event.properties?.products ?? []) as Product[]
  const sum = products.reduce((total, { price, quantity }) => total + price * quantity, 0)
  return { ...event, properties: { ...event.properties, sum } }
}
`,
  },
  {
    title: 'A mistake, and where it is',
    code: `export function transformEvent(event) {
  // An identify event has no properties.
  event.properties.seen = true
  return event
}
`,
  },
]

/** What the page has at the start. */
export const firstDraft: Draft = {
  events: JSON.stringify(eventExamples[0]?.events, null, 2),
  code: codeExamples[0]?.code ?? '',
  destination: 'WEBHOOK',
  settings: JSON.stringify({ webhookUrl: 'https://hook.example/in', webhookMethod: 'POST' }, null, 2),
}
