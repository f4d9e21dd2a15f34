export { isLoadUnderWay } from './consume/load/is-load-under-way.ts'
export { defaultRetentionOptions, type RetentionOptions } from './consume/retention-options.ts'
export { defaultRetryOptions, type RetryOptions } from './consume/retry/retry-options.ts'
export type { QueueState } from './consume/workspace-runtime.ts'
export {
  createDeadLetters,
  type DeadLetterChoice,
  type DeadLetterReplayQuery,
  type DeadLetterReplayStep,
  type DeadLetters,
} from './dead-letters/dead-letters.ts'
export type { LogReplayQuery, ReplayStep } from './dead-letters/log-replay.ts'
export { createReplayJobs, type ReplayJob, type ReplayJobs } from './dead-letters/replay-jobs.ts'
export type { ProcessedAt, ProcessedEvent, ProcessResult } from './direct/process-result.ts'
export { createEngine, type Engine } from './engine/engine.ts'
export type { EngineErasure } from './engine/engine-erasure.ts'
export type { DestinationHealth, EngineHistory } from './engine/engine-history.ts'
export type { EngineReports } from './engine/engine-reports.ts'
export { createOwnDataEraser, type OwnDataEraserOptions } from './engine/own-data-eraser.ts'
export type { EngineOptions } from './engine-options.ts'
export { buildFlow, type FlowParts, WorkspaceProblems } from './flow/build-flow.ts'
export { stagesBeforeDelivery } from './flow/build-path.ts'
export type { DeliveryOptions } from './flow/delivery-options.ts'
export type { DestinationPath, PathInput, SourcedRequest } from './flow/destination-path.ts'
export type { DestinationResult, FailedOutput } from './flow/destination-result.ts'
export type { RunWatch } from './flow/destination-run.ts'
export { type Flow, type FlowReport, processBatch, resultsAt } from './flow/flow.ts'
export { type Ending, runStage, type Tracked } from './flow/run-stage.ts'
export { leftOutSend, leftOutStage } from './flow/stages/left-out-stage.ts'
export type { OwnStagePlace, StageOptions } from './flow/stages/own-stages.ts'
export { createSuppressionRecheck } from './flow/stages/suppression-recheck.ts'
export { completeEvent, type ReceivedCall } from './ingest/complete-event.ts'
export type { IngestCall, IngestResult } from './ingest/ingest-call.ts'
export { type IngestErrorCode, ingestErrors } from './ingest/ingest-error.ts'
export { type IngestType, parseEvents } from './ingest/parse-events.ts'
export { rudderId } from './ingest/rudder-id.ts'
export type { IngestSource } from './ingest/write-keys.ts'
export type {
  Cluster,
  ClusterMeasures,
  ClusterMember,
  ClusterProcess,
  ClusterProcesses,
  Definition,
  EarlyTry,
  ProcessVitals,
} from './ports/cluster.ts'
export type { Appended, Deduplication } from './ports/deduplication.ts'
export type { DeferredEntry, DeferredEvent, DeferredOutput, RetryResult } from './ports/deferred-event.ts'
export type {
  ConsumerLog,
  EventLog,
  KeptBatches,
  LogBatch,
  LogUsage,
  NewLogBatch,
  Progress,
} from './ports/event-log.ts'
export type { LogPosition } from './ports/log-position.ts'
export { countLost, type LostBatches } from './ports/lost-batches.ts'
export { type Routes, routesOf } from './ports/routes.ts'
export type { Store } from './ports/store.ts'
export type { AuditEntry, AuditFilter, AuditLog, AuditRecord } from './ports/stores/audit-log.ts'
export { namedDays } from './ports/stores/bound-names.ts'
export {
  type Change,
  type ChangeFilter,
  type ChangeKind,
  type ChangeLog,
  type ChangeRecord,
  type ChangeSubject,
  changeKinds,
} from './ports/stores/change-log.ts'
export {
  type CountDelta,
  type CounterStore,
  type CountKind,
  countKinds,
  type EventDay,
  type NamedCount,
  type NamedQuery,
} from './ports/stores/counter-store.ts'
export type { ConsumerStart, CrashStore, EventPlace } from './ports/stores/crash-store.ts'
export type {
  DeadLetter,
  DeadLetterFilter,
  DeadLetterGroup,
  DeadLetterLimits,
  DeadLetterQuery,
  DeadLetterSlot,
  DeadLetterSlots,
  DeadLetterStore,
  DeadLetterUsage,
} from './ports/stores/dead-letter-store.ts'
export type {
  HistoryKind,
  HistoryQuery,
  HistoryRead,
  HistoryRow,
  HistorySlot,
  HistoryStore,
} from './ports/stores/history-store.ts'
export type { BegunLoad, LoadAttempt, LoadMark, LoadStore } from './ports/stores/load-store.ts'
export type { EventReceipt, ReceiptStore } from './ports/stores/receipt-store.ts'
export type { RetryStore } from './ports/stores/retry-store.ts'
export type { SessionStore, StoredSession } from './ports/stores/session-store.ts'
export { joinTelemetry, type StageOutcomes, type Telemetry, type Work } from './ports/telemetry.ts'
export { UnknownOutcomeError } from './ports/unknown-outcome-error.ts'
export { type CodeLog, type CodeLogEntry, createCodeLog, showLines } from './reports/code-log.ts'
export type { DestinationCircuit } from './reports/counts/circuits.ts'
export {
  type CountHistory,
  type CountPoint,
  createCountHistory,
  type SourceCounts,
} from './reports/counts/count-history.ts'
export type { LoadConflict } from './reports/counts/load-conflicts.ts'
export type { LoadState } from './reports/counts/load-history.ts'
export { type OutcomeReason, type OutcomeWhy, outcomeReasons } from './reports/counts/outcome-reason.ts'
export type { DestinationOutcomes, NameCount, Outcomes, UnreachedEvents } from './reports/counts/outcomes.ts'
export type { DestinationStats, SourceStats } from './reports/counts/stats.ts'
export type { BudgetUsage } from './reports/counts/usage.ts'
export { type ViolationCount, violationsIn } from './reports/counts/violations.ts'
export type { DestinationFailure } from './reports/destination-failure.ts'
export { createEventMasks, type EventMasks, hidesPath } from './reports/event-masks.ts'
export { type EventPayload, type PayloadAtDestination, readPayload } from './reports/event-payload.ts'
export { delayBoundsMs } from './reports/history/delay-counts.ts'
export { type Health, healths } from './reports/history/health.ts'
export {
  type HistoryChoice,
  type HistoryRange,
  lengths as historyLengths,
  ranges as historyRanges,
  toHistoryRange,
} from './reports/history/history-range.ts'
export type {
  DelayBounds,
  HistoryDelays,
  HistoryReport,
  HistorySeries,
  HistoryWaiting,
} from './reports/history/history-report.ts'
export { readDeliveries, type ShownDelivery } from './reports/kept/shown-delivery.ts'
export { type RecordedPlace, type RecordedQuery, readRecorded } from './reports/read-recorded.ts'
export { type RecordedEvent, type RecordedEvents, recordedEvents } from './reports/recorded-events.ts'
export { type RecordedReview, reviewRecorded } from './reports/review-recorded.ts'
export { createTap, keptEntriesMax, type Tap, type TapEntry } from './reports/tap.ts'
export type { DestinationTrace, EventTrace } from './reports/users/event-trace.ts'
export { findPerson, type PersonFound, type UserKey } from './reports/users/find-person.ts'
export { type FoundUser, findUsers, type UserSearch, type UsersFound } from './reports/users/find-users.ts'
export type { LookParts } from './reports/users/newest-batches.ts'
export { type SearchUserParts, searchUser } from './reports/users/search-user.ts'
export { type ReportedStores, reportUser, type UserReport } from './reports/users/user-report.ts'
export type { Watcher, Watching } from './reports/watching.ts'
export type { ActionPreview } from './trial/preview-actions.ts'
export {
  type Trial,
  type TrialResult,
  type TrialStages,
  tryDestination,
} from './trial/trial.ts'
export type { TrialReply } from './trial/trial-reply.ts'
export type { TrialError } from './trial/trial-sending.ts'
