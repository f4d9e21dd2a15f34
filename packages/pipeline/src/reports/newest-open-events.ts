import type { Clock, Event, SourcedEvent } from '@sluice/core'
import type { LogBatch } from '../ports/event-log.ts'
import type { Store } from '../ports/store.ts'
import type { AskedEngine } from './asked-engine.ts'
import { newestBatches } from './users/newest-batches.ts'

/** What a look at the events of the log needs. */
export interface LogLookParts {
  readonly store: Pick<Store, 'log'>
  readonly engine: AskedEngine
  readonly clock: Pick<Clock, 'now'>
}

/** Events of one batch of the log. */
interface OpenEvents {
  readonly sourceId: string
  /** Milliseconds since the epoch. */
  readonly receivedAt: number | undefined
  /** Oldest first, without those of users who are suppressed now. */
  readonly events: readonly SourcedEvent[]
}

interface NewestOpenEvents {
  /** The newest batch first. */
  readonly batches: AsyncIterable<OpenEvents>
  /** Returns whether the log has older batches that were not looked through. */
  isCut(): boolean
}

/** Looks through the newest events of a workspace, without those of suppressed users, within the limits of `newestBatches`. */
export function newestOpenEvents(
  workspaceId: string,
  { store, engine, clock }: LogLookParts,
  isWanted: (event: Event) => boolean,
  isWantedBatch: (batch: LogBatch) => boolean,
): NewestOpenEvents {
  const newest = newestBatches(store.log, workspaceId, { clock, engine }, isWanted)
  async function* look(): AsyncGenerator<OpenEvents> {
    for await (const batch of newest.batches) {
      if (!isWantedBatch(batch)) continue
      const { events, sourceId, writeKey, receivedAt } = batch
      const asked = events.map((event) => ({ source: { workspaceId, sourceId, writeKey, event, receivedAt } }))
      const open = await engine.reports.unsuppressed(workspaceId, asked)
      yield { sourceId, receivedAt, events: open.map(({ source }) => source) }
    }
  }
  return { batches: look(), isCut: newest.isCut }
}
