import type { Clock, Random } from '@sluice/core'
import { LedgerNotes } from '../ledger-notes.ts'
import type { LedgerPlace } from '../ledger-place.ts'

/**
 * Encrypts the ids in a ledger under another key of the operator: the present one is leaked, or due to be changed.
 * Repeating it after it was interrupted is fine. Servers must be given the new key before they order deletions again.
 * @returns how many notes were encrypted again.
 * @throws LedgerBrokenError when a note was sealed under neither key; RangeError when a key is too short.
 */
export async function rekeyLedger(
  place: LedgerPlace,
  keys: { readonly from: string; readonly to: string },
  parts: { readonly clock: Clock; readonly random: Random },
): Promise<number> {
  const id = await place.kept('id')
  if (id === undefined) return 0
  const [present, next] = await Promise.all(
    [keys.from, keys.to].map((operatorKey) => LedgerNotes.open(place, { ...parts, operatorKey, id })),
  )
  return present && next ? present.rekey(next) : 0
}
