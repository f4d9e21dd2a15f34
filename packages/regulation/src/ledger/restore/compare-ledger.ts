import type { Regulation } from '../../regulation.ts'
import type { RegulationStore } from '../../regulation-store.ts'
import { attributesWithoutIds } from '../../suppression/identity-fingerprint.ts'
import { type ChainEnd, emptyChain } from '../chain/ledger-line.ts'
import { readChain, requireEnd } from '../chain/read-chains.ts'
import { requireKey } from '../keys/require-key.ts'
import { LedgerBrokenError } from '../ledger-errors.ts'
import { type LedgerMarks, readMarks, writeMarks } from '../ledger-marks.ts'
import type { LedgerNotes } from '../ledger-notes.ts'
import type { LedgerPlace } from '../ledger-place.ts'
import { type LedgerRecord, recordKey, recordOf } from '../ledger-record.ts'
import { fillInIds, requirePerson } from './fill-in-ids.ts'
import { findStored, hasNoIds, isToDelete } from './find-stored.ts'

/** What the store lacked. */
export interface LedgerComparison {
  /** How many regulations were put back. */
  readonly putBack: number
  /** Those with deletions that the store lacked, or that may have been stored without their deletions by an earlier comparison. */
  readonly toDelete: readonly Regulation[]
  /** Names those of them whose ids are in the ledger, encrypted under a key that was not given: see `recordKey`. */
  readonly locked: ReadonlySet<string>
  /** Cancellations that were made again. */
  readonly canceled: number
  /** Ends of all chains: what the store has from now on. */
  readonly ends: ReadonlyMap<string, ChainEnd>
}

/**
 * Regulations that are put back in one transaction. With many, a page of an index is written once for several of them: users
 * are in no order.
 */
const regulationsPerTurn = 20_000
/** Regulations that are read, or cancelled, at a time. */
const regulationsPerPage = 1_000

type Regulated = Extract<LedgerRecord, { kind: 'regulated' }>

interface Compared {
  readonly place: LedgerPlace
  readonly store: RegulationStore
  readonly notes: LedgerNotes
}

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
  notes: LedgerNotes,
): Promise<LedgerComparison> {
  const marks = await readMarks(store)
  await requireLedger(place, marks)
  await notes.requireKey()
  for (const [chain, end] of marks.ends) await requireEnd(place, chain, end)
  await fillInIds(store, notes, (await place.kept('key')) ?? '')
  const found = await takeOver({ place, store, notes }, marks.ends, 'strictly')
  if (!marks.isToOrder) return found
  return { ...found, toDelete: await allToDelete(store), locked: await allLocked(notes) }
}

/**
 * Puts back what a store lacks of the lines behind the known ends.
 * @param how as in `readChain`.
 */
export async function takeOver(
  { place, store, notes }: Compared,
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
  const key = (await place.kept('key')) ?? ''
  const aliases = { areMarked: false }
  const toDelete: Regulation[] = []
  const locked = new Set<string>()
  let putBack = 0
  const putBackTurn = async (turn: readonly Regulated[]): Promise<void> => {
    const found = await putBackMissing({ store, notes, key, aliases }, turn, undone)
    putBack += found.missing.length
    toDelete.push(...[...found.missing, ...found.known].filter(isToDelete))
    for (const each of found.locked) locked.add(each)
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
  return { putBack, toDelete, locked, canceled: await cancelAgain(store, undone), ends }
}

async function requireLedger(place: LedgerPlace, marks: LedgerMarks): Promise<void> {
  await requireKey(place, marks)
  const { ledger } = marks
  if (ledger === undefined) return
  const found = await place.kept('id')
  if (found === undefined) throw new LedgerBrokenError(`there is no ledger in ${place.name}, and the store had one`)
  if (found !== ledger) throw new LedgerBrokenError(`the ledger in ${place.name} belongs to another store`)
}

interface PuttingBack {
  readonly store: RegulationStore
  readonly notes: LedgerNotes
  /** Of the fingerprints. */
  readonly key: string
  /** Whether the store is marked as one that has aliases. */
  readonly aliases: { areMarked: boolean }
}

async function putBackMissing(
  { store, notes, key, aliases }: PuttingBack,
  records: readonly Regulated[],
  undone: ReadonlyMap<string, 'canceled' | 'withdrawn'>,
): Promise<{
  readonly missing: readonly Regulation[]
  readonly known: readonly Regulation[]
  readonly locked: readonly string[]
}> {
  const acknowledged = records.filter((record) => undone.get(recordKey(record)) !== 'withdrawn')
  const stored = await findStored(store, acknowledged)
  // Many regulations share a note.
  const read = new Map<string, ReturnType<LedgerNotes['read']>>()
  const readOnce = (name: string): ReturnType<LedgerNotes['read']> => {
    const reading = read.get(name) ?? notes.read(name)
    read.set(name, reading)
    return reading
  }
  const missing: Regulation[] = []
  const locked: string[] = []
  for (const record of acknowledged) {
    const name = recordKey(record)
    const known = stored.get(name)
    const canceled = undone.get(name) === 'canceled'
    if (known !== undefined && !hasNoIds(known)) continue
    const ids = record.note === undefined || canceled ? undefined : await readOnce(record.note)
    if (ids === 'locked') locked.push(name)
    if (known === undefined)
      missing.push(regulationOf(record, canceled, key, ids === 'locked' ? undefined : ids?.get(name)))
  }
  // Before they are added: from then on, users are also looked for by their fingerprints.
  if (!aliases.areMarked && missing.some(hasNoIds)) {
    await writeMarks(store, { hasAliases: true, ids: 'waiting' })
    aliases.areMarked = true
  }
  if (missing.length > 0) await store.add(missing)
  return { missing, known: [...stored.values()], locked }
}

function regulationOf(
  { kind: _, fingerprints, note, ...record }: Regulated,
  canceled: boolean,
  key: string,
  ids: Regulation['attributes'] | undefined,
): Regulation {
  const { workspaceId } = record
  if (ids !== undefined) requirePerson(key, { workspaceId, attributes: ids }, fingerprints.userId, note ?? '')
  if (ids !== undefined) return { ...record, canceled, attributes: ids }
  return { ...record, canceled, attributes: attributesWithoutIds(fingerprints), hasNoIds: true }
}

/** Returns the regulations of a store whose deletions are wanted. */
async function allToDelete(store: RegulationStore): Promise<readonly Regulation[]> {
  const found: Regulation[] = []
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page = await store.all({ after, limit: regulationsPerPage })
    found.push(...page.regulations.filter(isToDelete))
    after = page.next
  }
  return found
}

/** Returns the keys of all regulations whose ids are in notes, when these cannot be read. */
async function allLocked(notes: LedgerNotes): Promise<ReadonlySet<string>> {
  const locked = new Set<string>()
  if (!notes.hasKey) for await (const { of } of notes.contents()) for (const each of of) locked.add(each)
  return locked
}

async function cancelAgain(
  store: RegulationStore,
  undone: ReadonlyMap<string, 'canceled' | 'withdrawn'>,
): Promise<number> {
  const canceled = [...undone].flatMap(([key, ending]) => (ending === 'canceled' ? [recordOf(key)] : []))
  let count = 0
  for (let start = 0; start < canceled.length; start += regulationsPerPage) {
    const stored = await findStored(store, canceled.slice(start, start + regulationsPerPage))
    const active = [...stored.values()].filter((regulation) => !regulation.canceled)
    // At the same time, because stores write together what comes together.
    await Promise.all(active.map(({ workspaceId, id }) => store.cancel(workspaceId, id)))
    count += active.length
  }
  return count
}
