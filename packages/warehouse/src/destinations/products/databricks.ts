import type { HttpClient } from '@sluice/delivery'
import { field } from '@sluice/destinations/kit'
import { createDatabricksWarehouse } from '../../engines/databricks/databricks-warehouse.ts'
import type { WarehouseProduct } from '../define-warehouse.ts'
import { notRunYet } from '../not-run-yet.ts'
import { namespaceSetting } from '../warehouse-settings.ts'

/** Events as rows of Databricks tables. The settings are those of RudderStack's Delta Lake, without the bucket. */
export function databricksProduct(http: Pick<HttpClient, 'open'>): WarehouseProduct {
  return {
    type: 'DATABRICKS',
    otherTypes: ['DELTALAKE'],
    displayName: 'Databricks',
    provider: 'deltalake',
    settings: {
      host: field.requiredText({
        title: 'Host',
        description: 'Name of the workspace, such as dbc-1234.cloud.databricks.com.',
        pattern: '^[A-Za-z0-9][A-Za-z0-9.-]{0,250}$',
        allowed: 'the name of a host, without https://',
        isFixed: true,
      }),
      path: field.requiredText({
        title: 'HTTP path',
        description: 'HTTP path of the SQL warehouse, as in its connection details.',
        placeholder: '/sql/1.0/warehouses/0123456789abcdef',
        pattern: '^(?:/?sql/1\\.0/(?:warehouses|endpoints)/)?[0-9a-f]{1,64}$',
        allowed: 'the HTTP path of a SQL warehouse, such as /sql/1.0/warehouses/0123456789abcdef',
        isFixed: true,
      }),
      token: field.requiredText({ title: 'Token', description: 'A personal access token.', isFixed: true }),
      catalog: field.text({
        title: 'Catalog',
        description: 'Catalog of the schema. Default: main.',
        placeholder: 'main',
        isFixed: true,
      }),
      ...namespaceSetting,
    },
    secrets: ['token'],
    limits: [
      notRunYet,
      'A transaction is one statement: a load writes its tables one by one, and replaces their rows when it is repeated. With loadMode append, a repeated load may add rows twice.',
    ],
    open(settings) {
      const { host, path, token, catalog, namespace } = settings as unknown as Settings
      return createDatabricksWarehouse(
        {
          origin: `https://${host}`,
          warehouseId: path.split('/').at(-1) ?? '',
          token,
          catalog: catalog || 'main',
          namespace: namespace || 'sluice',
        },
        http,
      )
    },
  }
}

interface Settings {
  readonly host: string
  readonly path: string
  readonly token: string
  readonly catalog?: string
  readonly namespace?: string
}
