import { type Clock, InvariantError } from '@sluice/core'
import { errorFields, type Logger } from '../logger.ts'

/** How long a problem that continues is not logged again, in milliseconds. */
const quietMs = 60_000
/** Problems that are remembered, those that were logged last. */
const problemsMax = 500

/**
 * Faults of the program: nothing outside of it makes them, so each is logged, and where it happened. A broken invariant with a
 * cause, as when a stage cannot read the database, is as expected as its cause.
 */
const faults = [InvariantError, TypeError, RangeError, ReferenceError, SyntaxError] as const

interface Problem {
  readonly loggedAt: number
  /** How often it came since. */
  repeats: number
}

/**
 * Logs failures that the program survives. What disks, databases and peers do is expected: one line for a problem and minute,
 * without a stack, and with how often it came meanwhile.
 */
export function createFailureLog(logger: Logger, clock: Pick<Clock, 'now'>): (error: unknown) => void {
  const problems = new Map<string, Problem>()
  return (error) => {
    const failure = causeOf(error)
    if (!isExpected(failure)) return logger.error(errorFields(error), text)
    const name = problemOf(failure)
    const known = problems.get(name)
    const now = clock.now()
    // A clock that was set back silences nothing.
    if (known && Math.abs(now - known.loggedAt) < quietMs) {
      known.repeats += 1
      return
    }
    problems.delete(name)
    problems.set(name, { loggedAt: now, repeats: 0 })
    const [oldest = name] = problems.keys()
    if (problems.size > problemsMax) problems.delete(oldest)
    const repeats = known?.repeats ?? 0
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
