import type { RegulationStore } from '../regulation-store.ts'
import type { ChainEnd } from './chain/ledger-line.ts'
import { LedgerBrokenError } from './ledger-errors.ts'

/**
 * What a store remembers of the ledger that it was last served with, as texts by name. Part of its backups, so that a
 * store that was restored knows an older end of the ledger than there is.
 */
export interface LedgerMarks {
  /** Id of the ledger; undefined for a store that was never served with one. */
  readonly ledger: string | undefined
  /** Digest of the key for fingerprints of that ledger; undefined while an earlier version served the store. */
  readonly keyDigest: string | undefined
  /** Ends of the chains, as far as the store has what they say. */
  readonly ends: ReadonlyMap<string, ChainEnd>
  /** Whether the store has regulations that were put back without ids. */
  readonly hasAliases: boolean
  /**
   * Whether these were given all ids that the notes hold. `waiting`: not while there was no key. Undefined: not known,
   * because an earlier version put them back, or they were adopted.
   */
  readonly ids: IdsMark | undefined
  /** Whether deletions of regulations that the store has may not have been ordered: the ledger was adopted. */
  readonly isToOrder: boolean
  /** Whether the store may have regulations and cancellations that the ledger lacks: it was served without it since. */
  readonly isToEnrol: boolean
  /** Whether regulations of the store could not be read when it was salvaged. The ledger that the store had puts them back. */
  readonly isIncomplete: boolean
}

type IdsMark = 'waiting' | 'complete'

const ledgerMark = 'ledger'
const keyDigestMark = 'keyDigest'
const aliasesMark = 'aliases'
const idsMark = 'ids'
const orderMark = 'order'
const enrolMark = 'enrol'
/** Also written by `salvageSqliteStore`. */
export const incompleteMark = 'incomplete'
const chainMark = 'chain '

export async function readMarks({ ledger }: Pick<RegulationStore, 'ledger'>): Promise<LedgerMarks> {
  const marks = await ledger.marks()
  const ends = new Map<string, ChainEnd>()
  for (const [name, text] of marks)
    if (name.startsWith(chainMark)) ends.set(name.slice(chainMark.length), JSON.parse(text))
  const ids = marks.get(idsMark)
  return {
    ledger: marks.get(ledgerMark),
    keyDigest: marks.get(keyDigestMark),
    ends,
    hasAliases: marks.has(aliasesMark),
    ids: ids === 'waiting' || ids === 'complete' ? ids : undefined,
    isToOrder: marks.get(orderMark) === 'true',
    isToEnrol: marks.get(enrolMark) === 'true',
    isIncomplete: marks.get(incompleteMark) === 'true',
  }
}

export async function writeMarks(
  { ledger }: Pick<RegulationStore, 'ledger'>,
  marks: Partial<Omit<LedgerMarks, 'hasAliases'>> & { readonly hasAliases?: true },
): Promise<void> {
  await ledger.mark(
    new Map([
      ...(marks.ledger === undefined ? [] : [[ledgerMark, marks.ledger] as const]),
      ...(marks.keyDigest === undefined ? [] : [[keyDigestMark, marks.keyDigest] as const]),
      ...(marks.hasAliases ? [[aliasesMark, 'true'] as const] : []),
      ...(marks.ids === undefined ? [] : [[idsMark, marks.ids] as const]),
      ...(marks.isToOrder === undefined ? [] : [[orderMark, String(marks.isToOrder)] as const]),
      ...(marks.isToEnrol === undefined ? [] : [[enrolMark, String(marks.isToEnrol)] as const]),
      ...(marks.isIncomplete === undefined ? [] : [[incompleteMark, String(marks.isIncomplete)] as const]),
      ...[...(marks.ends ?? [])].map(([chain, end]) => [`${chainMark}${chain}`, JSON.stringify(end)] as const),
    ]),
  )
}

/** Whether a store has regulations that were put back without ids, whose users only the key of their ledger finds. */
export async function hasRegulationsWithoutIds(store: Pick<RegulationStore, 'ledger'>): Promise<boolean> {
  return (await readMarks(store)).hasAliases
}

/**
 * Refuses a store whose regulations could not all be read, unless the ledger that it had puts them back: users who are
 * suppressed would be served.
 * @throws LedgerBrokenError
 */
export function requireComplete({ isIncomplete, isToEnrol }: LedgerMarks, hasLedger: boolean): void {
  // What was regulated while the store was served without its ledger is in no ledger.
  if (isIncomplete && (!hasLedger || isToEnrol))
    throw new LedgerBrokenError(
      'regulations of the store could not be read when it was salvaged, and no ledger puts all of them back: suppressed users would be served. Start with the ledger that the store had; or put a backup in its place; or salvage it again with --confirm-lost-regulations, and regulate the users again',
    )
}

/**
 * Remembers that a store that had a ledger is served without it, so that the next start with the ledger enrols what it lacks.
 * @throws LedgerBrokenError when the store lacks regulations itself: see `requireComplete`.
 */
export async function markServedWithoutLedger(store: Pick<RegulationStore, 'ledger'>): Promise<void> {
  const marks = await readMarks(store)
  requireComplete(marks, false)
  const { ledger, isToEnrol } = marks
  if (ledger !== undefined && !isToEnrol) await writeMarks(store, { isToEnrol: true })
}
