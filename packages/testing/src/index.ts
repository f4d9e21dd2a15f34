export type {
  BenchCell,
  BenchReport,
  EventTime,
  HotLine,
  LimitUse,
  MeasuredCell,
  TimeShares,
} from './bench/bench-report.ts'
export { type BenchOptions, benchTransformation } from './bench/bench-transformation.ts'
export { type Comparison, compareTransformations } from './bench/compare-transformations.ts'
export { cellName, milliseconds } from './bench/recommend.ts'
export { findSubject } from './expect/find-subject.ts'
export { type TransformationTest, testTransformation } from './expect/test-transformation.ts'
export { ExpectationError, type TransformationRun } from './expect/transformation-run.ts'
export type { FetchRecording, FetchReply } from './fetch/fetch-recording.ts'
export { openRecordedFetch, type RecordedFetch, type RecordedFetchOptions } from './fetch/recorded-fetch.ts'
export { type CodeNames, type FolderNames, readFolderNames, writeFolderNames } from './project/folder-names.ts'
export { loadProject } from './project/load-project.ts'
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
