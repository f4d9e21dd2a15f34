import { describe, expect, it } from 'vitest'
import { sampleCount } from './suites/sample-records.ts'
import { sumCounts } from './sum-counts.ts'

describe('sum counts', () => {
  it('returns one row per counter, in order of first appearance', () => {
    const other = sampleCount({ reason: 'late' })
    expect(sumCounts([sampleCount({ count: 2 }), other, sampleCount({ count: 3 })])).toEqual([
      sampleCount({ count: 5 }),
      other,
    ])
  })

  it('keeps counters apart that differ in a single member', () => {
    const counts = [
      sampleCount(),
      sampleCount({ workspaceId: 'w2' }),
      sampleCount({ sourceId: 's2' }),
      sampleCount({ destinationId: 'd1' }),
      sampleCount({ kind: 'received' }),
      sampleCount({ reason: 'r' }),
    ]
    expect(sumCounts(counts)).toEqual(counts)
  })
})
