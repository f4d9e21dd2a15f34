import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FairQueue } from './fair-queue.ts'

/** Serves items one by one, each at its cost, until `count` are served. */
function serve(queue: FairQueue<{ owner: string; cost: number }>, count: number): string[] {
  const served: string[] = []
  while (served.length < count) {
    const item = queue.shift()
    if (item === undefined) break
    queue.charge(item.owner, item.cost)
    served.push(item.owner)
  }
  return served
}

describe('a fair queue', () => {
  it('keeps the order of one owner', () => {
    const queue = new FairQueue<number>()
    for (const n of [1, 2, 3]) queue.push('a', n)
    queue.unshift('a', 0)
    expect([queue.shift(), queue.shift(), queue.shift(), queue.shift(), queue.shift()]).toEqual([0, 1, 2, 3, undefined])
  })

  it('lets an owner with one item pass an owner that queued a thousand', () => {
    const queue = new FairQueue<{ owner: string; cost: number }>()
    for (let n = 0; n < 1_000; n += 1) queue.push('flood', { owner: 'flood', cost: 10 })
    expect(serve(queue, 5)).toEqual(Array(5).fill('flood'))
    queue.push('late', { owner: 'late', cost: 10 })
    expect(serve(queue, 2)).toContain('late')
  })

  it('gives no credit for idle time', () => {
    const queue = new FairQueue<{ owner: string; cost: number }>()
    for (let n = 0; n < 100; n += 1) queue.push('busy', { owner: 'busy', cost: 1 })
    serve(queue, 50)
    for (let n = 0; n < 100; n += 1) queue.push('new', { owner: 'new', cost: 1 })
    const next = serve(queue, 20)
    expect(next.filter((owner) => owner === 'busy').length).toBeGreaterThanOrEqual(9)
  })

  it('remembers what an idle owner has used', () => {
    const queue = new FairQueue<{ owner: string; cost: number }>()
    queue.push('heavy', { owner: 'heavy', cost: 100 })
    serve(queue, 1)
    queue.push('heavy', { owner: 'heavy', cost: 100 })
    for (let n = 0; n < 50; n += 1) queue.push('light', { owner: 'light', cost: 1 })
    expect(serve(queue, 50)).toEqual(Array(50).fill('light'))
  })

  it('knows who would be next', () => {
    const queue = new FairQueue<number>()
    expect(queue.wouldBeNext('b')).toBe(true)
    queue.push('a', 1)
    queue.push('a', 2)
    queue.take('a')
    queue.charge('a', 10)
    expect([queue.wouldBeNext('a'), queue.wouldBeNext('b')]).toEqual([false, true])
    queue.charge('b', 11)
    expect(queue.wouldBeNext('b')).toBe(false)
    queue.charge('a', 10)
    expect(queue.wouldBeNext('b')).toBe(true)
  })

  it('makes room by dropping an item of the owner with the most items', () => {
    const queue = new FairQueue<string>()
    for (const item of ['a1', 'a2', 'a3']) queue.push('a', item)
    queue.push('b', 'b1')
    expect(queue.dropFromLongest()).toBe('a3')
    expect(queue.length).toBe(3)
    expect(queue.remove('b', 'b1')).toBe(true)
    expect(queue.remove('b', 'b1')).toBe(false)
    expect(queue.clear()).toEqual(['a1', 'a2'])
    expect([queue.length, queue.dropFromLongest()]).toEqual([0, undefined])
  })

  it('while all owners have items, no owner gets ahead of another by more than the largest item', () => {
    const item = fc.record({ owner: fc.constantFrom('a', 'b', 'c'), cost: fc.integer({ min: 1, max: 50 }) })
    fc.assert(
      fc.property(fc.array(item, { minLength: 3, maxLength: 200 }), (items) => {
        const queue = new FairQueue<{ owner: string; cost: number }>()
        for (const each of items) queue.push(each.owner, each)
        const used = new Map<string, number>([...new Set(items.map(({ owner }) => owner))].map((owner) => [owner, 0]))
        const most = Math.max(...items.map(({ cost }) => cost))
        while (queue.owners().length === used.size) {
          const next = queue.shift()
          if (next === undefined) break
          queue.charge(next.owner, next.cost)
          used.set(next.owner, (used.get(next.owner) ?? 0) + next.cost)
          expect(Math.max(...used.values()) - Math.min(...used.values())).toBeLessThanOrEqual(most)
        }
      }),
    )
  })
})
