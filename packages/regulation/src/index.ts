export { type NewRegulation, type RegulatedUser, type RegulatedWorkspace, usersMax } from './check-request.ts'
export {
  type DeletionJob,
  type DeletionStatus,
  type DeletionUpdate,
  deletionStatuses,
  ownData,
} from './deletion-job.ts'
export type { DeletionStore, DeletionTarget } from './deletion-store.ts'
export { createDeletions, type Deletions, type DeletionsOptions } from './deletions.ts'
export type { Eraser, Erasure, ErasureProgress } from './eraser.ts'
export { type Regulation, type RegulationType, regulationTypes } from './regulation.ts'
export { RegulationError, type RegulationErrorCode, regulationErrors, type UserProblem } from './regulation-error.ts'
export type {
  RegulationChange,
  RegulationPage,
  RegulationPageRequest,
  RegulationStore,
  SegmentStore,
  StoredSegment,
} from './regulation-store.ts'
export { createRegulations, type Regulations } from './regulations.ts'
export { createSuppressStage, type SuppressStage, suppressedReason, type WhenUnavailable } from './suppress-stage.ts'
export {
  createSuppressionIndex,
  type SuppressionIndex,
  type SuppressionQuestion,
  SuppressionUnavailableError,
} from './suppression-index.ts'
