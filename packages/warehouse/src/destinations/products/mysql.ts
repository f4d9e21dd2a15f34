import type { JsonObject } from '@sluice/core'
import type { GuardedSockets } from '@sluice/delivery'
import { field } from '@sluice/destinations/kit'
import { createMysqlWarehouse } from '../../engines/mysql/mysql-warehouse.ts'
import type { WarehouseProduct } from '../define-warehouse.ts'
import { type ServerSettings, serverSettings, socketOf, tlsOf } from '../server-settings.ts'

/** Events as rows of MySQL or MariaDB tables. @param socket opens a socket that connects to allowed addresses only. */
export function mysqlProduct(socket?: GuardedSockets): WarehouseProduct {
  return {
    type: 'MYSQL',
    displayName: 'MySQL',
    provider: 'mysql',
    settings: {
      ...serverSettings(3_306),
      namespace: field.text({
        title: 'Namespace',
        description: 'Database in which the tables are created. Default: sluice.',
        placeholder: 'sluice',
        isFixed: true,
      }),
    },
    secrets: ['password'],
    limits: [
      'A table has at most 300 columns, because InnoDB must fit a row into a page; values for more go to rudder_discards.',
      'Ids longer than 255 characters are discarded.',
    ],
    open: (settings, owner) => createMysqlWarehouse(serverOf(settings), socketOf(socket, owner)),
  }
}

function serverOf(settings: JsonObject) {
  const { host, port, user, password, namespace, ...tls } = settings as unknown as ServerSettings
  return { host, port, user, password: password ?? '', namespace: namespace || 'sluice', ssl: tlsOf(tls) }
}
