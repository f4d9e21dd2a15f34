import { StoreVersionError } from '../store-errors.ts'
import { type Migration, migrations } from './migrations.ts'
import type { SqlDatabase } from './sql-database.ts'

/**
 * Migrates a store to the version of this release, step by step. A step that fails leaves the store at the version
 * before that step. A store that is new is made whole or not at all: a commit for each of many steps would take seconds.
 *
 * @throws StoreVersionError when the store is newer than this release; it is left unchanged.
 */
export async function migrate(database: SqlDatabase, steps: readonly Migration[] = migrations): Promise<void> {
  const stored = await requireKnownVersion(database, steps)
  const { db, dialect } = database
  const missing = steps.slice(stored)
  const together = stored === 0 ? [missing] : missing.map((step) => [step])
  let version = stored
  for (const some of together) {
    version += some.length
    await db.transaction().execute(async (transaction) => {
      for (const step of some) await step(transaction, dialect.types)
      await dialect.writeVersion(transaction, version)
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
