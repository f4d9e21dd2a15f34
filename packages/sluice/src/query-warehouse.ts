import type { Workspace } from '@sluice/core'

/** Longest time of a query of a person, in milliseconds. */
const queryMs = 10_000

/**
 * Runs SQL on the DuckDB file of a destination, which it cannot change.
 * @returns undefined when the destination is no DuckDB file. @throws WarehouseError when the query fails.
 */
export async function queryWarehouse(
  workspace: Workspace | undefined,
  destinationId: string,
  sql: string,
  rowsMax: number,
): Promise<readonly Readonly<Record<string, unknown>>[] | undefined> {
  const destination = workspace?.destinations.find(({ id, type }) => id === destinationId && type === 'DUCKDB')
  const path = destination?.settings['path']
  if (typeof path !== 'string') return undefined
  const { queryInProcess } = await import('@sluice/warehouse')
  return queryInProcess({ path, sql, rowsMax, timeMs: queryMs, owner: workspace?.id ?? '' })
}
