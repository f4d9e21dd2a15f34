import type { Clock } from '@sluice/core'
import type { DeletionStore } from '@sluice/regulation'

/** Age from which the number is counted again. */
const freshMs = 10_000

/** How many deletions wait for the key of the ledger. */
export interface WaitingDeletions {
  /**
   * As it was last counted. Counts again in the background when that is some seconds ago: a probe of the health of the
   * process does not wait for the store.
   */
  readonly count: number
  /** Counts now. */
  recount(): Promise<number>
}

export function createWaitingDeletions({
  store,
  clock,
  onError,
}: {
  readonly store: Pick<DeletionStore, 'countWaiting'>
  readonly clock: Clock
  onError(error: unknown): void
}): WaitingDeletions {
  let count = 0
  let countedAt = clock.now()
  const recount = async (): Promise<number> => {
    countedAt = clock.now()
    count = await store.countWaiting()
    return count
  }
  return {
    get count() {
      if (Math.abs(clock.now() - countedAt) >= freshMs) recount().catch(onError)
      return count
    },
    recount,
  }
}
