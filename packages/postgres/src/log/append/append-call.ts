import type { CountDelta, Deduplication, NewLogBatch } from '@sluice/pipeline'

/** A batch to be appended, whole or without its duplicates. */
export interface AppendCall {
  readonly batch: NewLogBatch
  /** JSON text and lane of each event, and its id where it counts. */
  readonly texts: readonly string[]
  readonly lanes: readonly number[]
  readonly messageIds: readonly string[]
  readonly counts: readonly CountDelta[]
  readonly deduplication: Deduplication | undefined
}
