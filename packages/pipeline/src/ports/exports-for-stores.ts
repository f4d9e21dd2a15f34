// For stores, which need no destinations: they would be loaded into each of their threads.

export { consumerNameOf, observer } from './consumer-name.ts'
export { withDuplicates } from './deduplication.ts'
export { readBatchesMax } from './event-log.ts'
export { countLost } from './lost-batches.ts'
export { isChosen } from './stores/audit-log.ts'
export {
  boundNames,
  dayOfCount,
  isAdmission,
  isNamed,
  namedDayKey,
  namedDays,
  otherNames,
} from './stores/bound-names.ts'
export { boundSeries, isGauge, seriesKey, sumSeries } from './stores/bound-series.ts'
export { isChosenChange } from './stores/change-log.ts'
export {
  type ConsumerStart,
  type CrashStore,
  type EventPlace,
  nextStart,
  type StoredStart,
} from './stores/crash-store.ts'
export { historyKept, hourMs, minuteMs, quarterMs, slotOf } from './stores/history-store.ts'
export {
  type BegunLoad,
  type LoadAttempt,
  type LoadMark,
  type LoadStore,
  loadAttemptsMax,
} from './stores/load-store.ts'
export { writeIdMs } from './stores/retry-store.ts'
export { ownerOf, type SessionStore, type StoredSession, sessionsMax } from './stores/session-store.ts'
export { UnknownOutcomeError } from './unknown-outcome-error.ts'
