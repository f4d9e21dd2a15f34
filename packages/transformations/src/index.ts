export type { CodeTest, TestProblem } from './code-test/code-test.ts'
export { sampleEvents } from './code-test/sample-events.ts'
export { type CodeProblem, type CodeToTry, type CodeTrial, tryCode } from './code-test/try-code.ts'
export { createTransformations } from './create-transformations.ts'
export type { PublishReport } from './publish/publisher.ts'
export { importedLibraries, importedNames } from './run/imported-libraries.ts'
export {
  createTransformationPrograms,
  type TransformationPrograms,
  type TransformationProgramsOptions,
} from './run/transformation-programs.ts'
export { createUserTransformStage, type UserTransformOptions } from './run/user-transform-stage.ts'
export {
  type Result,
  type TransformationError,
  type TransformationErrorCode,
  transformationErrors,
} from './transformation-error.ts'
export type { PublishRequest, Transformations, TransformationsOptions } from './transformations.ts'
export {
  type CodeKind,
  type CodeLanguage,
  type CodeRecord,
  type CodeVersion,
  codeLanguages,
  type VersionedCode,
} from './versions/code-record.ts'
export { type CodeState, type CodeStep, nextState, stateOf, versionState } from './versions/code-state.ts'
export type { CodePatch, NewCode } from './versions/next-version.ts'
export type {
  CodeChange,
  CommitResult,
  LiveCode,
  Publication,
  TransformationStore,
} from './versions/transformation-store.ts'
export { transformationVersionId } from './versions/transformation-version-id.ts'
