import assert from 'node:assert/strict'
import type { Event } from '@sluice/core'
import { createRowMaker, type EventOrigin, type RowMaker, type RowMakerOptions } from '@sluice/warehouse'
import type { BenchCase, OpenCase } from './bench-case.ts'
import { type Figure, runBench } from './bench-kit.ts'

const origin: EventOrigin = {
  sourceId: 's1',
  sourceType: 'web',
  sourceCategory: 'sdk',
  destinationId: 'd1',
  destinationType: 'POSTGRES',
}

const makerOf = (options: Partial<RowMakerOptions>): RowMaker =>
  createRowMaker({ provider: 'postgres', now: () => 0, uuid: () => 'u', ...options })

/** The rows of events by a maker that has seen their names before, as it would in the long run. */
function making(events: readonly Event[], options: Partial<RowMakerOptions>, tablesPerEvent = 2): OpenCase {
  const rowsOf = makerOf(options)
  return counting(events, rowsOf, tablesPerEvent)
}

function counting(events: readonly Event[], rowsOf: RowMaker, tablesPerEvent: number): OpenCase {
  const run = (): number => {
    let rows = 0
    for (const event of events) {
      const made = rowsOf(event, origin)
      if (made.ok) rows += made.rows.length
    }
    return rows
  }
  return {
    events: events.length,
    check: () => assert.equal(run(), events.length * tablesPerEvent),
    run: () => void run(),
  }
}

/** What a flood under a public write key may cost: every event has keys that no event had before. */
function flooding(keys: number): OpenCase {
  const events = 500
  let turn = 0
  const rowsOf = makerOf({})
  const run = (): void => {
    turn += 1
    for (let n = 0; n < events; n += 1) {
      const properties = Object.fromEntries(Array.from({ length: keys }, (_, i) => [`key ${turn} ${n} ${i}`, i]))
      rowsOf({ type: 'track', event: `Event ${turn} ${n}`, properties }, origin)
    }
  }
  return {
    events,
    check: () => {
      const made = rowsOf({ type: 'track', event: 'a', properties: { 'key 1': 1 } }, origin)
      assert(made.ok && made.rows[1]?.data['key_1'] === 1)
      run()
    },
    run,
  }
}

const wide: readonly Event[] = Array.from({ length: 100 }, (_, n) => ({
  type: 'track',
  event: 'Wide',
  properties: Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`key ${i}`, (n * i) % 7])),
}))
const tooWide: readonly Event[] = wide.map((event) => ({
  ...event,
  properties: Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`key ${i}`, i])),
}))

function identifying(events: readonly Event[]): readonly Event[] {
  return events.map((event) => ({ ...event, type: 'identify', traits: event['properties'] ?? {}, properties: {} }))
}

/** Loads, each measured in a process of its own, beside plain loads of the same rows. */
const figures: readonly Figure[] = [
  ...['PostgreSQL', 'DuckDB', 'MySQL'].flatMap((name) =>
    (['append', 'replace'] as const).map(
      (mode): Figure => ({
        name: `${name}: rows/s of a load (${mode === 'append' ? 'append' : 'merge by id'}) by those of a plain load`,
        unit: 'x',
        goal: '≥ 0.6',
        measure: async () => (await import('./warehouse/load-rounds.ts')).shareOfPlain(name, mode),
      }),
    ),
  ),
  {
    name: 'DuckDB: largest size of the process when it has loaded a million rows by that after a quarter of them',
    unit: 'x',
    goal: '≤ 1.25',
    measure: async () => (await import('./warehouse/load-rounds.ts')).growthOverMillionRows(),
  },
]

await runBench(
  'What do rows of an event cost, and how fast are they loaded?',
  ({ events }): readonly BenchCase[] => [
    { name: 'rows for PostgreSQL (goal: 2)', open: () => making(events, { provider: 'postgres' }) },
    { name: 'rows for DuckDB', open: () => making(events, { provider: 'duckdb' }) },
    { name: 'rows for ClickHouse', open: () => making(events, { provider: 'clickhouse' }) },
    { name: 'rows for Snowflake, in upper case', open: () => making(events, { provider: 'snowflake' }) },
    {
      name: 'rows as a destination makes them: long names kept, loads guarded',
      open: () => making(events, { settings: { keepsLongNames: true, guardsLoads: true } }),
    },
    { name: 'rows without tracks', open: () => making(events, { settings: { skipTracksTable: true } }, 1) },
    { name: 'rows with the whole event', open: () => making(events, { settings: { storeFullEvent: true } }) },
    {
      name: 'rows with JSON columns',
      open: () => making(events, { settings: { jsonPaths: 'products,cart,track.context.app' } }),
    },
    { name: 'identify: identifies and users', open: () => making(identifying(events), {}) },
    {
      name: 'naive: a maker per event, every name cleaned again',
      open: () => counting(events, (event, from) => makerOf({})(event, from), 2),
    },
    { name: 'events of 150 columns', open: () => making(wide, {}) },
    { name: 'events of 10,000 columns, which are refused', open: () => making(tooWide, {}, 0) },
    { name: 'events of 40 keys that no event had before', open: () => flooding(40) },
  ],
  figures,
)
