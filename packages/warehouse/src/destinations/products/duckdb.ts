import { field } from '@sluice/destinations/kit'
import { databaseName } from '../../engines/duckdb/database-name.ts'
import { duckdbPlaceOf } from '../../engines/duckdb/duckdb-place.ts'
import { createDuckDBWarehouse } from '../../engines/duckdb/duckdb-warehouse.ts'
import type { WarehouseProduct } from '../define-warehouse.ts'
import { namespaceSetting } from '../warehouse-settings.ts'

/** Events as rows of tables in a DuckDB file. */
export function duckdbProduct(): WarehouseProduct {
  return {
    type: 'DUCKDB',
    displayName: 'DuckDB',
    provider: 'duckdb',
    settings: {
      path: field.requiredText({
        title: 'File',
        description: 'Path of the file, relative to the working directory; created if it does not exist.',
        isOperators: true,
        placeholder: 'warehouse.duckdb',
        isFixed: true,
      }),
      ...namespaceSetting,
    },
    secrets: [],
    checkSettings(settings) {
      const { path, namespace } = duckdbPlaceOf(settings)
      if (databaseName(path).toLowerCase() !== namespace.toLowerCase()) return []
      const allowed = `another name than that of the file, ${databaseName(path)}: DuckDB names the database after the file, so that queries could not tell it from the schema; rename the file, or choose another namespace`
      return [{ path: 'namespace', value: namespace, allowed }]
    },
    limits: [
      'The namespace and the file have different names: DuckDB calls shop.tracks of shop.duckdb ambiguous.',
      'It needs the package @duckdb/node-api beside Sluice.',
      'The file is open during loads only, so that other programs can query it in between.',
    ],
    fileOf: ({ path }) => String(path),
    open: (settings) => createDuckDBWarehouse(duckdbPlaceOf(settings)),
  }
}
