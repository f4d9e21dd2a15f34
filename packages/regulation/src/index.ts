export {
  type DeletionJob,
  type DeletionStatus,
  type DeletionUpdate,
  deletionStatuses,
  deletionWaitMsMax,
  isDeletionDue,
  ownData,
} from './deletion/deletion-job.ts'
export type { DeletionStore, DeletionTarget } from './deletion/deletion-store.ts'
export { createDeletions, type Deletions, type DeletionsOptions } from './deletion/deletions.ts'
export type { Eraser, Erasure, ErasureProgress } from './deletion/eraser.ts'
export { forgetWritings } from './deletion/forget-writings.ts'
export { type Regulation, type RegulationType, regulationTypes } from './regulation.ts'
export type {
  DeletionLimit,
  RegulationChange,
  RegulationPage,
  RegulationPageRequest,
  RegulationStore,
  SegmentStore,
  SettledIndex,
  StoredSegment,
} from './regulation-store.ts'
export { createRegulations, type Regulations } from './regulations.ts'
export { type NewRegulation, type RegulatedUser, type RegulatedWorkspace, usersMax } from './requests/check-request.ts'
export {
  RegulationError,
  type RegulationErrorCode,
  regulationErrors,
  type UserProblem,
} from './requests/regulation-error.ts'
export {
  createSuppressStage,
  type SuppressStage,
  suppressedReason,
  type WhenUnavailable,
} from './suppression/suppress-stage.ts'
export {
  createSuppressionIndex,
  type SuppressionIndex,
  SuppressionMismatchError,
  type SuppressionQuestion,
  SuppressionUnavailableError,
} from './suppression/suppression-index.ts'
export { type Writing, type WritingStore, writingsMax, writingsPerUserMax } from './writing-store.ts'
