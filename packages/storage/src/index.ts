export { createMemoryStore, type MemoryStoreOptions } from './memory/memory-store.ts'
export type { StoreRecovery } from './sql/recover.ts'
export type { SalvageReport } from './sql/salvage-store.ts'
export { openSqliteStore, type SqliteStoreOptions } from './sql/sqlite-store.ts'
export { backupSqliteStore, salvageSqliteStore, takeBackup } from './sql/store-files.ts'
export {
  StoreClosedError,
  StoreDamagedError,
  StoreInUseError,
  StoreUnusableError,
  StoreVersionError,
} from './store-errors.ts'
