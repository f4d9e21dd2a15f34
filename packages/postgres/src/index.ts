export { StoreLostError } from './membership/store-lost-error.ts'
export { openPostgresStore, type PostgresStoreOptions } from './open-postgres-store.ts'
