export type { BranchKind } from './coverage/code-places.ts'
export { type Coverage, createCoverage, instrumentedLimits } from './coverage/coverage.ts'
export { type CoverageTableOptions, coverageTable } from './coverage/coverage-table.ts'
export { coverageShortfall } from './coverage/coverage-threshold.ts'
export {
  type CoverageTotals,
  coverageTotals,
  type FileCoverage,
  mergeCoverage,
  type PlaceHits,
  percentOf,
  type Share,
} from './coverage/file-coverage.ts'
export { toLcov } from './coverage/lcov.ts'
export type { SubjectFiles, UncountedFile } from './instrument/instrument-subject.ts'
export type { LineHint } from './profile/line-hints.ts'
export {
  hottestLines,
  type LineProfile,
  type Profile,
  type ProfileOptions,
  profileSubject,
} from './profile/profile-subject.ts'
export {
  type Project,
  type ProjectCase,
  type ProjectCode,
  ProjectError,
  type ProjectLayout,
  type ProjectLibrary,
  type ProjectTransformation,
} from './project/project.ts'
export {
  createOfflineRunner,
  type EventEnding,
  type OfflineDestination,
  OfflineLoadError,
  type OfflineRun,
  type OfflineRunner,
  type OfflineRunnerOptions,
  type RunConditions,
  type Subject,
} from './run/offline-runner.ts'
export { type OfflineOutcome, type OfflineSetup, runOffline } from './run/run-offline.ts'
