export { OfflineLoadError, type OfflineOutcome, type OfflineSetup, runOffline } from './run-offline.ts'
