import type { SalvageOptions, SalvageReport } from './salvage/salvage-sqlite-store.ts'
import type { SqliteTables } from './sqlite-tables.ts'

// Loaded when they are used, together with the query builder and its 260 modules, because a server needs none of them.

/** Copies a store that no process has open; see write-backup.ts. */
export async function backupSqliteStore(from: string, to: string): Promise<void> {
  await (await import('./backup/write-backup.ts')).backupSqliteStore(from, to)
}

/** Checks a copy made elsewhere, then gives it its final name; see write-backup.ts. */
export async function takeBackup(partial: string, path: string, of: string): Promise<void> {
  const backup = await import('./backup/write-backup.ts')
  backup.takeBackup(partial, path, of)
}

/** Copies what can be read of a damaged store; see salvage-sqlite-store.ts. */
export async function salvageSqliteStore(
  from: string,
  to: string,
  now: number,
  options?: SalvageOptions,
): Promise<SalvageReport> {
  return (await import('./salvage/salvage-sqlite-store.ts')).salvageSqliteStore(from, to, now, options)
}

/** Opens the tables of a store that no process has open; see sqlite-tables.ts. */
export async function openSqliteTables(path: string): Promise<SqliteTables> {
  return (await import('./sqlite-tables.ts')).openSqliteTables(path)
}
