import { type Clock, type Random, type SourcedEvent, uuidV7 } from '@sluice/core'
import type { DeferredEvent } from '../ports/deferred-event.ts'
import { eventDayOf } from '../ports/event-day-of.ts'
import type { DeadLetter } from '../ports/stores/dead-letter-store.ts'
import { CountTally } from '../reports/counts/count-tally.ts'

/** Returns the deferred event that replays a dead letter: due now, and counted as `replayed`. */
export function replayOf(letter: DeadLetter, { clock, random }: { readonly clock: Clock; readonly random: Random }) {
  const { workspaceId, destinationId, source, outputs, userKeys } = letter
  const tally = new CountTally(workspaceId)
  tally.add(source.sourceId, destinationId, 'replayed', '', 1)
  tally.addNamed(source.sourceId, destinationId, 'replayed', {
    reason: '',
    named: eventDayOf(source, clock.now()),
    count: 1,
  })
  const deferred: DeferredEvent = {
    id: uuidV7(clock, random),
    workspaceId,
    destinationId,
    source: outputs ? source : withoutOrigins(source),
    userKeys,
    delivered: 0,
    attempts: 0,
    // Its time limit starts again.
    firstTriedAt: clock.now(),
    dueAt: clock.now(),
    outputs,
  }
  return { id: letter.id, deferred, counts: tally.deltas() }
}

/** From the first stage on, an event is its own only: the others were those of its error. */
function withoutOrigins({ otherOrigins: _, ...source }: SourcedEvent): SourcedEvent {
  return source
}
