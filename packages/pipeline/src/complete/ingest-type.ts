import type { EventType } from '@sluice/core'

/** What an ingest call may carry: one event of a type, a merge of identities, or `{batch: [events]}`. */
export type IngestType = EventType | 'merge' | 'batch'
