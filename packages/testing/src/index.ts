export type { CaseProblem, CaseReport } from './cases/case-report.ts'
export type { CodePlace } from './cases/code-place.ts'
export { type DiffHunk, type DiffLine, diffJson, type JsonDiff } from './cases/diff.ts'
export { matches } from './cases/matches.ts'
export { type CaseSetup, runCase } from './cases/run-case.ts'
export { checkLibraries, type LibraryReport, runProject } from './cases/run-project.ts'
export { type Instrument, toSubject } from './cases/to-subject.ts'
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
export { selectByPaths, selectByText } from './project/select-cases.ts'
export { findVitestFiles } from './project/vitest-files.ts'
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
