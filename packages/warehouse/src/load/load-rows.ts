import type { LoadReport } from '@sluice/destinations'
import type { LiveSchema } from '../evolve/live-schema.ts'
import type { ColumnPlaces, TableLimits } from '../evolve/plan-changes.ts'
import type { TableRow } from '../rows/table-row.ts'
import { boundedReport } from './load-report.ts'
import { retypingsOf } from './plan/retypings.ts'
import { TakenNames } from './plan/taken-names.ts'
import { type Preparation, type PrepareOptions, prepareLoad } from './prepare-load.ts'
import { digestOf, findRefusedRows, isBug, isOfRows, type RowToTry } from './refused-rows.ts'
import { StagedRows, type StagedTable } from './staged-rows.ts'
import type { PreparedLoad, Warehouse, WarehouseSession } from './warehouse.ts'
import { type RefusedRow, RefusedRowsError } from './warehouse-error.ts'

type LoadOptions = Omit<PrepareOptions, 'limits'>

/** Adds the tables and columns that rows need, and loads them. @throws WarehouseError. */
export function loadRows(
  warehouse: Warehouse,
  staged: StagedRows,
  options: LoadOptions,
  signal: AbortSignal,
): Promise<LoadReport> {
  return inSession(warehouse, signal, async (session) => {
    const all = { ...options, limits: limitsIn(session, warehouse) }
    const names = new TakenNames(all.limits.nameLengthMax)
    const { load, report, staging } = await prepared(session, staged, all, names).catch(async (error: unknown) => {
      signal.throwIfAborted()
      if (!isBug(error)) throw error
      const { refused } = await refusedBy(session, rowsToTry(staged.tables(), names), all, names, signal)
      throw refused.length > 0 ? new RefusedRowsError(refused) : error
    })
    const lost = (names.withoutPlace.size === 0 ? [] : rowsToTry(staging, names)).flatMap(({ table, row }) => {
      const reason = names.withoutPlace.get(table)
      return reason === undefined ? [] : [{ digest: digestOf(row), reason: `table ${table}: ${reason}` }]
    })
    if (lost.length > 0) throw new RefusedRowsError(lost)
    signal.throwIfAborted()
    try {
      await session.load(load)
    } catch (error) {
      signal.throwIfAborted()
      if (session.tryOut === undefined || !isOfRows(error)) throw error
      const tables = new Set(load.tables.map(({ table }) => table))
      const rows = rowsToTry(staging, names).filter(({ table }) => tables.has(table))
      const tryOut = session.tryOut.bind(session)
      const { refused, hasTaken } = await refusedBy(session, rows, all, names, signal, tryOut)
      // A bug that shows itself with every row is none of the rows: it may be gone with the next attempt.
      throw refused.length > 0 && (hasTaken || !isBug(error)) ? new RefusedRowsError(refused) : error
    }
    return boundedReport({ loadId: load.loadId, ...report })
  })
}

/**
 * Returns the rows that make a load fail: those that a product refuses, or that cannot be prepared.
 * @param tryOut see `WarehouseSession`. Left out, rows are only prepared.
 */
async function refusedBy(
  session: WarehouseSession,
  rows: readonly RowToTry[],
  { newTables: _, ...options }: PrepareOptions,
  names: TakenNames,
  signal: AbortSignal,
  tryOut: (load: PreparedLoad) => Promise<void> = async () => {},
): Promise<{ readonly refused: readonly RefusedRow[]; readonly hasTaken: boolean }> {
  // What was missing is there now.
  const live = await session.schema()
  let hasTaken = false
  const refused = await findRefusedRows(rows, async (part) => {
    signal.throwIfAborted()
    try {
      const staged = new StagedRows()
      for (const { row } of part) staged.add(row)
      const tables = options.limits.ignoresTableCase ? asThere(staged.tables(), live) : staged.tables()
      const { load } = prepareLoad(names.placed(tables), live, {
        ...options,
        placesOf: (table) => names.columnsOf(table),
      })
      await tryOut(load)
      hasTaken = true
      return undefined
    } catch (error) {
      signal.throwIfAborted()
      if (isOfRows(error)) return error
      throw error
    }
  })
  return { refused, hasTaken }
}

/** Returns the rows of tables, under the names that these get. */
function rowsToTry(staging: readonly StagedTable[], names: TakenNames): readonly RowToTry[] {
  return staging.flatMap(({ table, rows }) => rows.map((row) => ({ table: names.tableOf(table), row })))
}

/** Adds what is missing, under names that the database takes. */
async function prepared(
  session: WarehouseSession,
  staged: StagedRows,
  options: PrepareOptions,
  names: TakenNames,
): Promise<Pick<Preparation, 'load' | 'report'> & { readonly staging: readonly StagedTable[] }> {
  const { ignoresTableCase = false } = options.limits
  const placesOf = (table: string): ColumnPlaces | undefined => names.columnsOf(table)
  const live = await retyped(session, staged, options.limits)
  const staging = ignoresTableCase ? asThere(staged.tables(), live) : staged.tables()
  for (;;) {
    // Everything is planned again, from the same tables, so that the report says what the load has added in all.
    const preparation = prepareLoad(names.placed(staging), live, { ...options, placesOf })
    if (preparation.changes.length === 0) return { ...preparation, staging }
    const refused = await session.evolve(preparation.changes)
    if (refused.length === 0) return { ...preparation, staging }
    for (const name of refused) names.refuse(name)
  }
}

/** Returns tables under the names that they have in the warehouse, in whatever case. */
function asThere(tables: readonly StagedTable[], live: LiveSchema): readonly StagedTable[] {
  const byFolded = new Map([...live.keys()].map((name) => [name.toLowerCase(), name]))
  return tables.map((each) => ({ ...each, table: byFolded.get(each.table.toLowerCase()) ?? each.table }))
}

/** Changes types of columns for these rows, as far as that is possible. @returns the tables of the warehouse then. */
async function retyped(
  session: WarehouseSession,
  staged: StagedRows,
  { retypesTo }: PrepareOptions['limits'],
): Promise<LiveSchema> {
  const live = await session.schema()
  if (session.retype === undefined) return live
  const retypings = retypingsOf(staged.tables(), live, retypesTo)
  return retypings.length > 0 && (await session.retype(retypings)) ? session.schema() : live
}

/** Loads rows at once, as for a retry or a call that waits for it. */
export function loadAtOnce(
  warehouse: Warehouse,
  rows: readonly TableRow[],
  options: LoadOptions,
  signal: AbortSignal,
): Promise<LoadReport> {
  const staged = new StagedRows()
  for (const row of rows) staged.add(row)
  return loadRows(warehouse, staged, options, signal)
}

/** Returns the tables of a warehouse, and what they can hold. */
export function schemaOf(
  warehouse: Warehouse,
  signal: AbortSignal,
): Promise<{ readonly live: LiveSchema; readonly limits: TableLimits }> {
  return inSession(warehouse, signal, async (session) => ({
    live: await session.schema(),
    limits: limitsIn(session, warehouse),
  }))
}

function limitsIn({ columnsMax }: WarehouseSession, { limits }: Warehouse): TableLimits {
  return columnsMax === undefined ? limits : { ...limits, columnsMax }
}

/** Runs work in a session, and closes it. */
export async function inSession<Result>(
  warehouse: Warehouse,
  signal: AbortSignal,
  work: (session: WarehouseSession) => Promise<Result>,
): Promise<Result> {
  const session = await warehouse.connect(signal)
  try {
    return await work(session)
  } finally {
    await session.close()
  }
}
