import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock, systemRandom } from '@sluice/core'
import type { CountDelta, HistoryRow, Store } from '@sluice/pipeline'
import { openSqliteStore } from '@sluice/storage'
import { type Figure, runBench } from './bench-kit.ts'

const workspaceId = 'workspace-1'
const minuteMs = 60_000
const quarterMs = 15 * minuteMs
const dayMs = 24 * 60 * minuteMs
const start = Date.UTC(2026, 0, 1)
/** What moves in a minute: 23 series of each of ten destinations, as the demonstration has. */
const destinations = 10
const seriesPerDestination = 23
const series = destinations * seriesPerDestination
const repeats = 20

const counters: readonly CountDelta[] = Array.from({ length: series }, (_, n) => ({
  workspaceId,
  sourceId: 'web',
  destinationId: `destination-${Math.floor(n / seriesPerDestination)}`,
  kind: n % 2 === 0 ? 'failed' : 'dropped',
  reason: `reason ${n % seriesPerDestination}`,
  count: 1 + (n % 9),
}))
const measures: readonly HistoryRow[] = counters

async function withStore(work: (store: Store) => Promise<number>): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-history-bench-'))
  const store = await openSqliteStore({ path: join(folder, 'store.db'), clock: systemClock, random: systemRandom })
  try {
    return await work(store)
  } finally {
    await store.close()
    rmSync(folder, { recursive: true })
  }
}

/** Returns the median of some runs, in milliseconds. */
async function medianMs(run: (turn: number) => Promise<void>): Promise<number> {
  const times: number[] = []
  for (let turn = 0; turn < repeats; turn += 1) {
    const begun = performance.now()
    await run(turn)
    times.push(performance.now() - begun)
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
}

const snap = () =>
  withStore(async ({ counters: store, history }) =>
    medianMs(async (turn) => {
      await store.add(counters)
      await history.snap(start + turn * minuteMs)
    }),
  )

const read = (everyMs: number) => () =>
  withStore(async ({ history }) => {
    for (let minute = 0; minute < dayMs / minuteMs; minute += 1) await history.add(start + minute * minuteMs, measures)
    const query = { workspaceId, since: start, until: start + dayMs, everyMs: quarterMs, fromMs: everyMs }
    return medianMs(async () => {
      const { slots } = await history.read(query)
      assert.equal(slots.length, (series * dayMs) / quarterMs)
    })
  })

const figures: readonly Figure[] = [
  { name: `count, and move ${series} counters into a minute`, unit: 'ms', goal: '', measure: snap },
  { name: 'read a day from its minutes', unit: 'ms', goal: '', measure: read(minuteMs) },
  { name: 'read a day from its quarters of an hour', unit: 'ms', goal: '', measure: read(quarterMs) },
]

await runBench('what does the history cost with ten destinations?', () => [], figures)
