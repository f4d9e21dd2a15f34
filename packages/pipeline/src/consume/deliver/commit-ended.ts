import type { LogCursor } from '../cursor/log-cursor.ts'
import { type DestinationPlace, isLoaded, isPaused } from '../destination-place.ts'
import { isCareful } from '../is-careful.ts'
import type { DeliveryWindow } from './delivery-window.ts'

/**
 * How long deliveries wait for their commit, so that several reads share one. A crash in between sends them again. What failed
 * or is deferred does not wait.
 */
export const deliveryPace = { ms: 100, eventsMax: 1_000 }

/**
 * Commits what has ended of what was read, up to the first event that has not, when that is due.
 * @param isOverdue whether a second has passed since the last call, so that nothing waits any longer.
 */
export async function commitEnded(
  cursor: LogCursor,
  place: DestinationPlace,
  window: DeliveryWindow,
  isOverdue = false,
): Promise<void> {
  const done = window.progress()
  if (done) cursor.passed(done)
  if (!window.isOpen) cursor.leaveRest()
  if (!cursor.hasUncommitted) return
  if (!isOverdue && !cursor.isDue(deliveryPace) && !window.hasFailures && !mayNotWait(place)) return
  const before = cursor.position
  const recorder = window.takeRecorder()
  await cursor.commit(recorder.records())
  place.retries.stored(recorder.records().deferred)
  recorder.show()
  const { quarantine, workspaceId, consumer } = place
  if (cursor.position > before) quarantine.passed(workspaceId, consumer, cursor.position)
}

/** Whether what was delivered is committed at once: nothing is read behind it, or it is read alone. */
function mayNotWait(place: DestinationPlace): boolean {
  return isPaused(place) || isLoaded(place) || isCareful(place)
}
