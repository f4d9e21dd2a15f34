import type { GuardedSockets } from '@sluice/delivery'
import { createRedshiftWarehouse } from '../../engines/redshift/redshift-warehouse.ts'
import type { WarehouseProduct } from '../define-warehouse.ts'
import { notRunYet } from '../not-run-yet.ts'
import { databaseServerOf, databaseSettings, socketOf } from '../server-settings.ts'

/** Events as rows of Redshift tables. @param socket opens a socket that connects to allowed addresses only. */
export function redshiftProduct(socket?: GuardedSockets): WarehouseProduct {
  return {
    type: 'REDSHIFT',
    otherTypes: ['RS'],
    displayName: 'Amazon Redshift',
    provider: 'rs',
    settings: databaseSettings(5_439),
    secrets: ['password'],
    limits: [
      notRunYet,
      'A text has at most 65,535 bytes, and a table 1,600 columns; values beyond go to rudder_discards.',
      'Rows are sent with INSERT statements, which Redshift loads more slowly than files: prefer few, large loads.',
    ],
    open: (settings, owner) => createRedshiftWarehouse(databaseServerOf(settings), socketOf(socket, owner)),
  }
}
