import type { Regulation } from '../../regulation.ts'
import type { RegulationStore } from '../../regulation-store.ts'
import { identityFingerprints } from '../../suppression/identity-fingerprint.ts'
import { workspacePages } from '../../workspace-pages.ts'
import { LedgerBrokenError } from '../ledger-errors.ts'
import { readMarks, writeMarks } from '../ledger-marks.ts'
import type { LedgerNotes } from '../ledger-notes.ts'
import { recordKey, recordOf } from '../ledger-record.ts'
import { findStored, hasNoIds, isToDelete } from './find-stored.ts'

/** Regulations that are looked up at a time. */
const regulationsPerTurn = 1_000

/** Why the deletions of a regulation wait whose ids are in a note that cannot be read. */
export const needsKey =
  'needs SLUICE_LEDGER_KEY: the store was restored, and the ledger has the ids of this user encrypted. Start the server with the key, and the deletion runs. If the key is lost, cancel the regulation, and create it again with the ids'

/** Why the deletions of a regulation are not done that was put back without ids, when no note has them. */
export const needsIds =
  'the store was restored and the ledger has no ids of this user: create the regulation again with the ids, then cancel this one'

type Ids = ReadonlyMap<string, Regulation['attributes']>

/**
 * Gives regulations that were put back without ids the ids that notes of the ledger have of their users, so that their
 * deletions run. Without the key, has these deletions wait for it: also those that an earlier version had given up.
 * Reads the notes only while there may be such regulations.
 *
 * @param key of the fingerprints of the ledger.
 * @throws LedgerBrokenError when a note cannot be decrypted, or has the ids of another person.
 */
export async function fillInIds(store: RegulationStore, notes: LedgerNotes, key: string): Promise<void> {
  const { hasAliases, ids } = await readMarks(store)
  const isDone = ids === 'complete' || (ids === 'waiting' && !notes.hasKey)
  if (!hasAliases || isDone) return
  let turn: { readonly name: string; readonly of: readonly string[] }[] = []
  let count = 0
  for await (const note of notes.contents()) {
    turn.push(note)
    count += note.of.length
    if (count < regulationsPerTurn) continue
    await fillInTurn(store, notes, key, turn)
    turn = []
    count = 0
  }
  await fillInTurn(store, notes, key, turn)
  const isComplete = notes.hasKey && (await store.deletions.countHeld()).forKey === 0
  await writeMarks(store, { ids: isComplete ? 'complete' : 'waiting' })
}

async function fillInTurn(
  store: RegulationStore,
  notes: LedgerNotes,
  key: string,
  turn: readonly { readonly name: string; readonly of: readonly string[] }[],
): Promise<void> {
  const stored = await findStored(
    store,
    turn.flatMap(({ of }) => of.map(recordOf)),
  )
  const isWithout = (of: string): boolean => {
    const regulation = stored.get(of)
    return regulation !== undefined && isToDelete(regulation) && hasNoIds(regulation)
  }
  for (const { name, of } of turn) {
    const without = of.filter(isWithout).flatMap((each) => stored.get(each) ?? [])
    if (without.length === 0) continue
    const known = await notes.read(name)
    if (known === 'locked') await hold(store, without)
    else await store.identify(without.flatMap((each) => identified(each, known, key, name)))
  }
}

async function hold(store: RegulationStore, regulations: readonly Regulation[]): Promise<void> {
  for (const { workspaceId, page } of workspacePages(regulations, regulationsPerTurn))
    await store.deletions.hold(
      workspaceId,
      page.map(({ id }) => id),
      needsKey,
    )
}

function identified(regulation: Regulation, ids: Ids, key: string, note: string): readonly Regulation[] {
  const attributes = ids.get(recordKey(regulation))
  if (attributes === undefined) return []
  const { workspaceId, hasNoIds: _, ...known } = regulation
  requirePerson(key, { workspaceId, attributes }, identityFingerprints(key, regulation).userId, note)
  return [{ ...known, workspaceId, attributes }]
}

/**
 * Refuses ids that are not those of the person whose fingerprint is in the chain: which regulation the ids of a note
 * belong to is not encrypted, and another person would be deleted.
 * @throws LedgerBrokenError
 */
export function requirePerson(
  key: string,
  person: Pick<Regulation, 'workspaceId' | 'attributes'>,
  fingerprint: string,
  note: string,
): void {
  if (identityFingerprints(key, person).userId !== fingerprint)
    throw new LedgerBrokenError(
      `note ${note} was changed: it has the ids of other persons than the regulations that it names`,
    )
}
