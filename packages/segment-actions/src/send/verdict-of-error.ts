import type { Verdict } from '@sluice/destinations'
import { RequestError } from './request-error.ts'
import { verdictOfStatus } from './verdict-of-status.ts'

/** Longest message of an error that is reported, in characters. */
const messageLengthMax = 2_000

/**
 * Returns what an error of an action means for delivery: the error classes of Segment carry a status, a refused request
 * the status of its reply. Other errors are mistakes of the action or unexpected replies, which a retry would repeat.
 */
export function verdictOfError(error: unknown, hasAccount: boolean): Verdict {
  try {
    return verdictOfReadable(error, hasAccount)
  } catch {
    // Members of a thrown value may be getters or proxies of the action, which throw in turn.
    return { outcome: 'aborted', status: 500, message: 'It threw a value that cannot be read.' }
  }
}

function verdictOfReadable(error: unknown, hasAccount: boolean): Verdict {
  const message = messageOf(error)
  if (error instanceof RequestError)
    return { outcome: error.isTemporary ? 'retry' : 'aborted', status: error.isTemporary ? 504 : 400, message }
  const { name, status, response, code } = Object(error) as ErrorMembers
  if (name === 'AggregateAjvError' || name === 'ValidationError') return { outcome: 'aborted', status: 400, message }
  const known = numberOf(status) ?? numberOf(response?.status)
  // An error is no success, whatever its status: that of a redirect which was not followed, for example.
  if (known !== undefined && known < 400) return { outcome: 'aborted', status: known, message }
  if (known !== undefined) return verdictOfStatus(known, message, hasAccount)
  // Errors of clients with connections of their own.
  if (typeof code === 'string' && /^E[A-Z_]+$/.test(code)) return { outcome: 'retry', status: 504, message }
  return { outcome: 'aborted', status: 500, message }
}

interface ErrorMembers {
  readonly name?: unknown
  readonly status?: unknown
  readonly code?: unknown
  readonly response?: { readonly status?: unknown }
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined
}

function messageOf(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : 'It threw a value that is no error.'
  return text.slice(0, messageLengthMax)
}
