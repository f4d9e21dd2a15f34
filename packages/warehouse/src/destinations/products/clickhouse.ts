import type { HttpClient } from '@sluice/delivery'
import { field } from '@sluice/destinations/kit'
import { createClickhouseWarehouse } from '../../engines/clickhouse/clickhouse-warehouse.ts'
import type { WarehouseProduct } from '../define-warehouse.ts'
import { notRunYet } from '../not-run-yet.ts'

/** Events as rows of ClickHouse tables. */
export function clickhouseProduct(http: Pick<HttpClient, 'open'>): WarehouseProduct {
  return {
    type: 'CLICKHOUSE',
    displayName: 'ClickHouse',
    provider: 'clickhouse',
    settings: {
      host: field.requiredText({ title: 'Host', description: 'Name or address of the server.', isFixed: true }),
      port: field.integer({
        title: 'Port',
        description: 'Port of the HTTP interface, 8443 with TLS as a rule.',
        default: 8_123,
        minimum: 1,
        maximum: 65_535,
        isFixed: true,
      }),
      secure: field.flag({ title: 'TLS', description: 'Connects with https.', isFixed: true }),
      user: field.requiredText({
        title: 'User',
        description: 'A user who may create the database and its tables.',
        isFixed: true,
      }),
      password: field.text({ title: 'Password', description: 'Password of the user.', isFixed: true }),
      namespace: field.text({
        title: 'Namespace',
        description: 'Database in which the tables are created. Default: sluice.',
        placeholder: 'sluice',
        isFixed: true,
      }),
      arrays: field.flag({
        title: 'Arrays as arrays',
        description: 'Stores lists in columns of the type Array instead of as JSON text.',
        isUnlisted: true,
        isFixed: true,
      }),
    },
    secrets: ['password'],
    limits: [
      notRunYet,
      'There are no transactions: a load that is repeated after a failure has rows twice until ClickHouse merges parts; query with final.',
    ],
    open(settings) {
      const { host, port, secure, user, password, namespace } = settings as unknown as Settings
      return createClickhouseWarehouse(
        {
          origin: `${secure ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`,
          user,
          password: password ?? '',
          namespace: namespace || 'sluice',
        },
        http,
      )
    },
  }
}

interface Settings {
  readonly host: string
  readonly port: number
  readonly secure: boolean
  readonly user: string
  readonly password?: string
  readonly namespace?: string
}
