const putBackOrAdopt =
  'Put the ledger back in its place, or name its place with --ledger; sluice ledger verify shows what is wrong, and sluice ledger adopt begins a new ledger with the regulations of the store and what is left of the old one'

/** The ledger is not the one that the store was last served with, or was changed. Nothing may be served before that is decided. */
export class LedgerBrokenError extends Error {
  override readonly name = 'LedgerBrokenError'

  /** What is wrong, without the way out. */
  readonly problem: string

  /** @param wayOut a sentence without its full stop; by default, what to do about a ledger that is broken. */
  constructor(problem: string, wayOut = putBackOrAdopt) {
    super(`${problem}. No event is accepted or sent, because regulations may be missing. ${wayOut}`)
    this.problem = problem
  }
}
