import { expect, it } from 'vitest'
import { TableRow } from '../../rows/table-row.ts'
import { StagedRows } from '../staged-rows.ts'
import { limitNewTables, NewTablesCount } from './new-tables.ts'

/** Rows as of track events: one of the table of all events, and one of its own. */
function staged(events: readonly { readonly source: string; readonly table: string }[], hasTracks = true) {
  const rows = new StagedRows()
  for (const { source, table } of events)
    for (const name of hasTracks ? ['tracks', table] : [table])
      rows.add(new TableRow(name, ['id', 'context_source_id'], ['string', 'string'], ['1', source]))
  return rows.tables()
}

const events = ['a', 'b', 'c'].flatMap((table) =>
  ['web', 'app'].map((source) => ({ source, table: `${source}_${table}` })),
)
const same = (name: string): string => name

it('leaves out new tables beyond the limit of their source only, and counts their rows', () => {
  const limited = limitNewTables(
    staged([...events, ...events]),
    new Map([['web_a', new Map()]]),
    { perSourceMax: 3, created: { app: 2 } },
    same,
  )
  expect(limited.kept.map(({ table }) => table).sort()).toEqual(['app_a', 'tracks', 'web_a', 'web_b', 'web_c'])
  expect(limited.created).toEqual({ app: 1, web: 2 })
  expect(limited.leftOut).toEqual({ tables: 2, rows: 4 })
})

it('leaves out nothing when there is no table of all events, because the events would be nowhere', () => {
  const limited = limitNewTables(staged(events, false), new Map(), { perSourceMax: 1, created: {} }, same)
  expect(limited.kept).toHaveLength(6)
})

it('counts for an hour what loads have created', () => {
  const count = new NewTablesCount(10)
  count.limitAt(5_000)
  count.add({ newTables: { web: 2 } })
  count.add({ newTables: { web: 3, app: 1 } })
  expect(count.limitAt(3_604_999)).toEqual({ newTables: { perSourceMax: 10, created: { web: 5, app: 1 } } })
  expect(count.limitAt(3_605_000)).toEqual({ newTables: { perSourceMax: 10, created: {} } })
  expect(new NewTablesCount().limitAt(0)).toEqual({})
})
