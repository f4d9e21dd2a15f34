import type { Clock, Event, JsonObject } from '@sluice/core'
import { type DeliveryRequest, type DestinationDefinition, verdictByStatus } from '@sluice/destinations/kit'
import type { Sending, Transport } from '../transport/transport.ts'
import { createAccountAuthorizer } from './account/account-authorizer.ts'
import { createActionExchange } from './action/action-exchange.ts'
import { sendInSteps } from './action/send-in-steps.ts'
import type { Exchange } from './exchange.ts'
import { type Judgement, judge, type Respond } from './replies/judgement.ts'

export interface ExchangeOptions {
  readonly definition: Pick<DestinationDefinition, 'respond' | 'account' | 'action' | 'nextCall' | 'load'>
  readonly settings: JsonObject
  readonly transport: Transport
  /** Requests tokens. */
  readonly lookupTransport: Transport
  readonly clock: Clock
  /** Milliseconds for one request. */
  readonly timeMs: number
  /** Called when the reply to a request of an event, not to a question, has the status 401. */
  readonly onUnauthorized?: () => void
}

/** Sends a request once. @param events that the request carries. */
export type Exchanging = (
  request: DeliveryRequest,
  sending: Sending,
  events: readonly Event[],
  reading?: Reading,
) => Promise<Exchange>

/** Milliseconds for an action of a warehouse: a deletion may look through all of its tables. */
const loadActionMs = 600_000

/** How a reply is read. */
interface Reading {
  /** Default: the status decides. */
  readonly respond?: Respond
  readonly replyBytesMax?: number
  /** Called when the reply has the status 401. */
  readonly onUnauthorized?: (() => void) | undefined
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
  onUnauthorized,
}: ExchangeOptions): Exchanging {
  const rule = definition.account
  const respondToEvents = definition.respond?.bind(definition)
  const account = rule && createAccountAuthorizer({ rule, settings, transport: lookupTransport, clock, timeMs })
  const { action, load } = definition
  const long = load ? { actionMs: loadActionMs } : {}
  const perform =
    action && createActionExchange({ action, settings, transport, lookupTransport, clock, timeMs, ...long })

  const ofEvents: Reading = { onUnauthorized, respond: respondToEvents }

  function sendOnce(request: DeliveryRequest, sending: Sending, reading: Reading): Promise<Exchange> {
    // Tokens are sent only where the settings lead.
    if (account && request.withheld === undefined) return sendWithTokens(account, request, sending, reading)
    return sendAsIs(request, sending, reading)
  }

  /** Not an async function: every request passes here, and its frame would take more memory than the result. */
  function sendAsIs(request: DeliveryRequest, sending: Sending, reading: Reading): Promise<Exchange> {
    const { respond, onUnauthorized, replyBytesMax } = reading
    const limits = replyBytesMax === undefined ? { ...sending, timeMs } : { ...sending, timeMs, replyBytesMax }
    return transport.send(request, limits).then((result) => {
      if (result.kind === 'reply' && result.status === 401) onUnauthorized?.()
      return { sent: request, result, judgement: judge(result, clock.now(), request, respond) }
    })
  }

  async function sendWithTokens(
    accountOfDestination: NonNullable<typeof account>,
    request: DeliveryRequest,
    sending: Sending,
    reading: Reading,
  ): Promise<Exchange> {
    const authorized = await accountOfDestination.authorize(request, sending.signal)
    if (!authorized.ok) {
      const { result } = authorized
      const judgement = judge(result, clock.now(), request)
      const cause = `Its account returned no tokens. ${judgement.cause}`
      return { sent: request, result, judgement: { ...judgement, cause } }
    }
    const exchanged = await sendAsIs(authorized.request, sending, reading)
    if (!isTokenRefused(exchanged.judgement)) return exchanged
    accountOfDestination.refuse(authorized.tokens)
    return { ...exchanged, judgement: { ...exchanged.judgement, outcome: 'refresh' } }
  }

  return (request, sending, events, reading) => {
    if (perform && request.type === 'ACTION') return perform(request, events, sending)
    // Questions are calls already.
    if (definition.nextCall === undefined || reading) {
      return sendOnce(request, sending, reading ?? ofEvents)
    }
    const nextCall = definition.nextCall.bind(definition)
    return sendInSteps(request, nextCall, (call) => {
      const respond: Respond = (reply) => respondToEvents?.(reply, request) ?? verdictByStatus(reply)
      return sendOnce(call, sending, { respond, onUnauthorized })
    })
  }
}

/** Tokens may have expired early, or been revoked. */
function isTokenRefused({ outcome, status }: Judgement): boolean {
  return outcome === 'refresh' || (outcome === 'aborted' && status === 401)
}
