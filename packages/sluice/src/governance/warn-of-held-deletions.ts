import type { Logger } from '../logger.ts'
import type { HeldDeletionsCount } from './held-deletions.ts'

/** Counts the deletions that cannot run, and logs what the operator can do about them. */
export async function warnOfHeldDeletions(
  heldDeletions: Pick<HeldDeletionsCount, 'recount'>,
  logger: Logger | undefined,
): Promise<void> {
  const { forKey, forIds } = await heldDeletions.recount()
  if (forKey > 0)
    logger?.warn(
      { waiting: forKey },
      'deletions wait for SLUICE_LEDGER_KEY, because the store was restored: the users are suppressed, their data is not deleted again yet',
    )
  if (forIds > 0)
    logger?.warn(
      { aborted: forIds },
      'deletions need ids, because the store was restored and the ledger has none of these users: they are suppressed, their data is not deleted again. Create their regulations again with the ids, then cancel those without',
    )
}
