import { type Clock, uuidV7Time } from '@sluice/core'
import { consumerNameOf } from '../../ports/consumer-name.ts'
import type { LoadMark, LoadStore } from '../../ports/stores/load-store.ts'

/** Longest time of one try of a load, in milliseconds: it is ended then, and tried again. */
export const loadMsMax = 14 * 60_000
/** When a load began earlier, its process ended without a word: one that still runs would have ended it. */
const underWayMsMax = loadMsMax + 60_000

/**
 * Whether a load into a destination may be under way in any process that shares the store. It may hold data of a user that
 * it has read before a regulation: what is deleted meanwhile would come back. Only the process that began a load knows when
 * it is over: one that lost its lanes may still write files, or a client that it has just stopped.
 */
export async function isLoadUnderWay(
  loads: Pick<LoadStore, 'begun'>,
  { workspaceId, destinationId }: { readonly workspaceId: string; readonly destinationId: string },
  clock: Pick<Clock, 'now'>,
): Promise<boolean> {
  const begun = await loads.begun(workspaceId, consumerNameOf(destinationId))
  return begun.some((mark) => mayBeUnderWay(mark, clock.now()))
}

/** Whether something may still be done for a load. @param now milliseconds since 1970. */
export function mayBeUnderWay({ loadId, isOver }: Pick<LoadMark, 'loadId' | 'isOver'>, now: number): boolean {
  return !isOver && Math.abs(now - uuidV7Time(loadId)) < underWayMsMax
}
