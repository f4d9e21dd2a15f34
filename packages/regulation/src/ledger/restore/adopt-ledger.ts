import { uuidV7 } from '@sluice/core'
import type { RegulationStore } from '../../regulation-store.ts'
import { freshLedgerKey } from '../keys/ledger-key.ts'
import { requireKey } from '../keys/require-key.ts'
import { readMarks, writeMarks } from '../ledger-marks.ts'
import { LedgerNotes, type LedgerNotesOptions } from '../ledger-notes.ts'
import type { LedgerPlace } from '../ledger-place.ts'
import { type LedgerComparison, takeOver } from './compare-ledger.ts'

/**
 * Has a store accept a ledger as it is: one that was lost, that is shorter or changed, or that belongs to another store.
 * What can still be read of it is put back first; what it lacks is written to it at the next start. No process may serve the store meanwhile.
 *
 * @throws RangeError when the store has regulations whose users only the key of its former ledger finds.
 * @throws LedgerBrokenError when the ledger has lost its key, or has another one.
 */
export async function adoptLedger(
  place: LedgerPlace,
  store: RegulationStore,
  { clock, random, operatorKey }: Omit<LedgerNotesOptions, 'id'>,
): Promise<Omit<LedgerComparison, 'ends'>> {
  const marks = await readMarks(store)
  const { ledger, hasAliases } = marks
  const found = await place.kept('id')
  if (hasAliases && found !== ledger)
    throw new RangeError(
      'the store has regulations without ids, whose users only the key of its former ledger finds: put the files id and key of that ledger back in their place',
    )
  await requireKey(place, marks)
  await place.keep('key', freshLedgerKey(random))
  const id = await place.keep('id', uuidV7(clock, random))
  const notes = await LedgerNotes.open(place, { clock, random, operatorKey, id })
  const { ends, ...report } = await takeOver({ place, store, notes }, new Map(), 'leniently')
  await store.ledger.forget()
  // Without the id: the next start writes to the ledger what the store has and it lacks, as for a new one.
  // It orders the deletions of what was put back, too, because destinations are not known here.
  await writeMarks(store, { ends, isToOrder: true, hasAliases: hasAliases || report.putBack > 0 || undefined })
  return report
}
