import type { Loader, LoadPace, LoadPlace, LoadReport } from '@sluice/destinations'
import type { LiveSchema } from '../evolve/live-schema.ts'
import type { TableRow } from '../rows/table-row.ts'
import { planLoads } from './plan-loads.ts'
import { type PrepareOptions, prepareLoad } from './prepare-load.ts'
import { rowsOf } from './rows-of.ts'
import { StagedRows } from './staged-rows.ts'
import type { Warehouse } from './warehouse.ts'

export interface LoaderOptions extends Pick<PrepareOptions, 'mode' | 'nameOf' | 'windowMs'> {
  readonly warehouse: Warehouse
  readonly pace: LoadPace
}

/** Creates a loader that collects rows in memory: the event log still has their events. */
export function createLoader(
  { warehouse, pace, ...options }: LoaderOptions,
  { destinationId, now }: Pick<LoadPlace, 'destinationId' | 'now'>,
): Loader {
  const staged = new StagedRows()
  return {
    pace,
    get isFull() {
      return staged.isFull
    },
    add(_event, requests) {
      for (const request of requests) for (const row of rowsOf(request)) staged.add(row)
    },
    load: (loadId, signal) => loadRows(staged, { ...options, warehouse, loadId, destinationId, at: now() }, signal),
    async plan(loads, signal) {
      const live = await schemaOf(warehouse, signal)
      return planLoads(loads, live, { ...options, destinationId, at: now(), limits: warehouse.limits })
    },
    async settle(loadId, signal) {
      const session = await warehouse.connect(signal)
      try {
        return await session.settle(loadId)
      } finally {
        await session.close()
      }
    },
    discard: () => staged.clear(),
  }
}

async function schemaOf(warehouse: Warehouse, signal: AbortSignal): Promise<LiveSchema> {
  const session = await warehouse.connect(signal)
  try {
    return await session.schema()
  } finally {
    await session.close()
  }
}

/** Loads rows at once, as for a retry or a call that waits for it. */
export function loadAtOnce(rows: readonly TableRow[], options: LoadOptions, signal: AbortSignal): Promise<LoadReport> {
  const staged = new StagedRows()
  for (const row of rows) staged.add(row)
  return loadRows(staged, options, signal)
}

export interface LoadOptions extends Omit<PrepareOptions, 'limits'> {
  readonly warehouse: Warehouse
}

async function loadRows(
  staged: StagedRows,
  { warehouse, ...options }: LoadOptions,
  signal: AbortSignal,
): Promise<LoadReport> {
  const session = await warehouse.connect(signal)
  try {
    const live = await session.schema()
    const { changes, load, report } = prepareLoad(staged.tables(), live, { ...options, limits: warehouse.limits })
    if (changes.length > 0) await session.evolve(changes)
    signal.throwIfAborted()
    await session.load(load)
    return { loadId: load.loadId, tables: report }
  } finally {
    await session.close()
  }
}
