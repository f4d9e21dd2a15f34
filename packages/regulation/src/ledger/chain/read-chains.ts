import { LedgerBrokenError } from '../ledger-errors.ts'
import type { LedgerPlace } from '../ledger-place.ts'
import {
  type ChainEnd,
  emptyChain,
  endBehind,
  type LedgerLineContent,
  lineHash,
  parsedLine,
  readLine,
} from './ledger-line.ts'

/** Lines read at a time. A line holds the regulations of a call, or of several that were made at once. */
const linesPerRead = 500

/**
 * Checks that a chain still has the line that was its last one.
 * @throws LedgerBrokenError
 */
export async function requireEnd(place: LedgerPlace, chain: string, end: ChainEnd): Promise<void> {
  if (end.lines === 0) return
  const where = nameOf(place, chain)
  const [line] = await place.read(chain, end.last, 1)
  if (line === undefined) throw new LedgerBrokenError(`${where} is missing or shorter than its ${end.lines} lines`)
  if (lineHash(line.text) !== end.hash || line.next !== end.next)
    throw new LedgerBrokenError(`line ${end.lines} of ${where} was changed`)
}

/** A line of a chain, with the end of the chain behind it. */
export interface ChainLine {
  readonly content: LedgerLineContent
  readonly end: ChainEnd
}

/**
 * Reads the lines of a chain behind a known end, in order.
 * @param how `strictly` requires that each line follows the one before; `leniently` leaves out what is no line.
 * @throws LedgerBrokenError when read strictly.
 */
export async function* readChain(
  place: LedgerPlace,
  chain: string,
  from: ChainEnd = emptyChain,
  how: 'strictly' | 'leniently' = 'strictly',
): AsyncGenerator<ChainLine> {
  const where = nameOf(place, chain)
  for (let end = from; ; ) {
    const lines = await place.read(chain, end.next, linesPerRead)
    if (lines.length === 0) return
    for (const { text, next } of lines) {
      const content = how === 'strictly' ? readLine(where, end, text) : parsedLine(text)
      end = endBehind(end, text, next)
      yield { content: content ?? nothing, end }
    }
  }
}

/** What a line counts for that is none. */
const nothing: LedgerLineContent = { number: 0, previous: '', at: '', records: [] }

/** Returns what messages call a chain. */
export function nameOf(place: LedgerPlace, chain: string): string {
  return `chain ${chain} in ${place.name}`
}
