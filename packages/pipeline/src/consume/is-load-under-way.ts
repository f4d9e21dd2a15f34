import { type Clock, uuidV7Time } from '@sluice/core'
import { consumerNameOf } from '../ports/consumer-name.ts'
import { type LoadStore, loadAttemptsMax } from '../ports/load-store.ts'

/** A load that began earlier is over: its process ended without a word. No load takes that long. */
const loadMsMax = 15 * 60_000

/**
 * Whether a load into a destination may be under way in any process that shares the store, or may have been when its process
 * ended. It may hold data of a user that it has read before a regulation: what is deleted meanwhile would come back.
 */
export async function isLoadUnderWay(
  loads: Pick<LoadStore, 'begun' | 'attempts'>,
  { workspaceId, destinationId }: { readonly workspaceId: string; readonly destinationId: string },
  clock: Pick<Clock, 'now'>,
): Promise<boolean> {
  const consumer = consumerNameOf(destinationId)
  const begun = await loads.begun(workspaceId, consumer)
  const recent = begun.filter(({ loadId }) => Math.abs(clock.now() - uuidV7Time(loadId)) < loadMsMax)
  if (recent.length === 0) return false
  const attempts = await loads.attempts(workspaceId, consumer, loadAttemptsMax)
  const ended = new Set(attempts.map(({ loadId }) => loadId))
  return recent.some(({ loadId }) => !ended.has(loadId))
}
