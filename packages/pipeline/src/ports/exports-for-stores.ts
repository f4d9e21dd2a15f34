// For stores, which need no destinations: they would be loaded into each of their threads.
export { consumerNameOf, observer } from './consumer-name.ts'
export { type ConsumerStart, type CrashStore, type EventPlace, nextStart, type StoredStart } from './crash-store.ts'
export { withDuplicates } from './deduplication.ts'
export { readBatchesMax } from './event-log.ts'
