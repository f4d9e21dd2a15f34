import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SharedPace } from './shared-pace.ts'

const limits = { msMin: 500, msMax: 10_000, perSecondMax: 20 }

it('is the quickest for few, and keeps the rate of all together for many', () => {
  const pace = new SharedPace(limits)
  const shares = Array.from({ length: 1_000 }, () => pace.share())
  const msOf = (gathering: number): number => {
    for (const [n, share] of shares.entries()) n < gathering ? share.gathers() : share.done()
    return pace.ms
  }
  expect([0, 1, 10, 100, 200, 1_000].map(msOf)).toEqual([500, 500, 500, 5_000, 10_000, 10_000])
})

it('counts each workspace once, however often it says that it has work', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(9), fc.boolean()), { maxLength: 200 }), (changes) => {
      const pace = new SharedPace({ msMin: 0, msMax: Number.POSITIVE_INFINITY, perSecondMax: 1_000 })
      const shares = Array.from({ length: 10 }, () => pace.share())
      const gathering = new Set<number>()
      for (const [n, isMore] of changes) {
        if (isMore) {
          shares[n]?.gathers()
          gathering.add(n)
        } else {
          shares[n]?.done()
          gathering.delete(n)
        }
        expect(pace.ms).toBe(gathering.size)
      }
    }),
  )
})
