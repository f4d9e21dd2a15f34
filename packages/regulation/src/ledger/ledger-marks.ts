import type { RegulationStore } from '../regulation-store.ts'
import type { ChainEnd } from './ledger-line.ts'

/**
 * What a store remembers of the ledger that it was last served with, as texts by name. Part of its backups, so that a
 * store that was restored knows an older end of the ledger than there is.
 */
export interface LedgerMarks {
  /** Id of the ledger; undefined for a store that was never served with one. */
  readonly ledger: string | undefined
  /** Ends of the chains, as far as the store has what they say. */
  readonly ends: ReadonlyMap<string, ChainEnd>
  /** Whether the store has regulations that were put back without ids. */
  readonly hasAliases: boolean
}

const ledgerMark = 'ledger'
const aliasesMark = 'aliases'
const chainMark = 'chain '

export async function readMarks({ ledger }: Pick<RegulationStore, 'ledger'>): Promise<LedgerMarks> {
  const marks = await ledger.marks()
  const ends = new Map<string, ChainEnd>()
  for (const [name, text] of marks)
    if (name.startsWith(chainMark)) ends.set(name.slice(chainMark.length), JSON.parse(text))
  return { ledger: marks.get(ledgerMark), ends, hasAliases: marks.has(aliasesMark) }
}

export async function writeMarks(
  { ledger }: Pick<RegulationStore, 'ledger'>,
  marks: { readonly ledger?: string; readonly ends?: ReadonlyMap<string, ChainEnd>; readonly hasAliases?: true },
): Promise<void> {
  await ledger.mark(
    new Map([
      ...(marks.ledger === undefined ? [] : [[ledgerMark, marks.ledger] as const]),
      ...(marks.hasAliases ? [[aliasesMark, 'true'] as const] : []),
      ...[...(marks.ends ?? [])].map(([chain, end]) => [`${chainMark}${chain}`, JSON.stringify(end)] as const),
    ]),
  )
}

/** Whether a store has regulations that were put back without ids, whose users only the key of their ledger finds. */
export async function hasRegulationsWithoutIds(store: Pick<RegulationStore, 'ledger'>): Promise<boolean> {
  return (await readMarks(store)).hasAliases
}
