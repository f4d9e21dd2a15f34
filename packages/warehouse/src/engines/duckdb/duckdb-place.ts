import type { JsonObject } from '@sluice/core'
import type { DuckDBSettings } from './duckdb-warehouse.ts'

/** Returns the file and the schema that the settings of a destination name. */
export function duckdbPlaceOf({ path, namespace }: JsonObject): DuckDBSettings {
  return { path: String(path), namespace: typeof namespace === 'string' && namespace !== '' ? namespace : 'sluice' }
}
