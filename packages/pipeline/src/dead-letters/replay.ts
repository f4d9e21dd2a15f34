import { type Clock, type Random, uuidV7 } from '@sluice/core'
import { CountTally } from '../ingest/count-tally.ts'
import type { DeadLetter } from '../ports/dead-letters.ts'
import type { DeferredEvent } from '../ports/deferred-event.ts'

/** What becomes of a dead letter that is replayed: an event that is due, and is counted as one that begins anew. */
export function replayOf(letter: DeadLetter, { clock, random }: { readonly clock: Clock; readonly random: Random }) {
  const { workspaceId, destinationId, source, outputs, userKeys } = letter
  const tally = new CountTally(workspaceId)
  tally.add(source.sourceId, destinationId, 'replayed', '', 1)
  const deferred: DeferredEvent = {
    id: uuidV7(clock, random),
    workspaceId,
    destinationId,
    source,
    userKeys,
    delivered: 0,
    attempts: 0,
    // The time it may take begins anew.
    firstTriedAt: clock.now(),
    dueAt: clock.now(),
    ...(outputs ? { outputs } : {}),
  }
  return { id: letter.id, deferred, counts: tally.deltas() }
}
