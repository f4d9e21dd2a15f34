import { LedgerBrokenError } from '../ledger/ledger-errors.ts'
import { RegulationError } from '../requests/regulation-error.ts'

/** Turns what is wrong with the ledger into an answer. @throws RegulationError */
export async function readingLedger<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof LedgerBrokenError)
      throw new RegulationError('ledgerUnreadable', `${error.problem}; sluice ledger verify shows what is wrong`)
    throw error
  }
}
