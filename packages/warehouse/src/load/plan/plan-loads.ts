import type { DiscardReason, LoadedTable } from '@sluice/destinations'
import type { LiveColumn, LiveSchema, TableChange } from '../../evolve/live-schema.ts'
import type { TableRow } from '../../rows/table-row.ts'
import { type PrepareOptions, prepareLoad, reasonsMax } from '../prepare-load.ts'
import { StagedRows } from '../staged-rows.ts'
import { retypingsOf, withRetypings } from './retypings.ts'

/** The rows of the loads that are planned, one load after the other. */
export type PlannedRows = Iterable<Iterable<TableRow>> | AsyncIterable<Iterable<TableRow>>

/**
 * Returns what loads would do, one after the other, to a warehouse with the given tables: a column that the first one
 * would add has its type in the next. Holds the rows of one load at a time.
 */
export async function planLoads(
  loads: PlannedRows,
  live: LiveSchema,
  options: Omit<PrepareOptions, 'loadId'>,
): Promise<readonly LoadedTable[]> {
  let schema = new Map([...live].map(([table, columns]) => [table, new Map(columns)]))
  const sums = new Map<string, LoadedTable>()
  for await (const rows of loads) {
    const staged = new StagedRows()
    for (const row of rows) staged.add(row)
    schema = withRetypings(schema, retypingsOf(staged.tables(), schema, options.limits.retypesTo))
    const { changes, report } = prepareLoad(staged.tables(), schema, { ...options, loadId: '' })
    for (const change of changes) apply(change, schema)
    for (const table of report.tables) sums.set(table.table, sum(sums.get(table.table), table))
  }
  return [...sums.values()]
}

function apply({ table, columns }: TableChange, schema: Map<string, Map<string, LiveColumn>>): void {
  const known = schema.get(table) ?? new Map<string, LiveColumn>()
  for (const { name, type } of columns) known.set(name, { type, native: type })
  schema.set(table, known)
}

function sum(before: LoadedTable | undefined, table: LoadedTable): LoadedTable {
  if (before === undefined) return table
  return {
    table: table.table,
    rows: before.rows + table.rows,
    discards: before.discards + table.discards,
    reasons: sumOfReasons([...before.reasons, ...table.reasons]),
    newColumns: [...before.newColumns, ...table.newColumns],
    isNew: before.isNew,
  }
}

function sumOfReasons(reasons: readonly DiscardReason[]): readonly DiscardReason[] {
  const byText = new Map<string, DiscardReason>()
  for (const each of reasons) {
    const key = JSON.stringify([each.column, each.reason])
    byText.set(key, { ...each, values: (byText.get(key)?.values ?? 0) + each.values })
  }
  return [...byText.values()].sort((a, b) => b.values - a.values).slice(0, reasonsMax)
}
