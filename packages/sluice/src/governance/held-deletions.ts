import type { Clock } from '@sluice/core'
import type { DeletionStore, HeldDeletions } from '@sluice/regulation'

/** Age from which the numbers are counted again. */
const freshMs = 10_000

/** Counts the deletions that cannot run, because the store was restored and the ids of the users are not known. */
export interface HeldDeletionsCount {
  /**
   * As they were last counted. Counts again in the background when that is some seconds ago: a probe of the health of the
   * process does not wait for the store.
   */
  readonly held: HeldDeletions
  /** Counts now. */
  recount(): Promise<HeldDeletions>
}

export function createHeldDeletionsCount({
  store,
  clock,
  onError,
}: {
  readonly store: Pick<DeletionStore, 'countHeld'>
  readonly clock: Clock
  onError(error: unknown): void
}): HeldDeletionsCount {
  let held: HeldDeletions = { forKey: 0, forIds: 0 }
  let countedAt = clock.now()
  const recount = async (): Promise<HeldDeletions> => {
    countedAt = clock.now()
    held = await store.countHeld()
    return held
  }
  return {
    get held() {
      if (Math.abs(clock.now() - countedAt) >= freshMs) recount().catch(onError)
      return held
    },
    recount,
  }
}
