export { createMemoryStore, type MemoryStoreOptions } from './memory/memory-store.ts'
export { openSqliteStore, type SqliteStoreOptions } from './sql/sqlite-store.ts'
export { StoreClosedError, StoreInUseError, StoreUnusableError, StoreVersionError } from './store-errors.ts'
