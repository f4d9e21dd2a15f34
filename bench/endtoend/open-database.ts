import { createRequire } from 'node:module'

/** What benches use of better-sqlite3, which has no types of its own. */
export interface Database {
  pragma(text: string): unknown
  exec(sql: string): void
  prepare(sql: string): { run(...values: unknown[]): unknown; all(...values: unknown[]): unknown[] }
  close(): void
}

const requireFromStorage = createRequire(import.meta.resolve('@sluice/storage'))

/** Opens a file with the driver that Sluice uses on this Node. */
export function openDatabase(path: string): Database {
  const name = Number(process.versions['napi']) < 10 ? '@sluice/sqlite-older-node' : 'better-sqlite3'
  const driver = requireFromStorage(name) as new (path: string) => Database
  return new driver(path)
}
