import pg from 'pg'

/** A statement was sent, and the connection ended, or the time for its answer passed: it is unknown whether it has run. */
export class AnswerLostError extends Error {
  override readonly name = 'AnswerLostError'

  /** @param cause what the driver reports. */
  constructor(cause: unknown) {
    super(`the database did not answer: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

/** The database cannot be reached: nothing was sent to it. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'

  /** @param cause what the driver reports. */
  constructor(cause: unknown) {
    super(`the database cannot be reached: ${reasonOf(cause)}`, { cause })
  }
}

/** Returns what happened, in the words of the driver. */
export function reasonOf(error: unknown): string {
  // Several addresses of a host were tried; the first error says why.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  return first instanceof Error ? first.message : String(first)
}

/**
 * SQLSTATE after which the connection ends, or the transaction was undone for reasons of others: connection exceptions,
 * rollbacks such as of a deadlock, and a server that stops. Source: "PostgreSQL Error Codes".
 */
const passing = /^(?:08|40|57P0[123])/

/** Returns whether a statement may have run though it failed, or may succeed when it is tried again. */
export function isAnswerLost(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return passing.test(error.code ?? '')
  return error instanceof AnswerLostError
}

/** Runs a write that changes nothing when it has run before, and once more when its answer was lost. */
export async function repeated<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    if (!isAnswerLost(error)) throw error
    return write()
  }
}
