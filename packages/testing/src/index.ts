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
