export { type NewRegulation, type RegulatedUser, type RegulatedWorkspace, usersMax } from './check-request.ts'
export { type Regulation, type RegulationType, regulationTypes } from './regulation.ts'
export { RegulationError, type RegulationErrorCode, regulationErrors, type UserProblem } from './regulation-error.ts'
export type {
  RegulationChange,
  RegulationPage,
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
