import { createManualClock, createSeededRandom, type ManualClock } from '@sluice/core'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Cluster } from '../../ports/cluster.ts'
import { type HistoryStore, minuteMs } from '../../ports/stores/history-store.ts'
import { HistoryKeeper } from './history-keeper.ts'
import { MinuteMeasures } from './minute-measures.ts'

let clock: ManualClock
let start: number
let errors: unknown[]
/** What was written: minutes since the start that were moved, and bytes added to a minute under an id. */
let moved: number[]
/** When counts by name were added up, in minutes since the start. */
let tidied: number[]
let added: (readonly [minute: number, bytes: number | undefined])[]
let ids: Set<string | undefined>
let isDown: boolean
beforeEach(() => {
  clock = createManualClock()
  start = clock.now()
  errors = []
  moved = []
  tidied = []
  added = []
  ids = new Set()
  isDown = false
})

const minuteOf = (at: number) => (at - start) / minuteMs
const history: HistoryStore = {
  snap: async (at) => void moved.push(minuteOf(at)),
  add: async (at, rows, writeId) => {
    if (isDown) throw new Error('down')
    ids.add(writeId)
    added.push([minuteOf(at), rows[0]?.count])
  },
  read: async () => ({ slots: [], unmoved: [] }),
  prune: async () => {},
}

function keeperOf(more: { readonly history?: HistoryStore; readonly cluster?: Cluster } = {}) {
  const measures = new MinuteMeasures()
  const keeper = new HistoryKeeper({
    store: { history, counters: { tidyNamed: async (now) => void tidied.push(minuteOf(now)) }, ...more },
    clock,
    random: createSeededRandom(1),
    measures,
    oldestWaiting: async () => [],
    onError: (error) => errors.push(error),
  })
  return { keeper, measure: (bytes: number) => measures.received('w', 's', bytes) }
}

describe('keeper of the history', () => {
  it('writes the minute that has ended, once, and nothing before', async () => {
    const { keeper, measure } = keeperOf()
    measure(10)
    clock.advance(minuteMs - 1)
    await keeper.look()
    expect(moved).toEqual([])
    clock.advance(1)
    await Promise.all([keeper.look(), keeper.look()])
    await keeper.look()
    expect(tidied).toEqual([1])
    expect([moved, added]).toEqual([[0], [[0, 10]]])
  })

  it('writes when the clock is set back, and again when it moves on', async () => {
    const { keeper, measure } = keeperOf()
    for (const minutes of [5, -3, 1]) {
      measure(1)
      clock.advance(minutes * minuteMs)
      await keeper.look()
    }
    expect(moved).toEqual([0, 5, 2])
    expect(added).toEqual([
      [0, 1],
      [5, 1],
      [2, 1],
    ])
  })

  it('keeps what was measured while the store takes nothing, and adds it to its minute later, under an id of its own', async () => {
    const { keeper, measure } = keeperOf()
    isDown = true
    for (const bytes of [1, 2]) {
      measure(bytes)
      clock.advance(minuteMs)
      await keeper.look()
    }
    expect(errors).toHaveLength(2)
    isDown = false
    clock.advance(minuteMs)
    await keeper.look()
    expect(added).toEqual([
      [0, 1],
      [1, 2],
    ])
    expect([ids.size, ids.has(undefined)]).toEqual([2, false])
  })

  it('writes on close what there is of the minute, when it was started and there is time', async () => {
    for (const [deadlineMs, wanted] of [
      [0, []],
      [5_000, [[0, 3]]],
    ] as const) {
      const { keeper, measure } = keeperOf()
      keeper.start()
      measure(3)
      await keeper.close(deadlineMs)
      expect(added).toEqual(wanted)
    }
  })

  it('is not held up on close by a store that does not answer', async () => {
    const { keeper } = keeperOf({ history: { ...history, snap: () => new Promise(() => {}) } })
    keeper.start()
    await keeper.close(5)
    expect(errors).toEqual([])
  })

  it('moves counts in one process of several, adds measures in each, and writes nothing while it may not', async () => {
    const cluster = (isLeader: boolean, isServing = true) => ({ isLeader, isServing }) as Cluster
    for (const [place, movedByIt, addedByIt] of [
      [cluster(false), 0, 1],
      [cluster(true), 1, 1],
      [cluster(true, false), 0, 0],
    ] as const) {
      ;[moved, added] = [[], []]
      const { keeper, measure } = keeperOf({ cluster: place })
      measure(5)
      clock.advance(minuteMs)
      await keeper.look()
      expect([moved.length, added.length]).toEqual([movedByIt, addedByIt])
    }
  })
})
