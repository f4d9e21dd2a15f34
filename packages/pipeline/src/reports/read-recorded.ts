import type { Clock, SourcedEvent } from '@sluice/core'
import type { LogPosition } from '../ports/log-position.ts'
import type { Store } from '../ports/store.ts'
import type { AskedEngine } from './asked-engine.ts'
import { newestBatches } from './users/newest-batches.ts'

/** A place between the events of the log, for a query that stays the same. */
export interface RecordedPlace {
  readonly position: LogPosition
  /** Only those of the first batch before this one are left; undefined: all of them. */
  readonly index?: number
}

export interface RecordedQuery {
  readonly workspaceId: string
  /** Only events that were accepted for this destination. */
  readonly destinationId?: string
  readonly sourceId?: string
  /** Only events of this name. */
  readonly event?: string
  /** Only events that were received at this time or later, in milliseconds since the epoch. */
  readonly from?: number
  /** Only events that were received before this time. */
  readonly to?: number
  readonly limit: number
  /** `next` of the page before. */
  readonly after?: RecordedPlace
}

export interface ReadParts {
  readonly store: Pick<Store, 'log'>
  readonly engine: AskedEngine
  readonly clock: Pick<Clock, 'now'>
}

/** Events of one call that match, in order. */
interface RecordedBatch {
  readonly sourceId: string
  readonly receivedAt: number
  readonly records: readonly { readonly source: SourcedEvent; readonly place: Required<RecordedPlace> }[]
}

interface RecordedRead {
  /** The newest first. */
  readonly batches: AsyncIterable<RecordedBatch>
  /** As in `newestBatches`. */
  next(): LogPosition | undefined
}

/** A batch received so long before `from` ends the look, in milliseconds: clocks of processes differ by less. */
const lateMs = 60 * 60 * 1_000

/** Reads events of the log backwards, without those of users who are suppressed now, within the limits of `newestBatches`. */
export function readRecorded(query: Omit<RecordedQuery, 'limit'>, { store, engine, clock }: ReadParts): RecordedRead {
  const { workspaceId, destinationId, sourceId, event: name, after } = query
  const { from = 0, to = Number.POSITIVE_INFINITY } = query
  const newest = newestBatches(
    store.log,
    workspaceId,
    { clock, engine },
    ({ event }) => name === undefined || event === name,
    after?.position,
  )
  let isOver = false
  async function* read(): AsyncGenerator<RecordedBatch> {
    for await (const batch of newest.batches) {
      const { position, receivedAt, writeKey } = batch
      if (receivedAt < from - lateMs) {
        isOver = true
        return
      }
      if (receivedAt < from || receivedAt >= to) continue
      if (destinationId !== undefined && !batch.destinationIds.includes(destinationId)) continue
      if (sourceId !== undefined && batch.sourceId !== sourceId) continue
      const left = position === after?.position ? batch.events.slice(0, after.index) : batch.events
      const asked = left.map((event, index) => ({
        source: { workspaceId, sourceId: batch.sourceId, writeKey, event, receivedAt },
        place: { position, index },
      }))
      yield { sourceId: batch.sourceId, receivedAt, records: await engine.reports.unsuppressed(workspaceId, asked) }
    }
  }
  return { batches: read(), next: () => (isOver ? undefined : newest.next()) }
}
