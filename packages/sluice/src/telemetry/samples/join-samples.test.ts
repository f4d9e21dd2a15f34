import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { metricTable, type Sample } from '../metric-table.ts'
import { joinedBy, joinSamples } from './join-samples.ts'
import { createMeasuredSamples } from './measured-samples.ts'

const of = (name: string, value: number, labels = {}): Sample => ({ name, labels, value })
const joined = (name: string, values: readonly number[], labels = {}) =>
  joinSamples(values.map((value) => [of(name, value, labels)])).map(({ value }) => value)

describe('the figures of several processes', () => {
  const rules: readonly [string, string, readonly number[], number][] = [
    ['counters of each process are added', 'sluice_stage_events_total', [3, 4], 7],
    ['events that wait for a retry in each are added', 'sluice_destination_waiting', [3, 4], 7],
    ['lanes are added', 'sluice_cluster_lanes', [15, 17], 32],
    ['of lags, the longest counts', 'sluice_destination_lag_seconds', [3, 4, 1], 4],
    ['all see the same nodes, and one that has just joined may see fewer', 'sluice_cluster_nodes', [1, 2], 2],
    ['of leases, the shortest counts: at 0 a process refuses events', 'sluice_cluster_lease_seconds', [3, 0, 1], 0],
    ['a loss that one process knows is a loss', 'sluice_cluster_loss_unconfirmed', [0, 1], 1],
    ['what the store has is the same in all, and counts once', 'sluice_events_accepted_total', [5, 5], 5],
  ]
  for (const [title, name, values, sum] of rules)
    it(title, () => {
      expect(joined(name, values)).toEqual([sum])
    })

  it('add budgets of memory, and take budgets of the store once', () => {
    expect(joined('sluice_budget_used', [3, 4], { budget: 'bodies' })).toEqual([7])
    expect(joined('sluice_budget_limit', [3, 4], { budget: 'schemaValues' })).toEqual([7])
    expect(joined('sluice_budget_used', [4, 4], { budget: 'log' })).toEqual([4])
  })

  it('keep workspaces and destinations apart', () => {
    const samples = joinSamples([
      [
        of('sluice_destination_waiting', 1, { destination: 'a' }),
        of('sluice_destination_waiting', 2, { destination: 'b' }),
      ],
      [of('sluice_destination_waiting', 4, { destination: 'b' })],
    ])
    expect(samples.map(({ labels, value }) => [labels['destination'], value])).toEqual([
      ['a', 1],
      ['b', 6],
    ])
  })

  it('are those that one process would have measured, whatever process measured what', () => {
    const measured = fc.record({ process: fc.nat({ max: 3 }), value: fc.integer({ min: 0, max: 20_000 }) })
    fc.assert(
      fc.property(fc.array(measured), (all) => {
        const one = createMeasuredSamples()
        const several = Array.from({ length: 4 }, createMeasuredSamples)
        for (const { process, value } of all)
          for (const each of [one, several[process]]) {
            each?.record('sluice_work_events', { workspace: 'w' }, value)
            each?.add('sluice_stage_events_total', { workspace: 'w' }, value)
          }
        const sorted = (samples: readonly Sample[]) => samples.map((sample) => JSON.stringify(pick(sample))).sort()
        expect(sorted(joinSamples(several.map((each) => each.samples(['w']))))).toEqual(sorted(one.samples(['w'])))
      }),
    )
  })

  it('have a rule for every metric that is not of the store', () => {
    const ofStore = Object.keys(metricTable).filter((name) => joinedBy(of(name, 0)) === undefined)
    const ofProcesses = /^sluice_(cluster|stage|work|.*_delay|.*_lag|destination_waiting)/
    expect(ofStore.filter((name) => ofProcesses.test(name))).toEqual([])
  })
})

/** Samples carry more than what is shown. */
function pick({ name, labels, value }: Sample): Sample {
  return { name, labels, value }
}
