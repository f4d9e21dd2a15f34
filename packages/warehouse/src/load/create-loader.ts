import type { Loader, LoadPace, LoadPlace, LoadReport } from '@sluice/destinations'
import type { TableRow } from '../rows/table-row.ts'
import { inSession, loadRows, schemaOf } from './load-rows.ts'
import { NewTablesCount, type NewTablesLimit } from './plan/new-tables.ts'
import { type PlannedRows, planLoads } from './plan/plan-loads.ts'
import type { PrepareOptions } from './prepare-load.ts'
import { RefusedRows } from './refused-rows.ts'
import { rowsOf, rowsOfLoads } from './rows-of.ts'
import { StagedRows } from './staged-rows.ts'
import type { Warehouse } from './warehouse.ts'
import { RefusedRowsError, WarehouseError } from './warehouse-error.ts'

/** When rows are loaded, and how much a load may create. */
export interface LoadBounds {
  readonly pace: LoadPace
  /** Most new tables of a source in an hour that are named after events. Left out, without limit. */
  readonly newTablesMax?: number
}

export interface LoaderOptions extends LoadBounds, Pick<PrepareOptions, 'mode' | 'nameOf' | 'windowMs'> {
  readonly warehouse: Warehouse
}

/** Rows that wait for a load. */
export interface CollectedRows {
  /** Whether there are so many rows, or so large ones, that they should be loaded now. */
  readonly isFull: boolean
  add(row: TableRow): void
  clear(): void
}

/** A load or a plan. */
export interface LoadOf {
  readonly destinationId: string
  /** Milliseconds since 1970. */
  readonly at: number
}

/** What a loader has done with the rows that it collects. */
interface LoadSteps {
  load(
    load: LoadOf & { readonly loadId: string; readonly newTables?: NewTablesLimit },
    signal: AbortSignal,
  ): Promise<LoadReport>
  plan(rows: PlannedRows, load: LoadOf, signal: AbortSignal): ReturnType<Loader['plan']>
  settle: Loader['settle']
}

/** Creates a loader that collects rows in memory: the event log still has their events. */
export function createLoader({ warehouse, pace, newTablesMax, ...options }: LoaderOptions, place: LoaderPlace): Loader {
  const staged = new StagedRows()
  const bounds = newTablesMax === undefined ? { pace } : { pace, newTablesMax }
  return createLoaderOf(staged, new StagedRows(), bounds, place, {
    load: (load, signal) => loadRows(warehouse, staged, { ...options, ...load }, signal),
    async plan(rows, load, signal) {
      const { live, limits } = await schemaOf(warehouse, signal)
      return planLoads(rows, live, { ...options, ...load, limits })
    },
    settle: (loadId, signal) => inSession(warehouse, signal, (session) => session.settle(loadId)),
  })
}

export type LoaderPlace = Pick<LoadPlace, 'destinationId' | 'now'>

/** Creates a loader of rows that are collected and loaded in any way. @param trial rows that are collected for nothing. */
export function createLoaderOf(
  collected: CollectedRows,
  trial: CollectedRows,
  { pace, newTablesMax }: LoadBounds,
  { destinationId, now }: LoaderPlace,
  steps: LoadSteps,
): Loader {
  const newTables = new NewTablesCount(newTablesMax)
  const refused = new RefusedRows((rows) => {
    trial.clear()
    for (const row of rows) trial.add(row)
  })
  /** Why not all rows are collected. */
  let fault: unknown
  return {
    pace,
    get refusals() {
      return refused.count
    },
    refusal: (requests) => refused.reasonOf(requests),
    get isFull() {
      return collected.isFull
    },
    add(_event, requests) {
      try {
        for (const request of requests) for (const row of rowsOf(request)) collected.add(row)
      } catch (error) {
        fault ??= error
        refused.suspect()
      }
    },
    async load(loadId, signal) {
      const at = now()
      if (fault !== undefined) throw new WarehouseError(`Rows of an event cannot be collected: ${fault}`, 'ROWS_BROKEN')
      try {
        const report = await steps.load({ loadId, destinationId, at, ...newTables.limitAt(at) }, signal)
        newTables.add(report)
        refused.trust()
        return report
      } catch (error) {
        if (error instanceof RefusedRowsError) refused.remember(error.rows)
        throw error
      }
    },
    plan: (loads, signal) => steps.plan(rowsOfLoads(loads), { destinationId, at: now() }, signal),
    settle: steps.settle,
    discard() {
      fault = undefined
      collected.clear()
    },
  }
}
