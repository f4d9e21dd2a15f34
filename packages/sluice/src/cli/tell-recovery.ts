import type { Store } from '@sluice/pipeline'
import type { StoreRecovery } from '@sluice/storage'
import type { Logger } from 'pino'

/** Logs what was found when a store was opened. */
export function tellRecovery(log: Logger, { isUnclean, lost }: StoreRecovery): void {
  if (lost !== undefined) {
    const { from, to } = lost
    log.error(
      { lostBatches: { from, to } },
      `batches ${from} to ${to} of the log were acknowledged and are not in the store any more: look after its disk, send them again if you can`,
    )
  } else if (isUnclean) log.warn('the store was not closed the last time; it was checked, nothing is lost')
}

/** Logs what was lost in earlier runs, so that it is not overlooked. */
export async function tellEarlierLosses(log: Logger, store: Store, since: number): Promise<void> {
  const earlier = (await store.lostBatches()).filter(({ noticedAt }) => noticedAt < since)
  const batches = earlier.reduce((sum, { from, to }) => sum + to - from + 1, 0)
  if (batches > 0) log.warn({ batches, lostBatches: earlier }, 'batches of the log were lost in earlier runs')
}
