import { countLost, type Store } from '@sluice/pipeline'
import type { MissingBatches } from '@sluice/postgres'
import type { StoreDamagedError, StoreRecovery } from '@sluice/storage'
import type { Logger } from 'pino'

/** Logs what opening a store found. */
export function logRecovery(log: Logger, { isUnclean, lost, lostCommits }: StoreRecovery): void {
  if (lostCommits > 0)
    log.error(
      { lostCommits },
      `the store lacks its ${lostCommits} newest commits, because an older file or that of another store is in its place or its disk has lost them: positions of destinations, counts, waiting events, the catalogue, regulations, code and configuration are as they were before them. Events may be delivered again; regulations come back from a ledger only`,
    )
  if (lost !== undefined) {
    const { from, to } = lost
    log.error(
      { lostBatches: { from, to } },
      `batches ${from} to ${to} of the log were acknowledged but are missing from the store: check its disk, and send them again if you can`,
    )
  } else if (isUnclean && lostCommits === 0)
    log.warn('the store was not closed cleanly; nothing is lost, and its file is being checked')
}

/** Logs what the check of a store found that was not closed. */
export function logCheck(log: Logger, damage: StoreDamagedError | undefined): void {
  if (damage === undefined) log.info('the file of the store was checked; it is not damaged')
  else log.error({ health: 'storeDamaged' }, damage.message)
}

/** Logs what a database lacked that was served before. */
export function logMissing(log: Logger, missing: MissingBatches): void {
  const { batches, events, changes } = missing
  log.error(
    { lost: { batches, events, changes } },
    `the database lacks ${events} events in ${batches} batches, and ${changes} changes, that were acknowledged, as after a fail-over to an asynchronous standby: what is left is delivered, and /ready says degraded until sluice cluster confirm-loss`,
  )
}

/** Logs losses of earlier runs again, so that they are not overlooked. */
export async function logEarlierLosses(log: Logger, store: Store, since: number): Promise<void> {
  const earlier = (await store.lostBatches()).filter(({ noticedAt }) => noticedAt < since)
  const batches = countLost(earlier)
  if (batches > 0) log.warn({ batches, lostBatches: earlier }, 'batches of the log were lost in earlier runs')
}
