import fc from 'fast-check'
import { expect, it } from 'vitest'
import { changedPart } from './changed-part.ts'

it('is what differs between two lists, and nothing where they are the same', () => {
  const list = fc.array(fc.nat(3), { maxLength: 8 })
  fc.assert(
    fc.property(list, list, list, list, (beginning, before, now, end) => {
      const { removed, added } = changedPart([...beginning, ...before, ...end], [...beginning, ...now, ...end])
      // What the two have in common at their ends, too.
      expect(removed.length).toBeLessThanOrEqual(before.length)
      expect(added.length).toBeLessThanOrEqual(now.length)
      expect(removed.length - added.length).toBe(before.length - now.length)
      if (removed.length > 0 && added.length > 0) {
        expect(removed[0]).not.toBe(added[0])
        expect(removed.at(-1)).not.toBe(added.at(-1))
      }
    }),
  )
  expect(changedPart(['a', 'b', 'c'], ['a', 'x', 'c'])).toEqual({ removed: ['b'], added: ['x'] })
  expect(changedPart(['a', 'b'], ['a', 'b', 'c'])).toEqual({ removed: [], added: ['c'] })
})
