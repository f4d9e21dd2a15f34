import type { Loader, LoadPace, LoadPlace } from '@sluice/destinations'
import { inSession, loadRows, schemaOf } from './load-rows.ts'
import { NewTablesCount } from './new-tables.ts'
import { planLoads } from './plan-loads.ts'
import type { PrepareOptions } from './prepare-load.ts'
import { rowsOf, rowsOfLoads } from './rows-of.ts'
import { StagedRows } from './staged-rows.ts'
import type { Warehouse } from './warehouse.ts'

export interface LoaderOptions extends Pick<PrepareOptions, 'mode' | 'nameOf' | 'windowMs'> {
  readonly warehouse: Warehouse
  readonly pace: LoadPace
  /** Most new tables of a source in an hour that are named after events. Left out, without limit. */
  readonly newTablesMax?: number
}

/** Creates a loader that collects rows in memory: the event log still has their events. */
export function createLoader(
  { warehouse, pace, newTablesMax, ...options }: LoaderOptions,
  { destinationId, now }: Pick<LoadPlace, 'destinationId' | 'now'>,
): Loader {
  const staged = new StagedRows()
  const newTables = new NewTablesCount(newTablesMax)
  return {
    pace,
    get isFull() {
      return staged.isFull
    },
    add(_event, requests) {
      for (const request of requests) for (const row of rowsOf(request)) staged.add(row)
    },
    async load(loadId, signal) {
      const at = now()
      const limit = newTables.limitAt(at)
      const report = await loadRows(warehouse, staged, { ...options, ...limit, loadId, destinationId, at }, signal)
      newTables.add(report)
      return report
    },
    async plan(loads, signal) {
      const live = await schemaOf(warehouse, signal)
      return planLoads(rowsOfLoads(loads), live, { ...options, destinationId, at: now(), limits: warehouse.limits })
    },
    settle: (loadId, signal) => inSession(warehouse, signal, (session) => session.settle(loadId)),
    discard: () => staged.clear(),
  }
}
