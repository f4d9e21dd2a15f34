// For stores, which need no destinations: they would be loaded into each of their threads.
export { consumerOf, observer } from './consumer-names.ts'
export { withDuplicates } from './deduplication.ts'
