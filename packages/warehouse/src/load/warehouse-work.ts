import type { Loader, LoadReport } from '@sluice/destinations'
import type { TableRow } from '../rows/table-row.ts'
import { createLoader, type LoadBounds, type LoaderOptions, type LoaderPlace, type LoadOf } from './create-loader.ts'
import { inSession, loadAtOnce } from './load-rows.ts'
import type { ErasedUser } from './warehouse.ts'

/** What a destination has done at its warehouse, in this process or in another. All methods throw `WarehouseError`. */
export interface WarehouseWork {
  loader(bounds: LoadBounds, place: LoaderPlace): Loader
  /** Loads rows of retries at once. They take the place of those with the same ids. */
  loadAtOnce(
    rows: readonly TableRow[],
    load: LoadOf & { readonly loadId: string },
    signal: AbortSignal,
  ): Promise<LoadReport>
  /** See `WarehouseSession.erase`. */
  erase(userIds: readonly string[], usersPerBatch: number, signal: AbortSignal): Promise<readonly ErasedUser[]>
  /** See `WarehouseSession.search`. */
  search(userIds: readonly string[], signal: AbortSignal): Promise<readonly ErasedUser[]>
  /** Connects, and does nothing. */
  check(signal: AbortSignal): Promise<void>
}

/** Does the work in this process. */
export function createWorkHere({ warehouse, ...loading }: Omit<LoaderOptions, keyof LoadBounds>): WarehouseWork {
  return {
    loader: (bounds, place) => createLoader({ warehouse, ...loading, ...bounds }, place),
    // An event that is tried again has one row.
    loadAtOnce: (rows, load, signal) => loadAtOnce(warehouse, rows, { ...loading, ...load, mode: 'replace' }, signal),
    erase: (userIds, usersPerBatch, signal) =>
      inSession(warehouse, signal, (session) => session.erase({ userIds, usersPerBatch, signal })),
    search: (userIds, signal) => inSession(warehouse, signal, (session) => session.search({ userIds, signal })),
    check: (signal) => inSession(warehouse, signal, async () => {}),
  }
}
