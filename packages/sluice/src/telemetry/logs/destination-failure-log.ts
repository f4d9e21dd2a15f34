import { type Clock, errorTraits } from '@sluice/core'
import type { DestinationFailure } from '@sluice/pipeline'
import type { Logger } from '../../logger.ts'
import { createRareProblems } from './rare-problems.ts'

/** How long a failure of a destination that continues is not logged again, in milliseconds. */
const quietMs = 5 * 60_000

/**
 * Logs why events fail at destinations: the first time, and then every five minutes while it continues, with how many events
 * it was. Neither events nor what destinations answered is in it, only statuses and codes.
 */
export function createDestinationFailureLog(
  logger: Pick<Logger, 'warn'>,
  clock: Pick<Clock, 'now'>,
): (failures: readonly DestinationFailure[]) => void {
  const occurred = createRareProblems(clock, quietMs)
  return (failures) => {
    for (const { workspaceId, destinationId, events, nextTryAt, ...failure } of failures) {
      const isOver = nextTryAt === undefined
      const before = occurred(JSON.stringify([workspaceId, destinationId, failure, isOver]), events)
      if (before === undefined) continue
      logger.warn(
        {
          workspace: workspaceId,
          destination: destinationId,
          ...failure,
          reason: errorTraits[failure.code].summary,
          events: before + events,
          ...(isOver ? {} : { nextTry: new Date(nextTryAt).toISOString() }),
        },
        isOver
          ? 'events failed at a destination and are dead letters now'
          : 'a destination fails; its events wait and are tried again',
      )
    }
  }
}
