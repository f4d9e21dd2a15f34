import type { LoadReport } from '@sluice/destinations'
import type { LiveSchema } from '../evolve/live-schema.ts'
import { retypingsOf } from '../evolve/retypings.ts'
import type { TableRow } from '../rows/table-row.ts'
import { boundedReport } from './load-report.ts'
import { type PrepareOptions, prepareLoad } from './prepare-load.ts'
import { StagedRows } from './staged-rows.ts'
import type { Warehouse, WarehouseSession } from './warehouse.ts'

export type LoadOptions = Omit<PrepareOptions, 'limits'>

/** Adds the tables and columns that rows need, and loads them. @throws WarehouseError. */
export function loadRows(
  warehouse: Warehouse,
  staged: StagedRows,
  options: LoadOptions,
  signal: AbortSignal,
): Promise<LoadReport> {
  return inSession(warehouse, signal, async (session) => {
    const live = await retyped(session, staged)
    const { changes, load, report } = prepareLoad(staged.tables(), live, { ...options, limits: warehouse.limits })
    if (changes.length > 0) await session.evolve(changes)
    signal.throwIfAborted()
    await session.load(load)
    return boundedReport({ loadId: load.loadId, ...report })
  })
}

/** Changes types of columns for these rows, as far as that is possible. @returns the tables of the warehouse then. */
async function retyped(session: WarehouseSession, staged: StagedRows): Promise<LiveSchema> {
  const live = await session.schema()
  if (session.retype === undefined) return live
  const retypings = retypingsOf(staged.tables(), live)
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

/** Returns the tables of a warehouse. */
export function schemaOf(warehouse: Warehouse, signal: AbortSignal): Promise<LiveSchema> {
  return inSession(warehouse, signal, (session) => session.schema())
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
