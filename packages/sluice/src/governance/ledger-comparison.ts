import type { Store } from '@sluice/pipeline'
import {
  hasRegulationsWithoutIds,
  type Ledger,
  LedgerBrokenError,
  type LedgerReport,
  markServedWithoutLedger,
  type UserAliases,
} from '@sluice/regulation'
import type { Logger } from '../logger.ts'

interface ComparedParts {
  readonly ledger: Ledger | undefined
  readonly store: Store
  readonly logger: Logger | undefined
}

/** Compares the store with the ledger, and keeps what is known since. */
export interface LedgerComparison {
  /** Aliases of users as of the last comparison; undefined before the first, and without a ledger. */
  readonly aliases: UserAliases | undefined
  /** Has the ledger put back what the store lacks, and reports it. @throws LedgerBrokenError */
  compare(): Promise<LedgerReport>
}

export function createLedgerComparison(parts: ComparedParts): LedgerComparison {
  let aliases: UserAliases | undefined
  return {
    get aliases() {
      return aliases
    },
    async compare() {
      const report = await compareWithLedger(parts)
      aliases = parts.ledger?.aliases
      return report
    },
  }
}

async function compareWithLedger({ ledger, store, logger }: ComparedParts): Promise<LedgerReport> {
  if (ledger === undefined) {
    if (await hasRegulationsWithoutIds(store.regulations))
      throw new LedgerBrokenError(
        'the store has regulations that only the ledger can find the users of, and no ledger is given',
      )
    await markServedWithoutLedger(store.regulations)
    if (isKept(store))
      logger?.warn({}, 'no ledger of regulations: a store that is restored from a backup forgets later ones')
    return { putBack: 0, canceled: 0, enrolled: 0, toDelete: [], locked: new Set() }
  }
  const report = await ledger.compare()
  const { putBack, canceled, enrolled } = report
  const { place } = ledger
  if (putBack + canceled > 0)
    logger?.warn(
      { place, putBack, canceled },
      'the store is older than the ledger: regulations were put back before anything was served',
    )
  if (enrolled > 0)
    logger?.info({ place, enrolled }, 'regulations of the store that the ledger lacked were written to it')
  return report
}

/** Whether a store outlives its process, and so can be restored. */
export function isKept({ backup, cluster }: Pick<Store, 'backup' | 'cluster'>): boolean {
  return backup !== undefined || cluster !== undefined
}
