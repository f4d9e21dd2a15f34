import { StoreVersionError } from '../store-errors.ts'
import { type Migration, migrations } from './migrations.ts'
import type { SqliteDatabase } from './sqlite-database.ts'

/**
 * Brings a store to the version of this release, step by step. A step that fails leaves the store at the version before it.
 *
 * @throws StoreVersionError when the store is newer than this release; it is not touched then.
 */
export async function migrate(database: SqliteDatabase, steps: readonly Migration[] = migrations): Promise<void> {
  const stored = requireKnownVersion(database, steps)
  for (const [index, step] of steps.entries()) {
    if (index < stored) continue
    await database.db.transaction().execute(async (transaction) => {
      await step(transaction)
      database.writeVersion(index + 1)
    })
  }
}

/** @returns the version of a store. @throws StoreVersionError when it is newer than this release. */
export function requireKnownVersion(
  database: Pick<SqliteDatabase, 'folder' | 'readVersion'>,
  steps: readonly Migration[] = migrations,
): number {
  const stored = database.readVersion()
  if (stored <= steps.length) return stored
  throw new StoreVersionError(
    `the store in ${database.folder} has version ${stored}, this release knows ${steps.length}: use a newer release`,
  )
}
