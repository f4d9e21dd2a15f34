import { LedgerBrokenError } from '../ledger-errors.ts'
import type { LedgerMarks } from '../ledger-marks.ts'
import type { LedgerPlace } from '../ledger-place.ts'
import { ledgerKeyDigest } from './ledger-key.ts'

const wayOut =
  'Put the file key back in its place, from a copy of the ledger. If it is gone for good, begin with an empty place: regulations that only this ledger knows are lost then'

/**
 * Refuses a ledger that has lost its key, or has another one: its digest is kept in the ledger and in the store. Another key
 * gives other fingerprints, so users whose regulations are put back would not be recognised. A ledger gets its key before
 * its id; one of an earlier version has no digest until the next start.
 *
 * @param marks of the store, if there is one.
 * @throws LedgerBrokenError
 */
export async function requireKey(place: LedgerPlace, marks?: Pick<LedgerMarks, 'ledger' | 'keyDigest'>): Promise<void> {
  const [id, key] = [await place.kept('id'), await place.kept('key')]
  if (id === undefined) return
  if (key === undefined || key === '')
    throw new LedgerBrokenError(
      `the ledger in ${place.name} has lost its key, without which no user is recognised by its entries`,
      wayOut,
    )
  const ofStore = marks?.ledger === id ? marks.keyDigest : undefined
  for (const digest of [await place.kept('keyDigest'), ofStore])
    if (digest !== undefined && digest !== ledgerKeyDigest(key))
      throw new LedgerBrokenError(
        `the ledger in ${place.name} has another key than the one that its entries were written with, so no user is recognised by them`,
        wayOut,
      )
}
