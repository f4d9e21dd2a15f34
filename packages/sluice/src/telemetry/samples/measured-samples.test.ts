import { describe, expect, it } from 'vitest'
import { createMeasuredSamples } from './measured-samples.ts'

describe('measured samples', () => {
  it('counts a value in every bucket whose bound it does not exceed', () => {
    const measured = createMeasuredSamples()
    for (const value of [1, 2, 2, 5_000]) measured.record('sluice_work_events', { workspace: 'w' }, value)
    const samples = measured.samples(['w'])
    const countAt = (le: string) => samples.find(({ labels }) => labels['le'] === le)?.value
    expect(['1', '2', '5', '2000', '+Inf'].map(countAt)).toEqual([1, 3, 3, 3, 4])
    expect(samples.slice(-2).map(({ name, value }) => [name, value])).toEqual([
      ['sluice_work_events_sum', 5_005],
      ['sluice_work_events_count', 4],
    ])
  })

  it('shows a workspace nothing of another, and starts no series beyond its limit', () => {
    const measured = createMeasuredSamples()
    for (let i = 0; i < 10_100; i += 1) measured.add('sluice_stage_events_total', { workspace: 'w', stage: `s${i}` }, 1)
    measured.add('sluice_stage_events_total', { workspace: 'w', stage: 's0' }, 1)
    measured.add('sluice_stage_events_total', { workspace: 'v', stage: 's0' }, 1)
    expect(measured.samples(['w'])).toHaveLength(10_000)
    expect(measured.samples(['w'])[0]?.value).toBe(2)
    expect(measured.samples(['v'])).toEqual([])
  })
})
