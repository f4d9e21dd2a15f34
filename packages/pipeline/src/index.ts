export type { AuditEntry, AuditLog } from './audit-log.ts'
export { buildFlow, type FlowParts, WorkspaceProblems } from './build-flow.ts'
export { type CountDelta, type CounterStore, type CountKind, countKinds } from './counters.ts'
export type { ConsumerStart, CrashStore, EventPlace } from './crash-store.ts'
export {
  createDeadLetters,
  type DeadLetters,
  type LetterChoice,
  type LetterReplayQuery,
  type LetterReplayStep,
} from './dead-letter-service.ts'
export type {
  DeadLetter,
  DeadLetterLimits,
  DeadLetterQuery,
  DeadLetterStore,
  DeadLetterUsage,
} from './dead-letters.ts'
export type { Appended, Deduplication } from './deduplication.ts'
export type { DeferredEntry, DeferredEvent, DeferredOutput, RetryRound } from './deferred-event.ts'
export type { DeliveryOptions } from './delivery-options.ts'
export type { ProcessedAt } from './direct-processing.ts'
export { createEngine, type Engine, type EngineOptions } from './engine.ts'
export type { EventLog, KeptBatches, LogBatch, LogPosition, LogUsage, NewLogBatch, Progress } from './event-log.ts'
export type { DestinationTrace, EventTrace } from './event-trace.ts'
export {
  type DestinationLine,
  type Flow,
  type FlowReport,
  type LineInput,
  processBatch,
  type SourcedRequest,
} from './flow.ts'
export type { IngestCall, IngestResult, ProcessedEvent, ProcessResult } from './ingest-call.ts'
export { type IngestErrorCode, ingestErrors } from './ingest-error.ts'
export type { LogReplayQuery, ReplayStep } from './log-replay.ts'
export { createOwnDataEraser, type OwnDataEraserOptions } from './own-data-eraser.ts'
export { type IngestType, parseEvents } from './parse-events.ts'
export type { EventReceipt, ReceiptStore } from './receipts.ts'
export { defaultRetentionOptions, type RetentionOptions } from './retention-options.ts'
export { defaultRetryOptions, type RetryOptions } from './retry-options.ts'
export type { RetryStore } from './retry-store.ts'
export { rudderId } from './rudder-id.ts'
export { type Ending, runStage, type Tracked } from './run-stage.ts'
export type { FailedOutput, LineResult } from './settlement.ts'
export type { DestinationStats, SourceStats } from './stats.ts'
export type { LostBatches, Store } from './store.ts'
export { createSuppressionRecheck } from './suppression-recheck.ts'
export { createTap, type Tap, type TapEntry, type TapWatcher } from './tap.ts'
export { joinTelemetry, type StageOutcomes, type Telemetry, type Work } from './telemetry.ts'
export {
  type Trial,
  type TrialError,
  type TrialReply,
  type TrialResult,
  type TrialStages,
  tryDestination,
} from './trial.ts'
export type { BudgetUsage } from './usage.ts'
export type { QueueState } from './workspace-runtime.ts'
export type { Route } from './write-keys.ts'
