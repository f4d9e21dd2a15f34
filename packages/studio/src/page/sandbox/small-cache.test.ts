import { expect, it } from 'vitest'
import { LRUCache } from './small-cache.ts'

it('forgets what was used longest ago, by number and by size, as the cache it stands for', () => {
  const cache = new LRUCache<string, number>({ max: 3, maxSize: 10, sizeCalculation: (value) => value })
  for (const [key, value] of Object.entries({ a: 1, b: 2, c: 3 })) cache.set(key, value)
  expect(cache.get('a')).toBe(1)
  cache.set('d', 4)
  expect(['a', 'b', 'c', 'd'].map((key) => cache.peek(key))).toEqual([1, undefined, 3, 4])
  cache.set('e', 6)
  expect(['a', 'c', 'd', 'e'].map((key) => cache.peek(key))).toEqual([undefined, undefined, 4, 6])
  cache.set('d', 11)
  expect(cache.get('d')).toBeUndefined()
  cache.clear()
  expect(cache.get('e')).toBeUndefined()
})
