import { field } from '@sluice/destinations/kit'
import { createParquetWarehouse } from '../../engines/parquet/parquet-warehouse.ts'
import type { WarehouseProduct } from '../define-warehouse.ts'
import { namespaceSetting } from '../warehouse-settings.ts'

/** Events as rows of Parquet files in a local folder. */
export function parquetProduct(): WarehouseProduct {
  return {
    type: 'PARQUET',
    displayName: 'Parquet files',
    provider: 'duckdb',
    appendsOnly: true,
    settings: {
      folder: field.requiredText({
        title: 'Folder',
        description: 'Folder of the files, relative to the working directory; created if it does not exist.',
        isOperators: true,
        placeholder: 'lake',
        isFixed: true,
      }),
      ...namespaceSetting,
    },
    secrets: [],
    limits: [
      'It needs the package @duckdb/node-api beside Sluice, which writes the files.',
      'Rows are only added: read the newest row of each id.',
    ],
    open: ({ folder, namespace }) =>
      createParquetWarehouse({
        folder: String(folder),
        namespace: typeof namespace === 'string' && namespace !== '' ? namespace : 'sluice',
      }),
  }
}
