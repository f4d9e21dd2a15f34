import type { Loader, LoadPace, LoadPlace, LoadReport } from '@sluice/destinations'
import type { TableRow } from '../rows/table-row.ts'
import { createLoader, type LoaderOptions } from './create-loader.ts'
import { inSession, loadAtOnce } from './load-rows.ts'
import type { ErasedUser } from './warehouse.ts'

/** What a destination has done at its warehouse, in this process or in another. All methods throw `WarehouseError`. */
export interface WarehouseWork {
  loader(pace: LoadPace, place: LoadPlace): Loader
  /** Loads rows of retries at once. They take the place of those with the same ids. */
  loadAtOnce(rows: readonly TableRow[], load: AtOnce, signal: AbortSignal): Promise<LoadReport>
  /** See `WarehouseSession.erase`. */
  erase(userIds: readonly string[], usersPerBatch: number, signal: AbortSignal): Promise<readonly ErasedUser[]>
  /** See `WarehouseSession.search`. */
  search(userIds: readonly string[], signal: AbortSignal): Promise<readonly ErasedUser[]>
  /** Connects, and does nothing. */
  check(signal: AbortSignal): Promise<void>
}

/** A load that is not collected. */
export interface AtOnce {
  readonly loadId: string
  readonly destinationId: string
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Does the work in this process. */
export function createWorkHere(options: Omit<LoaderOptions, 'pace'>): WarehouseWork {
  const { warehouse, newTablesMax: _, ...loading } = options
  return {
    loader: (pace, place) => createLoader({ ...options, pace }, place),
    // An event that is tried again has one row.
    loadAtOnce: (rows, load, signal) => loadAtOnce(warehouse, rows, { ...loading, ...load, mode: 'replace' }, signal),
    erase: (userIds, usersPerBatch, signal) =>
      inSession(warehouse, signal, (session) => session.erase({ userIds, usersPerBatch, signal })),
    search: (userIds, signal) => inSession(warehouse, signal, (session) => session.search({ userIds, signal })),
    check: (signal) => inSession(warehouse, signal, async () => {}),
  }
}
