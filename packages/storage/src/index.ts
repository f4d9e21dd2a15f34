export { createMemoryStore, type MemoryStoreOptions } from './memory/memory-store.ts'
export { backupSqliteStore, takeBackup } from './sql/backup.ts'
export type { StoreRecovery } from './sql/recover.ts'
export { type SalvageReport, salvageSqliteStore } from './sql/salvage-store.ts'
export { openSqliteStore, type SqliteStoreOptions } from './sql/sqlite-store.ts'
export {
  StoreClosedError,
  StoreDamagedError,
  StoreInUseError,
  StoreUnusableError,
  StoreVersionError,
} from './store-errors.ts'
