export { openPostgresLedgerPlace } from './ledger/open-postgres-ledger-place.ts'
export { requireOtherDatabase } from './ledger/require-other-database.ts'
export { type ClusterTimes, defaultClusterTimes } from './membership/membership.ts'
export { NotServingError } from './membership/not-serving-error.ts'
export type { MissingBatches } from './membership/resume.ts'
export type { ComparedSum } from './migrate/compare-stores.ts'
export type { MigrationProgress } from './migrate/copy-parts.ts'
export {
  type MigrateOptions,
  type MigrationReport,
  migrateSqliteStore,
} from './migrate/migrate-store.ts'
export { openPostgresStore } from './open-postgres-store.ts'
export { type ClusterOperator, type ListedNode, openClusterOperator } from './operate/cluster-operator.ts'
export type { ClusterStatus, DestinationLag, NodeStatus } from './operate/cluster-status.ts'
export { type InitiatedStore, initPostgresStore } from './operate/init-store.ts'
export type { Loss } from './operate/losses.ts'
export type { PostgresStoreOptions } from './postgres-store-options.ts'
export type { StoreAddress } from './store-address.ts'
