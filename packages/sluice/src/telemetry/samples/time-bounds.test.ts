import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMeasuredSamples } from './measured-samples.ts'
import { timeBounds } from './time-bounds.ts'

const commits = (seconds: readonly number[]) => {
  const measured = createMeasuredSamples()
  for (const [n, each] of seconds.entries())
    measured.record('sluice_work_seconds', { workspace: 'w', destination: `d${n % 2}`, kind: 'commit' }, each)
  measured.record('sluice_work_seconds', { workspace: 'w', kind: 'append' }, 9)
  return timeBounds(measured.samples(['w']), 'sluice_work_seconds', { kind: 'commit' })
}

describe('bounds of times', () => {
  it('are never below the true share, over all series with the labels', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 0.9, noNaN: true }), { minLength: 1, maxLength: 40 }), (times) => {
        const sorted = [...times].sort((a, b) => a - b)
        const exact = (share: number) => 1_000 * (sorted[Math.ceil(share * sorted.length) - 1] ?? 0)
        const bounds = commits(times)
        expect(bounds?.count).toBe(times.length)
        expect(bounds?.halfWithinMs).toBeGreaterThanOrEqual(exact(0.5))
        expect(bounds?.almostAllWithinMs).toBeGreaterThanOrEqual(exact(0.99))
      }),
    )
  })

  it('are absent beyond the last bucket, and where nothing was measured', () => {
    expect(commits([10_000])).toEqual({ count: 1 })
    expect(commits([])).toBeUndefined()
  })
})
