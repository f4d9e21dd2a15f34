import { testTransformation } from '@sluice/testing'
import { testCases } from '@sluice/testing/vitest'
import { expect, test } from 'vitest'

const orders = testTransformation('orders.ts')
const order = { type: 'track', userId: 'u1', event: 'Order Placed', properties: { total: 19.9, currency: 'EUR' } }

test('hashes e-mail addresses', async () => {
  const event = { ...order, properties: { ...order.properties, email: 'kim@shop.test' } }
  await orders
    .on(event)
    .toEmit({ ...order, properties: { currency: 'EUR', cents: 1990, emailHash: expect.any(String) } })
})

testCases(orders, [
  {
    name: 'drops test orders',
    on: { ...order, properties: { ...order.properties, email: 'bot@example.com' } },
    drops: true,
  },
  {
    name: 'refuses orders without a currency, and says so in the log',
    on: { ...order, messageId: 'm1', properties: { total: 1 } },
    fails: 'an order needs total and currency',
    logs: 'an order without total or currency m1',
  },
  {
    name: 'knows currencies without cents',
    on: { ...order, properties: { total: 1200, currency: 'JPY' } },
    emits: { ...order, properties: { currency: 'JPY', cents: 1200 } },
  },
])
