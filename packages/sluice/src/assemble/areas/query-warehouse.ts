import type { Workspace } from '@sluice/core'
import type { QueriedRows } from '@sluice/warehouse'

/** Longest time of a query of a person, in milliseconds. */
const queryMs = 10_000

/**
 * Runs SQL on the DuckDB file of a destination, which it cannot change. It may read the tables of the destination only.
 * @returns undefined when the destination is no DuckDB file. @throws WarehouseError when the query fails.
 */
export async function queryWarehouse(
  workspace: Workspace | undefined,
  destinationId: string,
  sql: string,
  rowsMax: number,
): Promise<QueriedRows | undefined> {
  const destination = workspace?.destinations.find(({ id, type }) => id === destinationId && type === 'DUCKDB')
  if (destination === undefined) return undefined
  const { duckdbPlaceOf, queryInProcess } = await import('@sluice/warehouse')
  const { path, namespace } = duckdbPlaceOf(destination.settings)
  return queryInProcess({ path, namespace, sql, rowsMax, timeMs: queryMs, owner: workspace?.id ?? '' })
}
