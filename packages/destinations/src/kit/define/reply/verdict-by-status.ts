import type { DestinationReply, ItemVerdict, ReplyOutcome } from './reply.ts'

/**
 * Returns the verdict for an HTTP status: 2xx is delivered, 429 throttled, 408 and 5xx are retried, all others aborted.
 *
 * Source: packages/docs/behaviour/mapping.md#verdicts.
 * @example
 * ```ts
 * import { verdictByStatus } from '@sluice/destinations/kit'
 *
 * console.log([200, 429, 503, 400].map((status) => verdictByStatus({ status }).outcome)) // [ 'delivered', 'throttled', 'retry', 'aborted' ]
 * ```
 */
export function verdictByStatus({ status }: Pick<DestinationReply, 'status'>): ItemVerdict {
  return { outcome: outcomeOf(status), status, message: `answered ${status}` }
}

/** Returns the same, except that 401 requests new tokens of the account. */
export function verdictOfAccount({ status }: Pick<DestinationReply, 'status'>): ItemVerdict {
  return status === 401 ? { outcome: 'refresh', status, message: 'answered 401' } : verdictByStatus({ status })
}

function outcomeOf(status: number): ReplyOutcome {
  if (status >= 200 && status < 300) return 'delivered'
  if (status === 429) return 'throttled'
  return status >= 500 || status === 408 ? 'retry' : 'aborted'
}
