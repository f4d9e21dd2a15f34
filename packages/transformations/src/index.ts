export {
  type CodeKind,
  type CodeLanguage,
  type CodeRecord,
  type CodeVersion,
  codeLanguages,
  type VersionedCode,
} from './code-record.ts'
export { type CodeState, type CodeStep, nextState, stateOf, versionState } from './code-state.ts'
export type { CodeTest, TestProblem } from './code-test.ts'
export { importedLibraries } from './imported-libraries.ts'
export type { CodePatch, NewCode } from './next-version.ts'
export type { PublishReport } from './publisher.ts'
export { sampleEvents } from './sample-events.ts'
export {
  type Result,
  type TransformationError,
  type TransformationErrorCode,
  transformationErrors,
} from './transformation-error.ts'
export {
  createTransformationPrograms,
  type TransformationPrograms,
  type TransformationProgramsOptions,
} from './transformation-programs.ts'
export type {
  CodeChange,
  CommitResult,
  LiveCode,
  Publication,
  TransformationStore,
} from './transformation-store.ts'
export { transformationVersionId } from './transformation-version-id.ts'
export {
  createTransformations,
  type PublishRequest,
  type Transformations,
  type TransformationsOptions,
} from './transformations.ts'
export { createUserTransformStage, type UserTransformOptions } from './user-transform-stage.ts'
