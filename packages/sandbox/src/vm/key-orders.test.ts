import { describe, expect, it } from 'vitest'
import { keyOrders } from './key-orders.ts'

describe('key orders', () => {
  it('contain an object for each prefix of the keys of each kind of object', () => {
    const event = {
      type: 'track',
      context: { ip: '1.2.3.4' },
      properties: { products: [{ id: 1, price: 2 }, { id: 3 }] },
    }
    expect(keyOrders(event, 200)).toEqual([
      { type: null },
      { type: null, context: null },
      { type: null, context: null, properties: null },
      { ip: null },
      { products: null },
      { id: null },
      { id: null, price: null },
    ])
  })
  it('are omitted for few events, for which they cost more than they save', () => {
    expect(keyOrders({ type: 'track' }, 99)).toBeNull()
    expect(keyOrders({ type: 'track' }, 100)).toEqual([{ type: null }])
  })
  it('are limited in number for any event', () => {
    const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}`, { [`m${i}`]: 1 }]))
    expect(keyOrders({ wide }, 200)?.length).toBeLessThan(400)
    let deep: object = {}
    for (let i = 0; i < 100_000; i += 1) deep = { deep }
    expect(keyOrders(deep, 200)?.length).toBeLessThan(10)
    expect(keyOrders(null, 200)).toEqual([])
  })
})
