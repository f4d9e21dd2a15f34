import type { JsonValue } from '@sluice/core'
import type { DeliveryRequest, DestinationReply, ReplyOutcome, Verdict } from '@sluice/destinations'
import type { Reply, TransportResult } from '../../transport/transport.ts'
import { parseRetryAfter } from './retry-after.ts'

/** Result of one attempt. */
export interface Judgement {
  readonly outcome: ReplyOutcome
  /** Status of the reply, or the one that the destination assigns to it; absent without a reply. */
  readonly status?: number
  /** Reason for people; follows a sentence that names the host. */
  readonly cause: string
  /** What a request did that was delivered, for reports. */
  readonly note?: string
  /** Pause in milliseconds that the destination requested. */
  readonly retryAfterMs?: number
  /** One verdict per item in the order of the batch, if the reply distinguishes items. */
  readonly items?: Verdict['items']
}

/** DNS says that the host does not exist. Temporary DNS failures have the code EAI_AGAIN. */
const hostUnknown = 'ENOTFOUND'

/** Reads a reply; see `DestinationDefinition.respond`. */
export type Respond = (reply: DestinationReply, request: DeliveryRequest) => Verdict

/**
 * Judges the result of an attempt, by the destination's `respond` if it has one. Otherwise 2xx is delivered; 429
 * throttles the whole destination; 5xx, 408 and network failures are retried, except when the host does not exist;
 * everything else is refused.
 *
 * @param nowMs current time in milliseconds since the epoch, to read a Retry-After date. Source:
 * packages/docs/behaviour/mapping.md#verdicts.
 */
export function judge(result: TransportResult, nowMs: number, request: DeliveryRequest, respond?: Respond): Judgement {
  if (result.kind === 'network')
    return { outcome: result.code === hostUnknown ? 'aborted' : 'retry', cause: result.message }
  if (result.kind === 'unsendable') return { outcome: 'aborted', cause: result.message }
  const header = result.headers['retry-after']
  const retryAfterMs = header === undefined ? undefined : parseRetryAfter(header, nowMs)
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs }
  if (respond === undefined) {
    const { status } = result
    const outcome = outcomeOf(status)
    return { outcome, status, cause: outcome === 'delivered' ? '' : causeOf(status), ...wait }
  }
  const { outcome, status, message, items } = respond(replyOf(result), request)
  const more = message === String(status) ? '' : withoutStatus(message, result.status)
  const added = more === '' ? '' : ` ${more}`
  const cause = outcome === 'delivered' ? '' : `${causeOf(result.status)}${added}`
  return { outcome, status, cause, ...wait, items }
}

/** Leaves out of what a definition says that the product answered with a status, which the cause says already. */
function withoutStatus(message: string, status: number): string {
  const said = `answered ${status}`
  if (message === said) return ''
  return message.startsWith(`${said}: `) ? message.slice(said.length + 2) : message
}

function outcomeOf(status: number): ReplyOutcome {
  if (status >= 200 && status < 300) return 'delivered'
  if (status === 429) return 'throttled'
  return status >= 500 || status === 408 ? 'retry' : 'aborted'
}

/** Says what a reply with this status means, for people. */
export function causeOf(status: number): string {
  return status >= 300 && status < 400
    ? `It answered ${status}, and redirects are not followed: set the address it redirects to.`
    : `It answered ${status}.`
}

/** Returns the reply with its body parsed if it is JSON, whatever its content type. */
export function replyOf({ status, headers, body }: Reply): DestinationReply {
  return { status, headers, body: parsed(body) }
}

function parsed(text: string): JsonValue {
  if (!/^\s*[[{"\dtfn-]/.test(text)) return text
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return text
  }
}
