import { type ChainEnd, emptyChain, endBehind, type LedgerLineContent, lineHash, readLine } from './ledger-line.ts'
import { LedgerBrokenError } from './ledger-errors.ts'
import type { LedgerPlace } from './ledger-place.ts'

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

/**
 * Reads what stands in a chain behind a known end, in order, and checks that each line follows the one before.
 * @returns each line with the end of the chain behind it.
 * @throws LedgerBrokenError
 */
export async function* readChain(
  place: LedgerPlace,
  chain: string,
  from: ChainEnd = emptyChain,
): AsyncGenerator<{ readonly content: LedgerLineContent; readonly end: ChainEnd }> {
  const where = nameOf(place, chain)
  for (let end = from; ; ) {
    const lines = await place.read(chain, end.next, linesPerRead)
    if (lines.length === 0) return
    for (const { text, next } of lines) {
      const content = readLine(where, end, text)
      end = endBehind(end, text, next)
      yield { content, end }
    }
  }
}

function nameOf(place: LedgerPlace, chain: string): string {
  return `chain ${chain} in ${place.name}`
}
