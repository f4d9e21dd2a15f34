import { systemClock, systemRandom } from '@sluice/core'
import { countLost } from '@sluice/pipeline/store'
import type { Kysely } from 'kysely'
import type { Tables } from '../sql/tables.ts'
import { StoreUnusableError } from '../store-errors.ts'
import { hasBytes } from './recovery/store-recovery.ts'
import { openSqliteDatabase } from './sqlite-database.ts'
import { openSqliteStores } from './sqlite-stores.ts'

/** The tables of a store that no process has open, to be read. */
export interface SqliteTables {
  /** At the version of this release. */
  readonly db: Kysely<Tables>
  /** Number of acknowledged batches that were found missing, now or before. */
  readonly lostBatches: number
  /** Lets other processes open the store again. */
  close(): Promise<void>
}

/**
 * Opens the file of a store for itself, after recovering what a killed process left and migrating it to the version of this
 * release: no process can use the store until it is closed.
 *
 * @throws StoreUnusableError when there is no such file; StoreInUseError; StoreVersionError; StoreDamagedError
 */
export async function openSqliteTables(path: string): Promise<SqliteTables> {
  if (!hasBytes(path)) throw new StoreUnusableError(`${path} is no store`)
  const stores = await openSqliteStores(
    { path, synchronous: 'full', budgetBytes: Number.MAX_SAFE_INTEGER, reserveBytes: 0, ...noLimits },
    // A copy reads all tables anyway, and fails where one is damaged.
    { clock: systemClock, random: systemRandom, onRecovery: () => {}, onChecked: () => {}, onState: () => {} },
  )
  const lost = await stores.disk.lostBatches()
  await stores.disk.close()
  const { db } = openSqliteDatabase({ path, synchronous: 'full' })
  return {
    db,
    lostBatches: countLost(lost),
    close: () => db.destroy(),
  }
}

/** Nothing is written, so nothing is forgotten. */
const noLimits = {
  receiptsMax: Number.MAX_SAFE_INTEGER,
  auditEntriesMax: Number.MAX_SAFE_INTEGER,
  deadLetterLimits: {
    lettersMax: Number.MAX_SAFE_INTEGER,
    bytesMax: Number.MAX_SAFE_INTEGER,
    ageMsMax: Number.MAX_SAFE_INTEGER,
  },
  schemaLimits: {},
}
