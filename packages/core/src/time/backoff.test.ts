import { describe, expect, it } from 'vitest'
import { doublingMs } from './backoff.ts'

describe('a doubling wait', () => {
  it('starts at its base, doubles, and stops growing at its cap', () => {
    const waits = [1, 2, 3, 4, 5, 2_000].map((attempt) => doublingMs(attempt, { baseMs: 100, capMs: 1_000 }))
    expect(waits).toEqual([100, 200, 400, 800, 1_000, 1_000])
  })
})
