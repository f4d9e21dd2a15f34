import { describe, expect, it } from 'vitest'
import type { Sample } from '../../../../../telemetry/metric-table.ts'
import { ProcessCounters } from './process-counters.ts'

const labels = { workspace: 'w', stage: 'deliver', outcome: 'passed' }
const ended = (value: number): Sample => ({ name: 'sluice_stage_events_total', labels, value })
const waiting = (value: number): Sample => ({ name: 'sluice_destination_waiting', labels: {}, value })
const valuesOf = (samples: readonly Sample[]) => samples.map(({ value }) => value)

describe('the figures of several processes', () => {
  it('are the sums of their counters', () => {
    const counters = new ProcessCounters()
    expect(
      valuesOf(
        counters.joined(
          new Map([
            [1, [ended(3)]],
            [2, [ended(4)]],
          ]),
        ),
      ),
    ).toEqual([7])
  })

  it('do not decrease when a process ends, and count its successor from zero', () => {
    const counters = new ProcessCounters()
    counters.joined(
      new Map([
        [1, [ended(3)]],
        [2, [ended(4)]],
      ]),
    )
    counters.ended(1)
    expect(valuesOf(counters.joined(new Map([[2, [ended(4)]]])))).toEqual([7])
    expect(
      valuesOf(
        counters.joined(
          new Map([
            [1, [ended(1)]],
            [2, [ended(6)]],
          ]),
        ),
      ),
    ).toEqual([10])
  })

  it('have the counters of a process that does not answer as it answered last, and nothing of its present state', () => {
    const counters = new ProcessCounters()
    counters.joined(
      new Map([
        [1, [ended(3), waiting(5)]],
        [2, [ended(4), waiting(1)]],
      ]),
    )
    expect(valuesOf(counters.joined(new Map([[2, [ended(5), waiting(2)]]])))).toEqual([8, 2])
  })
})
