import type { SalvageReport } from './salvage-store.ts'

// A server needs none of these: they are loaded when they are used, and the query builder with its 260 modules with them.

/** Copies a store that no process has open; see backup.ts. */
export async function backupSqliteStore(from: string, to: string): Promise<void> {
  await (await import('./backup.ts')).backupSqliteStore(from, to)
}

/** Checks a copy that was made elsewhere, then gives it its name; see backup.ts. */
export async function takeBackup(partial: string, path: string, of: string): Promise<void> {
  const backup = await import('./backup.ts')
  backup.takeBackup(partial, path, of)
}

/** Copies what can be read of a damaged store; see salvage-store.ts. */
export async function salvageSqliteStore(from: string, to: string, now: number): Promise<SalvageReport> {
  return (await import('./salvage-store.ts')).salvageSqliteStore(from, to, now)
}
