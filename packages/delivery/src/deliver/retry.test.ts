import { createSeededRandom } from '@sluice/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { backoffMs } from './retry.ts'

const backoff = { baseMs: 200, capMs: 5_000 }

describe('backoffMs', () => {
  it('is between half and all of the doubled wait, and never above the cap', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000 }), fc.integer(), fc.nat({ max: 10_000 }), (attempt, seed, asked) => {
        const wait = backoffMs(attempt, backoff, createSeededRandom(seed), asked)
        const full = Math.min(5_000, 200 * 2 ** (attempt - 1))
        expect(wait).toBeGreaterThanOrEqual(Math.max(full / 2, Math.min(asked, 5_000)))
        expect(wait).toBeLessThanOrEqual(Math.max(full, Math.min(asked, 5_000)))
      }),
    )
  })

  it('differs between requests that failed together', () => {
    const waits = new Set([1, 2, 3, 4, 5].map((seed) => backoffMs(3, backoff, createSeededRandom(seed))))
    expect(waits.size).toBe(5)
  })
})
