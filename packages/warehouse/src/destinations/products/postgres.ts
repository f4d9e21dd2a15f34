import type { GuardedSockets } from '@sluice/delivery'
import { createPostgresWarehouse } from '../../engines/postgres/postgres-warehouse.ts'
import type { WarehouseProduct } from '../define-warehouse.ts'
import { databaseServerOf, databaseSettings, socketOf } from '../server-settings.ts'

/** Events as rows of PostgreSQL tables. @param socket opens a socket that connects to allowed addresses only. */
export function postgresProduct(socket?: GuardedSockets): WarehouseProduct {
  return {
    type: 'POSTGRES',
    displayName: 'PostgreSQL',
    provider: 'postgres',
    settings: databaseSettings(5_432),
    secrets: ['password'],
    limits: ['A table has at most 1,600 columns; values for more go to rudder_discards.'],
    open: (settings, owner) => createPostgresWarehouse(databaseServerOf(settings), socketOf(socket, owner)),
  }
}
