export type {
  BenchCell,
  BenchReport,
  EventTime,
  EventTimes,
  HotLine,
  LimitUse,
  MeasuredCell,
  SkippedCell,
  TimeShares,
} from './bench/bench-report.ts'
export { type BenchOptions, benchTransformation } from './bench/bench-transformation.ts'
export { type Comparison, compareTransformations } from './bench/compare-transformations.ts'
export { cellName, milliseconds, recommendedCell } from './bench/recommend.ts'
export type { CaseProblem, CaseReport } from './cases/case-report.ts'
export { type CaseRun, type CaseRunSetup, runEventsOf } from './cases/case-run.ts'
export { type CodePlace, codesOf, placeLines, placeOf } from './cases/code-place.ts'
export { type DiffHunk, type DiffLine, diffJson, type JsonDiff } from './cases/diff.ts'
export { matches } from './cases/matches.ts'
export { type CaseSetup, runCase } from './cases/run-case.ts'
export { checkLibraries, type LibraryReport, runProject } from './cases/run-project.ts'
export { toSubject } from './cases/to-subject.ts'
export type { BranchKind } from './coverage/code-places.ts'
export { type CountedRunner, createCountedRunner } from './coverage/counted-runner.ts'
export { type Coverage, createCoverage, instrumentedLimits } from './coverage/coverage.ts'
export { coverageShortfall } from './coverage/coverage-shortfall.ts'
export { type CoverageTableOptions, coverageTable } from './coverage/coverage-table.ts'
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
export { type ChangeExample, type ChangeGroup, groupName } from './diff/change-groups.ts'
export { type DiffOptions, type DiffReport, diffRuns, type SideTotals } from './diff/diff-runs.ts'
export type { DiffedWay, DiffSide } from './diff/diffed-way.ts'
export { type RecordedEndings, recordEndings } from './diff/record-endings.ts'
export { type WorkspaceSide, workspaceWays } from './diff/workspace-ways.ts'
export { findSubject } from './expect/find-subject.ts'
export { type TestEvent, type TransformationTest, testTransformation } from './expect/test-transformation.ts'
export { ExpectationError, type TransformationRun } from './expect/transformation-run.ts'
export type { FetchRecording, FetchReply } from './fetch/fetch-recording.ts'
export { openRecordedFetch, type RecordedFetch, type RecordedFetchOptions } from './fetch/recorded-fetch.ts'
export type { UncountedFile } from './instrument/instrument-typeless.ts'
export type { LineHint } from './profile/line-hints.ts'
export {
  hottestLines,
  type LineProfile,
  type Profile,
  type ProfileOptions,
  profileSubject,
} from './profile/profile-subject.ts'
export { type CodeNames, type FolderNames, readFolderNames, writeFolderNames } from './project/folder-names.ts'
export { loadProject, lookedFor } from './project/load-project.ts'
export {
  type Project,
  type ProjectCase,
  type ProjectCode,
  ProjectError,
  type ProjectLayout,
  type ProjectLibrary,
  type ProjectTransformation,
} from './project/project.ts'
export { shownPath } from './project/project-files.ts'
export { selectCasesByPaths, selectCasesByText } from './project/select-cases.ts'
export { findVitestFiles } from './project/vitest-files.ts'
export {
  type EventEnding,
  type OfflineDestination,
  OfflineLoadError,
  type OfflinePlace,
  type OfflineRun,
  type RunConditions,
  type Subject,
  type SubjectFiles,
} from './run/offline-run.ts'
export { createOfflineRunner, type OfflineRunner, type OfflineRunnerOptions } from './run/offline-runner.ts'
export { type OfflineOutcome, type OfflineSetup, runOffline } from './run/run-offline.ts'
export { type Counterexample, checkTraffic, type TrafficReport, type TrafficSetup } from './traffic/check-traffic.ts'
export type { Fc } from './traffic/event-arbitrary.ts'
export { loadFastCheck } from './traffic/load-fast-check.ts'
export { observeTraffic, type TrafficModel } from './traffic/observe-traffic.ts'
export { saveCounterexample } from './traffic/save-counterexample.ts'
export { type BrokenLaw, type TrafficLaw, trafficLaws } from './traffic/traffic-laws.ts'
