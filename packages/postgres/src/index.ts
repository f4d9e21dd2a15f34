export { type ClusterTimes, defaultClusterTimes } from './membership/membership.ts'
export { NotServingError } from './membership/not-serving-error.ts'
export { openPostgresStore, type PostgresStoreOptions } from './open-postgres-store.ts'
