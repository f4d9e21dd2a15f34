import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LayeredMap } from './layered-map.ts'

it('is a map, whatever is set, deleted and put on top', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd', 'e')
  const step = fc.oneof(
    fc.record({ kind: fc.constant('set' as const), key, value: fc.nat(9) }),
    fc.record({ kind: fc.constant('delete' as const), key }),
    fc.record({ kind: fc.constant('layer' as const), key }),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(key, fc.nat(9))), fc.array(step, { maxLength: 30 }), (first, steps) => {
      const map = new Map(first)
      let layered = new LayeredMap(new Map(first))
      for (const each of steps) {
        const before = [...layered]
        if (each.kind === 'set') {
          map.set(each.key, each.value)
          layered.set(each.key, each.value)
        } else if (each.kind === 'delete') expect(layered.delete(each.key)).toBe(map.delete(each.key))
        else {
          const below = layered
          layered = new LayeredMap(layered)
          layered.set('above', 1)
          layered.delete('above')
          expect([...below]).toEqual(before)
        }
        expect([...layered]).toEqual([...map])
        expect([layered.size, layered.get(each.key), layered.has(each.key)]).toEqual([
          map.size,
          map.get(each.key),
          map.has(each.key),
        ])
      }
      expect([[...layered.keys()], [...layered.values()]]).toEqual([[...map.keys()], [...map.values()]])
    }),
  )
})

it('stays the same map when thousands of changes come one after the other', () => {
  let layered = new LayeredMap(new Map([['first', 0]]))
  for (let n = 1; n <= 3_000; n += 1) layered = new LayeredMap(layered).set(`k${n}`, n)
  expect([...layered.values()]).toEqual(Array.from({ length: 3_001 }, (_, n) => n))
})
