import type { ConfigurationStore } from '@sluice/configuration'
import type { Clock, Random } from '@sluice/core'
import type {
  AuditLog,
  ChangeLog,
  CounterStore,
  CrashStore,
  DeadLetterLimits,
  DeadLetterStore,
  HistoryStore,
  LoadStore,
  LogPosition,
  ReceiptStore,
  RetryStore,
  SessionStore,
} from '@sluice/pipeline'
import type {
  DeletionStore,
  LedgerMarkStore,
  SegmentStore,
  SubjectRequestStore,
  WritingStore,
} from '@sluice/regulation'
import type { SchemaLimits } from '@sluice/schema'
import type { TransformationStore } from '@sluice/transformations'
import type { LogBudget } from './log/log-budget.ts'
import type { LogRows } from './log/log-rows.ts'
import { createSqlLogRows } from './log/sql-log-rows.ts'
import type { SchemaRows } from './schema/schema-rows.ts'
import { createSqlSchemaRows, type SqlSchemaRows } from './schema/sql-schema-rows.ts'
import type { Db, SqlSession } from './sql-session.ts'
import type { LaneOf } from './stores/flow/put-deferred.ts'
import { createSqlCounterStore } from './stores/flow/sql-counter-store.ts'
import { createSqlCrashStore } from './stores/flow/sql-crash-store.ts'
import { createSqlDeadLetterStore, type SqlDeadLetterStore } from './stores/flow/sql-dead-letter-store.ts'
import { createSqlHistoryStore, type WaitingCounts } from './stores/flow/sql-history-store.ts'
import { createSqlLoadStore } from './stores/flow/sql-load-store.ts'
import { createSqlReceiptStore, type SqlReceiptStore } from './stores/flow/sql-receipt-store.ts'
import { createSqlRetryStore } from './stores/flow/sql-retry-store.ts'
import { createSqlAuditLog } from './stores/governance/sql-audit-log.ts'
import { createSqlChangeLog } from './stores/governance/sql-change-log.ts'
import { createSqlDeletionStore } from './stores/governance/sql-deletion-store.ts'
import { createSqlLedgerMarkStore } from './stores/governance/sql-ledger-mark-store.ts'
import { createSqlRegulationStore, type SqlRegulationStore } from './stores/governance/sql-regulation-store.ts'
import { createSqlSegmentStore } from './stores/governance/sql-segment-store.ts'
import { createSqlSubjectRequestStore } from './stores/governance/sql-subject-request-store.ts'
import { createSqlConfigurationStore } from './stores/records/sql-configuration-store.ts'
import { createSqlSessionStore } from './stores/records/sql-session-store.ts'
import { createSqlTransformationStore } from './stores/records/sql-transformation-store.ts'
import { createSqlWritingStore } from './stores/records/sql-writing-store.ts'

/**
 * The stores in one database. All methods are asynchronous and take and return plain data, so they can run in a thread.
 */
export interface SqlStores {
  readonly log: LogRows
  readonly counters: CounterStore
  readonly history: HistoryStore
  readonly receipts: Omit<ReceiptStore, 'receiptsMax'>
  readonly retries: RetryStore
  readonly deadLetters: Omit<DeadLetterStore, 'limits'>
  readonly regulations: SqlRegulationStore
  readonly ledgerMarks: LedgerMarkStore
  readonly segments: SegmentStore
  readonly deletions: DeletionStore
  readonly writings: WritingStore
  readonly subjectRequests: SubjectRequestStore
  readonly schema: SchemaRows
  readonly transformations: TransformationStore
  readonly configuration: ConfigurationStore
  readonly audit: AuditLog
  readonly changeLog: ChangeLog
  readonly crashes: CrashStore
  readonly sessions: SessionStore
  readonly loads: LoadStore
}

/** Plain data. */
export interface SqlStoresLimits {
  readonly receiptsMax: number
  readonly auditEntriesMax: number
  readonly deadLetterLimits: DeadLetterLimits
  readonly schemaLimits: Partial<SchemaLimits>
}

interface SqlStoresOptions {
  readonly clock: Clock
  readonly random: Random
  readonly limits: SqlStoresLimits
  readonly budget: LogBudget
  /** Default: all users have lane 0. */
  readonly laneOf?: LaneOf
  /** Default: the one of all. Writes of regulations are waited for, so that it pays when they take turns of their own. */
  readonly regulationSession?: SqlSession
  /** Counts that are kept beside the counters until they are added up. */
  readonly waitingCounts?: WaitingCounts
  /** Called in the transaction that appends a batch, which may still be undone. */
  readonly onAppend?: (transaction: Db, position: LogPosition) => void
}

/** With what can be used in a transaction. */
export interface OpenSqlStores extends SqlStores {
  readonly receipts: SqlReceiptStore
  readonly deadLetters: SqlDeadLetterStore
  readonly schema: SqlSchemaRows
}

/** Creates the stores of a database whose tables are at the version of this release. */
export function createSqlStores(
  session: SqlSession,
  {
    clock,
    random,
    limits,
    budget,
    laneOf = () => 0,
    regulationSession = session,
    waitingCounts,
    onAppend,
  }: SqlStoresOptions,
): OpenSqlStores {
  const receipts = createSqlReceiptStore(session, limits.receiptsMax)
  const deadLetters = createSqlDeadLetterStore(session, { clock, limits: limits.deadLetterLimits, laneOf })
  const schema = createSqlSchemaRows(session, { clock, random, limits: limits.schemaLimits })
  return {
    log: createSqlLogRows(session, {
      receipts,
      deadLetters,
      schema,
      budget,
      laneOf,
      onAppend,
    }),
    counters: createSqlCounterStore(session),
    history: createSqlHistoryStore(session, waitingCounts),
    receipts,
    retries: createSqlRetryStore(session, { receipts, deadLetters, laneOf }),
    deadLetters,
    regulations: createSqlRegulationStore(regulationSession, clock),
    ledgerMarks: createSqlLedgerMarkStore(regulationSession),
    segments: createSqlSegmentStore(regulationSession),
    deletions: createSqlDeletionStore(regulationSession, clock),
    writings: createSqlWritingStore(session),
    subjectRequests: createSqlSubjectRequestStore(regulationSession),
    schema,
    transformations: createSqlTransformationStore(session),
    configuration: createSqlConfigurationStore(session),
    audit: createSqlAuditLog(session, limits.auditEntriesMax),
    changeLog: createSqlChangeLog(session, limits.auditEntriesMax),
    crashes: createSqlCrashStore(session),
    sessions: createSqlSessionStore(session),
    loads: createSqlLoadStore(session),
  }
}
