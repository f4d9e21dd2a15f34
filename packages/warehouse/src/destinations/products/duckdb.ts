import { field } from '@sluice/destinations/kit'
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
    limits: [
      'It needs the package @duckdb/node-api beside Sluice.',
      'The file is open during loads only, so that other programs can query it in between.',
    ],
    fileOf: ({ path }) => String(path),
    open: (settings) => createDuckDBWarehouse(duckdbPlaceOf(settings)),
  }
}
