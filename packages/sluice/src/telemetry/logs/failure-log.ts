import { type Clock, InvariantError } from '@sluice/core'
import { errorFields, type Logger } from '../../logger.ts'
import { createRareProblems } from './rare-problems.ts'

/** How long a problem that continues is not logged again, in milliseconds. */
const quietMs = 60_000
/**
 * Faults of the program: nothing outside of it makes them, so each is logged, and where it happened. A broken invariant with a
 * cause, as when a stage cannot read the database, is as expected as its cause.
 */
const faults = [InvariantError, TypeError, RangeError, ReferenceError, SyntaxError] as const

/**
 * Logs failures that the program survives. What disks, databases and peers do is expected: one line for a problem and minute,
 * without a stack, and with how often it came meanwhile.
 */
export function createFailureLog(logger: Logger, clock: Pick<Clock, 'now'>): (error: unknown) => void {
  const occurred = createRareProblems(clock, quietMs)
  return (error) => {
    const failure = causeOf(error)
    if (!isExpected(failure)) return logger.error(errorFields(error), text)
    const repeats = occurred(problemOf(failure))
    if (repeats === undefined) return
    logger.error({ ...errorFields(failure, false), repeats: repeats > 0 ? repeats : undefined }, text)
  }
}

const text = 'continuing after a failure'

/** Returns what has broken an invariant, if that is known. */
function causeOf(error: unknown): unknown {
  return error instanceof InvariantError && error.cause !== undefined ? causeOf(error.cause) : error
}

function isExpected(error: unknown): error is Error {
  return error instanceof Error && !faults.some((fault) => error instanceof fault)
}

/** The same problem has other numbers and ids each time. */
function problemOf({ name, message }: Error): string {
  return `${name} ${message.slice(0, 300).replaceAll(/[0-9a-f-]{8,}|\d+/gi, '#')}`
}
