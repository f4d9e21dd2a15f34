export { defaultRetentionOptions, type RetentionOptions } from './consume/retention-options.ts'
export { defaultRetryOptions, type RetryOptions } from './consume/retry-options.ts'
export type { QueueState } from './consume/workspace-runtime.ts'
export {
  createDeadLetters,
  type DeadLetters,
  type LetterChoice,
  type LetterReplayQuery,
  type LetterReplayStep,
} from './dead-letters/dead-letter-service.ts'
export type { LogReplayQuery, ReplayStep } from './dead-letters/log-replay.ts'
export type { ProcessedAt } from './direct/direct-processing.ts'
export { createEngine, type Engine, type EngineOptions } from './engine.ts'
export { buildFlow, type FlowParts, WorkspaceProblems } from './flow/build-flow.ts'
export type { DeliveryOptions } from './flow/delivery-options.ts'
export {
  type DestinationLine,
  type Flow,
  type FlowReport,
  type LineInput,
  processBatch,
  type SourcedRequest,
} from './flow/flow.ts'
export { type Ending, runStage, type Tracked } from './flow/run-stage.ts'
export type { FailedOutput, LineResult } from './flow/settlement.ts'
export { createSuppressionRecheck } from './flow/suppression-recheck.ts'
export type { IngestCall, IngestResult, ProcessedEvent, ProcessResult } from './ingest/ingest-call.ts'
export { type IngestErrorCode, ingestErrors } from './ingest/ingest-error.ts'
export { type IngestType, parseEvents } from './ingest/parse-events.ts'
export { rudderId } from './ingest/rudder-id.ts'
export type { Route } from './ingest/write-keys.ts'
export type { DestinationTrace, EventTrace } from './insight/event-trace.ts'
export type { DestinationStats, SourceStats } from './insight/stats.ts'
export { createTap, type Tap, type TapEntry, type TapWatcher } from './insight/tap.ts'
export type { BudgetUsage } from './insight/usage.ts'
export { createOwnDataEraser, type OwnDataEraserOptions } from './own-data-eraser.ts'
export type { AuditEntry, AuditLog } from './ports/audit-log.ts'
export { type CountDelta, type CounterStore, type CountKind, countKinds } from './ports/counters.ts'
export type { ConsumerStart, CrashStore, EventPlace } from './ports/crash-store.ts'
export type {
  DeadLetter,
  DeadLetterLimits,
  DeadLetterQuery,
  DeadLetterStore,
  DeadLetterUsage,
} from './ports/dead-letters.ts'
export type { Appended, Deduplication } from './ports/deduplication.ts'
export type { DeferredEntry, DeferredEvent, DeferredOutput, RetryRound } from './ports/deferred-event.ts'
export type {
  EventLog,
  KeptBatches,
  LogBatch,
  LogPosition,
  LogUsage,
  NewLogBatch,
  Progress,
} from './ports/event-log.ts'
export type { EventReceipt, ReceiptStore } from './ports/receipts.ts'
export type { RetryStore } from './ports/retry-store.ts'
export type { LostBatches, Store } from './ports/store.ts'
export { joinTelemetry, type StageOutcomes, type Telemetry, type Work } from './ports/telemetry.ts'
export {
  type Trial,
  type TrialError,
  type TrialReply,
  type TrialResult,
  type TrialStages,
  tryDestination,
} from './trial/trial.ts'
