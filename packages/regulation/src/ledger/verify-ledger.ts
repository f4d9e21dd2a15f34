import { readChain } from './chain/read-chains.ts'
import { requireKey } from './keys/require-key.ts'
import { LedgerBrokenError } from './ledger-errors.ts'
import type { LedgerPlace } from './ledger-place.ts'

/** What was found in one chain. */
export interface ChainReport {
  readonly chain: string
  readonly lines: number
  readonly regulations: number
  readonly canceled: number
  /** Times of the first and the last line, ISO 8601. */
  readonly from?: string
  readonly to?: string
  /** Hash of the last line, which stands for the chain up to there. */
  readonly hash: string
  /** Where the chain is broken; the counts are those of the lines before. */
  readonly problem?: string
}

/**
 * Checks that there is a ledger, with the key that its entries were written with.
 * @throws LedgerBrokenError
 */
export async function requireWholeLedger(place: LedgerPlace): Promise<void> {
  if ((await place.kept('id')) === undefined)
    throw new LedgerBrokenError(`there is no ledger in ${place.name}: its id is missing`)
  await requireKey(place)
}

/** Reads a whole ledger, and checks that each line follows the one before. Needs no store. */
export async function* verifyLedger(place: LedgerPlace): AsyncGenerator<ChainReport> {
  for (const chain of await place.chains()) {
    let report: ChainReport = { chain, lines: 0, regulations: 0, canceled: 0, hash: '' }
    try {
      for await (const { content, end } of readChain(place, chain)) {
        const count = (kind: string): number => content.records.filter((record) => record.kind === kind).length
        report = {
          chain,
          lines: end.lines,
          regulations: report.regulations + count('regulated') - count('withdrawn'),
          canceled: report.canceled + count('canceled'),
          from: report.from ?? content.at,
          to: content.at,
          hash: end.hash,
        }
      }
      yield report
    } catch (error) {
      if (!(error instanceof LedgerBrokenError)) throw error
      yield { ...report, problem: error.problem }
    }
  }
}
