import { isJsonObject, type JsonObject } from '@sluice/core'
import type { DestinationReply, ReplyOutcome, Verdict } from '../define/reply/reply.ts'
import { verdictByStatus } from '../define/reply/verdict-by-status.ts'

/**
 * Interprets replies of Meta's Graph API, whose error codes mean more than the status of the reply. Errors with an
 * unknown code are retried.
 *
 * Source: Meta docs, Graph API, error handling; recorded behaviour of RudderStack.
 */
export function respondLikeMeta(reply: DestinationReply): Verdict {
  const error = isJsonObject(reply.body) ? reply.body['error'] : undefined
  // A page of a proxy or of an overloaded server: the event may be right.
  if (typeof reply.body === 'string' && /^\s*</.test(reply.body))
    return { outcome: 'retry', status: 500, message: `answered ${reply.status} with a page instead of JSON` }
  if (!isJsonObject(error)) return verdictByStatus(reply)
  const outcome = outcomeOf(error)
  const status = outcome === 'aborted' && reply.status === 403 ? 403 : statuses[outcome]
  return { outcome, status, message: messageOf(error) }
}

const statuses: Readonly<Record<ReplyOutcome, number>> = {
  delivered: 200,
  retry: 500,
  throttled: 429,
  aborted: 400,
  refresh: 400,
}

/** Calls of the app, of the user, of the page, of a custom audience, and of an ad account. */
const throttlingCodes: ReadonlySet<unknown> = new Set([4, 17, 32, 341, 613, 80000, 80003, 80004, 80014])

/** Invalid parameters and users, missing permissions, expired tokens, and audiences that do not exist. */
const finalCodes: ReadonlySet<unknown> = new Set([
  3, 10, 100, 102, 105, 110, 190, 2635, 2650, 2655, 1487301, 1487366, 1713092,
])

function outcomeOf({ code, is_transient: isTransient }: JsonObject): ReplyOutcome {
  if (throttlingCodes.has(code)) return 'throttled'
  const isPermission = typeof code === 'number' && code >= 200 && code <= 299
  return (finalCodes.has(code) || isPermission) && isTransient !== true ? 'aborted' : 'retry'
}

function messageOf({ message, error_user_title: title, code, error_subcode: subcode }: JsonObject): string {
  const text = String(title ?? message ?? 'an error without a message')
  return `${text} (code ${String(code)}${subcode === undefined ? '' : `, subcode ${String(subcode)}`})`
}
