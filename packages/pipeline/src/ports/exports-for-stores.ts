// For stores, which need no destinations: they would be loaded into each of their threads.
export { isChosen } from './audit-log.ts'
export { consumerNameOf, observer } from './consumer-name.ts'
export { type ConsumerStart, type CrashStore, type EventPlace, nextStart, type StoredStart } from './crash-store.ts'
export { withDuplicates } from './deduplication.ts'
export { readBatchesMax } from './event-log.ts'
export {
  type BegunLoad,
  type BegunLoad,
  type LoadAttempt,
  type LoadAttempt,
  type LoadMark,
  type LoadStore,
  type LoadStore,
  loadAttemptsMax,
  loadAttemptsMax,
} from './load-store.ts'
export { countLost } from './lost-batches.ts'
export { writeIdMs } from './retry-store.ts'
export { ownerOf, type SessionStore, type StoredSession, sessionsMax } from './session-store.ts'
