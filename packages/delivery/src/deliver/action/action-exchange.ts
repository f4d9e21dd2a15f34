import type { Clock, Event, JsonObject } from '@sluice/core'
import type { ActionRule, DeliveryRequest, Verdict } from '@sluice/destinations'
import type { Sending, Transport, TransportResult } from '../../transport/transport.ts'
import type { Exchange } from '../exchange.ts'
import { causeOf, type Judgement, judge } from '../replies/judgement.ts'
import { parseRetryAfter } from '../replies/retry-after.ts'
import { createActionTokens } from './action-tokens.ts'
import { type ActionStep, runAction } from './run-action.ts'

interface ActionExchangeOptions {
  readonly action: ActionRule
  readonly settings: JsonObject
  readonly transport: Transport
  /** Requests tokens. */
  readonly lookupTransport: Transport
  readonly clock: Clock
  /** Milliseconds for one request. An action, with all its requests, has three times as long. */
  readonly timeMs: number
  /** Milliseconds for an action; default: three times `timeMs`. */
  readonly actionMs?: number
}

/** An action may look something up, request tokens, and then send. */
const requestsInTurn = 3

/** Returns a function that performs an ACTION request once, for the events it carries. */
export function createActionExchange({
  action,
  settings,
  transport,
  lookupTransport,
  clock,
  timeMs,
  actionMs = timeMs * requestsInTurn,
}: ActionExchangeOptions): (request: DeliveryRequest, events: readonly Event[], sending: Sending) => Promise<Exchange> {
  const { account } = action
  const { owner = '' } = transport
  const tokens =
    account && createActionTokens({ account, settings, transport: lookupTransport, clock, timeMs: actionMs })
  return async (request, events, sending) => {
    const found = await tokens?.get(sending.signal)
    if (found?.ok === false) {
      const judgement = judge(found.result, clock.now(), request)
      const cause = `Its account returned no tokens. ${judgement.cause}`
      return { sent: request, result: found.result, judgement: { ...judgement, cause } }
    }
    const { value, steps } = await runAction<Verdict>(
      { transport, ...sending, timeMs: actionMs },
      (call) => action.perform({ ...call, request, events, settings, owner, tokens: found?.value }),
      () => ({ outcome: 'retry', status: 504, message: `It did not end within ${actionMs} ms.` }),
    )
    sending.signal.throwIfAborted()
    const isRefused = [value, ...(value.items ?? [])].some(({ outcome }) => outcome === 'refresh')
    if (found && isRefused) tokens?.refuse(found.value)
    const judgement = judgementOf(value.items ? retriedByItem(value) : value, steps.at(-1)?.result, clock.now())
    return {
      sent: request,
      result: resultOf(judgement, steps),
      judgement,
      steps,
      tokens: found?.value,
    }
  }
}

/** Only the items whose tokens were refused are sent again: `refresh` would send the others twice. */
function retriedByItem<T extends Verdict>({ items = [], ...verdict }: T): Verdict {
  const retried = <V extends { readonly outcome: Verdict['outcome'] }>(each: V): V =>
    each.outcome === 'refresh' ? { ...each, outcome: 'retry' } : each
  return { ...retried(verdict), items: items.map(retried) }
}

function judgementOf(
  { outcome, status, message, items }: Verdict,
  last: TransportResult | undefined,
  nowMs: number,
): Judgement {
  const header = last?.kind === 'reply' ? last.headers['retry-after'] : undefined
  const retryAfterMs = header === undefined ? undefined : parseRetryAfter(header, nowMs)
  const answered = last?.kind === 'reply' && last.status >= 300 ? `${causeOf(last.status)} ` : ''
  return {
    outcome,
    status,
    cause: outcome === 'delivered' ? '' : `${answered}${message}`,
    note: outcome === 'delivered' && message !== '' ? message : undefined,
    retryAfterMs,
    items,
  }
}

/** The last reply, or why there is none. */
function resultOf({ outcome, cause }: Judgement, steps: readonly ActionStep[]): TransportResult {
  const last = steps.at(-1)
  if (last) return last.result
  if (outcome === 'delivered') return { kind: 'reply', status: 200, headers: {}, body: '' }
  const isFinal = outcome === 'aborted' || outcome === 'refresh'
  return { kind: isFinal ? 'unsendable' : 'network', code: 'ERR_ACTION', message: cause }
}
