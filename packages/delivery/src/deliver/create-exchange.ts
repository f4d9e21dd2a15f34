import type { Clock, Event, JsonObject } from '@sluice/core'
import { type DeliveryRequest, type DestinationDefinition, verdictByStatus } from '@sluice/destinations'
import type { Transport } from '../transport/transport.ts'
import { createAccountAuthorizer } from './account-authorizer.ts'
import { createActionExchange } from './action-exchange.ts'
import type { Exchange } from './exchange.ts'
import { type Judgement, judge, type Respond } from './judgement.ts'
import { sendInSteps } from './send-in-steps.ts'

export interface ExchangeOptions {
  readonly definition: Pick<DestinationDefinition, 'respond' | 'account' | 'action' | 'nextCall'>
  readonly settings: JsonObject
  readonly transport: Transport
  /** Requests tokens. */
  readonly lookupTransport: Transport
  readonly clock: Clock
  /** Milliseconds for one request. */
  readonly timeMs: number
}

/** Sends a request once. @param events that the request carries. */
export type Exchanging = (
  request: DeliveryRequest,
  signal: AbortSignal,
  events: readonly Event[],
  reading?: Reading,
) => Promise<Exchange>

/** How a reply is read. */
interface Reading {
  /** Default: the status decides. */
  readonly respond?: Respond
  readonly replyBytesMax?: number
}

/**
 * Returns a function that sends a request once, with the tokens of the destination's account where it has one. An ACTION
 * request is performed by the code of the definition, which gets the events that the request carries.
 */
export function createExchange({
  definition,
  settings,
  transport,
  lookupTransport,
  clock,
  timeMs,
}: ExchangeOptions): Exchanging {
  const rule = definition.account
  const respondToEvents = definition.respond?.bind(definition)
  const account = rule && createAccountAuthorizer({ rule, settings, transport: lookupTransport, clock, timeMs })
  const { action } = definition
  const perform = action && createActionExchange({ action, settings, transport, lookupTransport, clock, timeMs })

  async function sendOnce(request: DeliveryRequest, signal: AbortSignal, reading: Reading): Promise<Exchange> {
    const { respond, ...limits } = reading
    // Tokens are sent only where the settings lead.
    const authorized = request.withheld === undefined ? await account?.authorize(request, signal) : undefined
    if (authorized?.ok === false) {
      const { result } = authorized
      const judgement = judge(result, clock.now(), request)
      const cause = `Its account returned no tokens. ${judgement.cause}`
      return { sent: request, result, judgement: { ...judgement, cause } }
    }
    const sent = authorized?.request ?? request
    const result = await transport.send(sent, { signal, timeMs, ...limits })
    const judgement = judge(result, clock.now(), request, respond)
    if (authorized === undefined || !isTokenRefused(judgement)) return { sent, result, judgement }
    account?.refuse(authorized.tokens)
    return { sent, result, judgement: { ...judgement, outcome: 'refresh' } }
  }

  return async (request, signal, events, reading) => {
    if (perform && request.type === 'ACTION') return perform(request, events, signal)
    // Questions are calls already.
    if (definition.nextCall === undefined || reading) {
      return sendOnce(request, signal, reading ?? (respondToEvents ? { respond: respondToEvents } : {}))
    }
    const nextCall = definition.nextCall.bind(definition)
    return sendInSteps(request, nextCall, (call) => {
      const respond: Respond = (reply) => respondToEvents?.(reply, request) ?? verdictByStatus(reply)
      return sendOnce(call, signal, { respond })
    })
  }
}

/** Tokens may have expired early, or been revoked. */
function isTokenRefused({ outcome, status }: Judgement): boolean {
  return outcome === 'refresh' || (outcome === 'aborted' && status === 401)
}
