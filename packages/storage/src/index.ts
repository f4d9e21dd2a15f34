export { createFolderLedgerPlace } from './ledger/folder-ledger-place.ts'
export { createMemoryStore, type MemoryStoreOptions } from './memory/memory-store.ts'
export type { StoreRecovery } from './sqlite/recovery/store-recovery.ts'
export type { SalvageReport } from './sqlite/salvage/salvage-sqlite-store.ts'
export { openSqliteStore, type SqliteStoreOptions } from './sqlite/sqlite-store.ts'
export type { SqliteTables } from './sqlite/sqlite-tables.ts'
export { backupSqliteStore, openSqliteTables, salvageSqliteStore, takeBackup } from './sqlite/store-files.ts'
export {
  StoreClosedError,
  StoreDamagedError,
  StoreInUseError,
  StoreUnusableError,
  StoreVersionError,
} from './store-errors.ts'
