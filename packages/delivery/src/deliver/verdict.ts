import type { JsonValue } from '@sluice/core'
import type { DeliveryRequest, DestinationReply, ReplyOutcome, Verdict } from '@sluice/destinations'
import type { Reply, TransportResult } from '../transport/transport.ts'
import { parseRetryAfter } from './retry-after.ts'

/** What to make of one attempt. */
export interface Judgement {
  readonly outcome: ReplyOutcome
  /** Of the reply, or what the destination means by it; absent when there was none. */
  readonly status?: number
  /** For people; continues a sentence that names the host. */
  readonly cause: string
  /** How long the destination asked to be left alone. */
  readonly retryAfterMs?: number
  /** One per request of an event in the order of the batch, where the reply tells them apart. */
  readonly items?: Verdict['items']
}

/** There is no such host, says who must know; who cannot say for the moment answers EAI_AGAIN. */
const hostUnknown = 'ENOTFOUND'

/** How a destination reads replies; see `DestinationDefinition.respond`. */
export type Respond = (reply: DestinationReply, request: DeliveryRequest) => Verdict

/**
 * Judges what came back, by the destination's own table where it has one. Otherwise 2xx is delivered; 429 asks
 * everybody to wait; 5xx, 408 and network failures may succeed later, but for a host that does not exist; all else is
 * refused.
 *
 * @param nowMs milliseconds since the epoch, against which a Retry-After date is read.
 * Source: packages/docs/behaviour/mapping.md#verdicts.
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
    return { outcome: outcomeOf(status), status, cause: causeOf(status), ...wait }
  }
  const { outcome, status, message, items } = respond(replyOf(result), request)
  const told = message === '' || message === String(status) ? '' : ` ${message}`
  const cause = outcome === 'delivered' ? '' : `${causeOf(result.status)}${told}`
  return { outcome, status, cause, ...wait, ...(items ? { items } : {}) }
}

function outcomeOf(status: number): ReplyOutcome {
  if (status >= 200 && status < 300) return 'delivered'
  if (status === 429) return 'throttled'
  return status >= 500 || status === 408 ? 'retry' : 'aborted'
}

function causeOf(status: number): string {
  return status >= 300 && status < 400
    ? `It answered ${status}, and redirects are not followed: set the address it redirects to.`
    : `It answered ${status}.`
}

/** The body parsed where it is JSON, whatever its type says. */
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
