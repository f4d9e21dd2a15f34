import type { RegulationStore } from '../../regulation-store.ts'
import { LedgerBrokenError } from '../ledger-errors.ts'
import type { LedgerPlace } from '../ledger-place.ts'
import type { LedgerRecord } from '../ledger-record.ts'
import { type ChainEnd, emptyChain } from './ledger-line.ts'
import { type ChainLine, nameOf, readChain, requireEnd } from './read-chains.ts'

/**
 * A part of a chain that was read from the end of the part before, line by line. The store keeps where it ends and the hash
 * of its last line, so that a later reader needs this part only: when its lines lead from the hash before to that hash,
 * they are the lines that were there, and follow all those before. To change a line of the ledger unnoticed, the store has to
 * be changed as well. Parts that no certificate needs are checked by `sluice ledger verify`.
 */
interface CheckedPart {
  readonly chain: string
  readonly end: ChainEnd
  /** Smallest and largest id of the regulations in it; absent for none. */
  readonly regulated?: IdRange
  /** The same of cancellations. */
  readonly canceled?: IdRange
}

type IdRange = readonly [smallest: string, largest: string]
type LedgerMarks = Pick<RegulationStore, 'ledger'>

/** Lines of a part: some megabytes, read in a tenth of a second. */
const linesPerPart = 5_000
const partMark = 'part '

/** The parts that a store knows, by chain and in order. */
type CheckedParts = ReadonlyMap<string, readonly CheckedPart[]>

export async function readParts({ ledger }: LedgerMarks): Promise<CheckedParts> {
  const parts = new Map<string, CheckedPart[]>()
  for (const [name, text] of await ledger.marks()) {
    if (!name.startsWith(partMark)) continue
    const chain = name.slice(partMark.length, name.lastIndexOf(' '))
    const known = parts.get(chain) ?? []
    parts.set(chain, known)
    known.push({ chain, ...JSON.parse(text) })
  }
  for (const known of parts.values()) known.sort((a, b) => a.end.lines - b.end.lines)
  return parts
}

async function keepPart({ ledger }: LedgerMarks, { chain, ...part }: CheckedPart): Promise<void> {
  await ledger.mark(new Map([[`${partMark}${chain} ${part.end.lines}`, JSON.stringify(part)]]))
}

export interface KnownChain {
  readonly chain: string
  readonly parts: readonly CheckedPart[]
}

/** What is looked for in a chain: records of one kind and id. */
interface Sought {
  readonly kind: 'regulated' | 'canceled'
  readonly id: string
}

/**
 * Returns the first line of a chain that has what is looked for; undefined when none has. Reads the parts that may have it,
 * and what is behind the last part. What it has read of that becomes parts.
 * @throws LedgerBrokenError when a part that it reads was changed, or lines are missing.
 */
export async function findLine(
  place: LedgerPlace,
  store: LedgerMarks,
  { chain, parts }: KnownChain,
  { kind, id }: Sought,
  isSought: (record: LedgerRecord) => boolean,
): Promise<ChainLine | undefined> {
  let start = emptyChain
  for (const part of parts) {
    const found = isIn(part[kind], id) ? await findInPart(place, start, part, isSought) : undefined
    if (found !== undefined) return found
    start = part.end
  }
  for await (const line of readTail(place, store, chain, start)) if (line.content.records.some(isSought)) return line
  return undefined
}

/** Reads what is behind the last part of a chain, and keeps it as parts, if it is as long as one. @throws LedgerBrokenError */
export async function checkTail(
  place: LedgerPlace,
  store: LedgerMarks,
  { chain, parts }: KnownChain,
  end: ChainEnd,
): Promise<void> {
  const start = parts.at(-1)?.end ?? emptyChain
  if (end.lines - start.lines < linesPerPart) return
  for await (const _ of readTail(place, store, chain, start));
}

async function findInPart(
  place: LedgerPlace,
  start: ChainEnd,
  { chain, end }: CheckedPart,
  isSought: (record: LedgerRecord) => boolean,
): Promise<ChainLine | undefined> {
  let found: ChainLine | undefined
  let last = start
  for await (const line of readChain(place, chain, start)) {
    last = line.end
    if (found === undefined && line.content.records.some(isSought)) found = line
    if (last.lines === end.lines) break
  }
  // Only now it is known to be the line that was there.
  if (last.hash !== end.hash)
    throw new LedgerBrokenError(
      `${nameOf(place, chain)} was changed between line ${start.lines + 1} and line ${end.lines}`,
    )
  return found
}

async function* readTail(
  place: LedgerPlace,
  store: LedgerMarks,
  chain: string,
  start: ChainEnd,
): AsyncGenerator<ChainLine> {
  await requireEnd(place, chain, start)
  let from = start
  let regulated: IdRange | undefined
  let canceled: IdRange | undefined
  for await (const line of readChain(place, chain, start)) {
    for (const { kind, id } of line.content.records) {
      if (kind === 'regulated') regulated = withId(regulated, id)
      if (kind === 'canceled') canceled = withId(canceled, id)
    }
    const { end } = line
    if (end.lines - from.lines === linesPerPart) {
      await keepPart(store, { chain, end, regulated, canceled })
      from = end
      regulated = undefined
      canceled = undefined
    }
    yield line
  }
}

function isIn(range: IdRange | undefined, id: string): boolean {
  return range !== undefined && range[0] <= id && id <= range[1]
}

function withId(range: IdRange | undefined, id: string): IdRange {
  if (range === undefined) return [id, id]
  return [id < range[0] ? id : range[0], id > range[1] ? id : range[1]]
}
