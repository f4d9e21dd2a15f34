import type { Regulation } from '../regulation.ts'
import type { RegulationStore } from '../regulation-store.ts'
import { attributesWithoutIds } from '../suppression/identity-fingerprint.ts'
import { workspacePages } from '../workspace-pages.ts'
import { LedgerBrokenError } from './ledger-errors.ts'
import { type ChainEnd, emptyChain } from './ledger-line.ts'
import { type LedgerMarks, readMarks, writeMarks } from './ledger-marks.ts'
import type { LedgerPlace } from './ledger-place.ts'
import { type LedgerRecord, recordKey, recordOf } from './ledger-record.ts'
import { readChain, requireEnd } from './read-chains.ts'
import { requireKey } from './require-key.ts'

/** What the store lacked. */
export interface LedgerComparison {
  /** How many regulations were put back. */
  readonly putBack: number
  /** Those with deletions that the store lacked, or that may have been stored without their deletions by an earlier comparison. */
  readonly toDelete: readonly Regulation[]
  /** Cancellations that were made again. */
  readonly canceled: number
  /** Ends of all chains: what the store has from now on. */
  readonly ends: ReadonlyMap<string, ChainEnd>
}

/** Regulations that are looked up and put back at a time. */
const regulationsPerTurn = 1_000

type Regulated = Extract<LedgerRecord, { kind: 'regulated' }>
type Attributes = Regulation['attributes']

/** Returns the ids that a note holds, by the keys of the records; none when they are not known. */
export type ReadNote = (name: string) => Promise<ReadonlyMap<string, Attributes>>

/**
 * Compares a store with its ledger, and puts back the regulations and cancellations that the store lacks: it was
 * restored from a backup, or lost its last transactions. They are stored when the promise resolves; the ends are not
 * marked yet, so that what must follow is done again after a crash.
 *
 * Reads only the lines behind the ends that the store knows.
 * @throws LedgerBrokenError when the ledger is another one, lacks lines that the store has seen, or was changed.
 */
export async function compareLedger(
  place: LedgerPlace,
  store: RegulationStore,
  readNote: ReadNote,
): Promise<LedgerComparison> {
  const marks = await readMarks(store)
  await requireLedger(place, marks)
  for (const [chain, end] of marks.ends) await requireEnd(place, chain, end)
  return takeOver({ place, store, readNote }, marks.ends, 'strictly')
}

/**
 * Puts back what a store lacks of the lines behind the known ends.
 * @param how as in `readChain`.
 */
export async function takeOver(
  {
    place,
    store,
    readNote,
  }: { readonly place: LedgerPlace; readonly store: RegulationStore; readonly readNote: ReadNote },
  known: ReadonlyMap<string, ChainEnd>,
  how: 'strictly' | 'leniently',
): Promise<LedgerComparison> {
  const chains = await place.chains()
  const undone = new Map<string, 'canceled' | 'withdrawn'>()
  const ends = new Map<string, ChainEnd>()
  // First those that end a regulation, because they may stand in another chain than its beginning.
  for (const chain of chains) {
    let last = known.get(chain) ?? emptyChain
    for await (const { content, end } of readChain(place, chain, last, how)) {
      for (const record of content.records) if (record.kind !== 'regulated') undone.set(recordKey(record), record.kind)
      last = end
    }
    ends.set(chain, last)
  }
  const toDelete: Regulation[] = []
  let putBack = 0
  const putBackTurn = async (turn: readonly Regulated[]): Promise<void> => {
    const { missing, known } = await putBackMissing(store, turn, undone, readNote)
    putBack += missing.length
    toDelete.push(...[...missing, ...known].filter(isToDelete))
  }
  // One turn is put back while the next one is read.
  let working: Promise<void> = Promise.resolve()
  let turn: Regulated[] = []
  const settle = async (): Promise<void> => {
    await working
    working = putBackTurn(turn)
    working.catch(() => {})
    turn = []
  }
  for (const chain of chains)
    for await (const { content } of readChain(place, chain, known.get(chain), how)) {
      for (const record of content.records) if (record.kind === 'regulated') turn.push(record)
      if (turn.length >= regulationsPerTurn) await settle()
    }
  await settle()
  await working
  return { putBack, toDelete, canceled: await cancelAgain(store, undone), ends }
}

async function requireLedger(place: LedgerPlace, { ledger }: LedgerMarks): Promise<void> {
  await requireKey(place)
  if (ledger === undefined) return
  const found = await place.kept('id')
  if (found === undefined) throw new LedgerBrokenError(`there is no ledger in ${place.name}, and the store had one`)
  if (found !== ledger) throw new LedgerBrokenError(`the ledger in ${place.name} belongs to another store`)
}

function isToDelete({ canceled, regulationType }: Regulation): boolean {
  return !canceled && regulationType === 'suppress_with_delete'
}

async function putBackMissing(
  store: RegulationStore,
  records: readonly Regulated[],
  undone: ReadonlyMap<string, 'canceled' | 'withdrawn'>,
  readNote: ReadNote,
): Promise<{ readonly missing: readonly Regulation[]; readonly known: readonly Regulation[] }> {
  const acknowledged = records.filter((record) => undone.get(recordKey(record)) !== 'withdrawn')
  const stored = await findStored(store, acknowledged)
  // Many regulations share a note.
  const notes = new Map<string, ReturnType<ReadNote>>()
  const readOnce = (name: string): ReturnType<ReadNote> => {
    const reading = notes.get(name) ?? readNote(name)
    notes.set(name, reading)
    return reading
  }
  const missing: Regulation[] = []
  for (const record of acknowledged) {
    const key = recordKey(record)
    if (!stored.has(key)) missing.push(await regulationOf(record, undone.get(key) === 'canceled', readOnce))
  }
  // Before they are added: from then on, users are also looked for by their fingerprints.
  if (missing.some(hasNoIds)) await writeMarks(store, { hasAliases: true })
  if (missing.length > 0) await store.add(missing)
  return { missing, known: [...stored.values()] }
}

/** Returns those of these regulations that the store has, by the keys of their records. */
export async function findStored(
  store: RegulationStore,
  records: readonly Pick<LedgerRecord, 'workspaceId' | 'id'>[],
): Promise<ReadonlyMap<string, Regulation>> {
  const found = new Map<string, Regulation>()
  for (const { workspaceId, page } of workspacePages(records, regulationsPerTurn)) {
    const ids = page.map(({ id }) => id)
    for (const regulation of await store.findAll(workspaceId, ids)) found.set(recordKey(regulation), regulation)
  }
  return found
}

async function regulationOf(
  { kind: _, fingerprints, note, ...record }: Regulated,
  canceled: boolean,
  readNote: ReadNote,
): Promise<Regulation> {
  const ids = note === undefined || canceled ? undefined : (await readNote(note)).get(recordKey(record))
  if (ids !== undefined) return { ...record, canceled, attributes: ids }
  return { ...record, canceled, attributes: attributesWithoutIds(fingerprints), hasNoIds: true }
}

/** Whether a regulation was put back without the ids of its user, from fingerprints alone. */
export function hasNoIds({ hasNoIds: isWithout }: Pick<Regulation, 'hasNoIds'>): boolean {
  return isWithout === true
}

async function cancelAgain(
  store: RegulationStore,
  undone: ReadonlyMap<string, 'canceled' | 'withdrawn'>,
): Promise<number> {
  const canceled = [...undone].flatMap(([key, ending]) => (ending === 'canceled' ? [recordOf(key)] : []))
  let count = 0
  for (let start = 0; start < canceled.length; start += regulationsPerTurn) {
    const stored = await findStored(store, canceled.slice(start, start + regulationsPerTurn))
    const active = [...stored.values()].filter((regulation) => !regulation.canceled)
    // At the same time, because stores write together what comes together.
    await Promise.all(active.map(({ workspaceId, id }) => store.cancel(workspaceId, id)))
    count += active.length
  }
  return count
}
