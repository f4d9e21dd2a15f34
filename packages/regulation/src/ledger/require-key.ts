import { LedgerBrokenError } from './ledger-errors.ts'
import type { LedgerPlace } from './ledger-place.ts'

/**
 * Refuses a ledger that has lost its key. Another key gives other fingerprints, so users whose regulations are put back would
 * not be recognised, and nothing would tell. A ledger gets its key before its id.
 *
 * @throws LedgerBrokenError
 */
export async function requireKey(place: LedgerPlace): Promise<void> {
  const [id, key] = [await place.kept('id'), await place.kept('key')]
  if (id !== undefined && key === undefined)
    throw new LedgerBrokenError(
      `the ledger in ${place.name} has lost its key, without which no user is recognised by its entries`,
    )
}
