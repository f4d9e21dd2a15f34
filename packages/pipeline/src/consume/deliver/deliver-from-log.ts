import { type LogBatch, readBatchesMax } from '../../ports/event-log.ts'
import type { LogCursor } from '../cursor/log-cursor.ts'
import { type DestinationPlace, isLoaded, isPaused } from '../destination-place.ts'
import { isCareful, sliceMaxOf } from '../is-careful.ts'
import { placeIn } from '../place-in.ts'
import { commitEnded, deliveryPace } from './commit-ended.ts'
import { DeliveryWindow } from './delivery-window.ts'
import { everySoOften } from './every-so-often.ts'

/** Batches read at a time behind a slice that is not recorded. The bytes of a read are bounded as always. */
const aheadBatchesMax = 100
/** How often what has ended is committed while the rest of a read is not done. */
const commitEveryMs = 1_000

/**
 * Takes the events of the log to one destination, as long as it is one that sends them: see `loadFromLog`.
 *
 * Slices of events go through the stages one after the other. When one takes long to be delivered, the next ones follow
 * meanwhile (see `DeliveryWindow`); what has ended of them is committed up to the first event that has not, at the pace of `commit-ended.ts`.
 */
export async function deliverFromLog(cursor: LogCursor, place: DestinationPlace): Promise<void> {
  const window = new DeliveryWindow(place, cursor.signal)
  const mayRead = (): boolean => !cursor.isStopping && !isPaused(place) && !isLoaded(place)
  const committing = (work: () => Promise<unknown>) =>
    everySoOften(commitEveryMs, place.clock, () => commitEnded(cursor, place, window, true), work)
  try {
    while (cursor.isOpen && (window.isOpen || cursor.hasUncommitted || !isLoaded(place))) {
      const { eventsDone } = cursor
      const batches = mayRead() ? await read(cursor, place, window) : []
      if (batches.length > 0) await committing(() => sendAll(cursor, place, window, batches, eventsDone))
      else if (window.isOpen)
        await committing(() => (mayRead() ? Promise.race([window.ended(), cursor.roused()]) : window.ended()))
      cursor.signal.throwIfAborted()
      await commitEnded(cursor, place, window)
      if (batches.length === 0 && !window.isOpen && cursor.isOpen && !isLoaded(place))
        await cursor.more(cursor.untilDue(deliveryPace))
    }
  } finally {
    window.discard()
  }
}

async function read(cursor: LogCursor, place: DestinationPlace, window: DeliveryWindow): Promise<readonly LogBatch[]> {
  const usual = window.isOpen ? aheadBatchesMax : readBatchesMax
  try {
    return await cursor.read(isCareful(place) ? 1 : usual)
  } catch (error) {
    // What is being sent is not sent again because the store failed.
    if (!window.isOpen) throw error
    place.onError(error)
    return []
  }
}

/** Begins to send the events of batches. Resolves when those of the next ones may follow. */
async function sendAll(
  { signal }: LogCursor,
  place: DestinationPlace,
  window: DeliveryWindow,
  batches: readonly LogBatch[],
  eventsDone: number,
): Promise<void> {
  const { items, first, skipped } = window.add(batches, eventsDone)
  const isAlone = isCareful(place)
  const sliceMax = sliceMaxOf(isAlone)
  for (let start = 0; start < items.length; start += sliceMax) {
    await place.retries.room(signal)
    if (isPaused(place) || isLoaded(place)) return window.leaveRest()
    const { workspaceId, consumer, quarantine } = place
    const { flow, path } = place.current()
    const event = isAlone ? { workspaceId, consumer, place: placeIn(batches[0], skipped + start) } : undefined
    const slice = { items: items.slice(start, start + sliceMax), first: first + start }
    await window.send(slice, flow, quarantine.guarded(path, event), isAlone)
  }
}
