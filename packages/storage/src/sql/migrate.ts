import { StoreVersionError } from '../store-errors.ts'
import { type Migration, migrations } from './migrations.ts'
import type { SqlDatabase } from './sql-database.ts'

/**
 * Migrates a store to the version of this release, step by step. A step that fails leaves the store at the version
 * before that step.
 *
 * @throws StoreVersionError when the store is newer than this release; it is left unchanged.
 */
export async function migrate(database: SqlDatabase, steps: readonly Migration[] = migrations): Promise<void> {
  const stored = await requireKnownVersion(database, steps)
  const { db, dialect } = database
  for (const [index, step] of steps.entries()) {
    if (index < stored) continue
    await db.transaction().execute(async (transaction) => {
      await step(transaction, dialect.types)
      await dialect.writeVersion(transaction, index + 1)
    })
  }
}

/** @returns the version of a store. @throws StoreVersionError when it is newer than this release. */
export async function requireKnownVersion(
  { db, dialect, place }: SqlDatabase,
  steps: readonly Migration[] = migrations,
): Promise<number> {
  const stored = await dialect.readVersion(db)
  if (stored <= steps.length) return stored
  throw new StoreVersionError(
    `the store in ${place} has version ${stored}, this release knows ${steps.length}: use a newer release`,
  )
}
