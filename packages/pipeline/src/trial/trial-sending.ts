import { isDeepStrictEqual } from 'node:util'
import type { JsonObject, Outcome } from '@sluice/core'
import {
  createSend,
  type Delivery,
  type Send,
  sendAll,
  type Transport,
  type TransportResult,
  withoutCarriedValues,
} from '@sluice/delivery'
import {
  type ChosenSettings,
  type DeliveryRequest,
  type DestinationDefinition,
  originOf,
  withoutStoredSecrets,
} from '@sluice/destinations/kit'
import type { FlowParts } from '../flow/build-flow.ts'
import type { SourcedRequest } from '../flow/destination-path.ts'
import { type TrialReply, trialReply } from './trial-reply.ts'

/** Why there is nothing to show of a stage. */
export interface TrialError {
  readonly error: string
}

/** Sends the requests of a trial and keeps the replies. */
interface TrialSending {
  readonly send: Send<SourcedRequest>
  /** The replies to each mapped event, in order, or why none was sent. */
  readonly replies: readonly (readonly TrialReply[] | TrialError)[]
}

/**
 * Sends the requests of each mapped event one after the other, each once, or once more when other tokens are needed: then
 * the last reply counts.
 */
export function createTrialSending(
  place: { readonly definition: DestinationDefinition; readonly settings: JsonObject; readonly stored?: JsonObject },
  parts: Pick<FlowParts, 'transport' | 'clock' | 'random'>,
): TrialSending {
  const replies: (readonly TrialReply[] | TrialError)[] = []
  return {
    replies,
    async send(batch, { signal, settled }) {
      const sent = await Promise.all(batch.map((item) => sendAlone(item, place, parts, signal)))
      for (const [index, each] of sent.entries()) {
        replies.push(each.replies)
        settled(index, each.outcome)
      }
    },
  }
}

/** A sender of its own for each event, so that a destination that refuses one is still asked for the others. */
async function sendAlone(
  item: SourcedRequest,
  { definition, settings, stored = settings }: Parameters<typeof createTrialSending>[0],
  { transport, clock, random }: Pick<FlowParts, 'transport' | 'clock' | 'random'>,
  signal: AbortSignal,
): Promise<{ readonly outcome: Outcome<Delivery>; readonly replies: readonly TrialReply[] | TrialError }> {
  const { batch: _, respond: __, ...alone } = definition
  // By the body, one object for each request: opening an account changes other members.
  const results = new Map<DeliveryRequest['body'], TransportResult>()
  // Of an action, requests have tokens and credentials that are in no setting.
  const shown = definition.action ? withoutQuotes : (result: TransportResult) => result
  const recording: Transport = {
    send: async (request, options) => {
      const result = await transport.send(request, options)
      results.set(request.body, shown(result, request))
      return result
    },
  }
  const send = createSend<SourcedRequest>({
    transport: recording,
    lookupTransport: transport,
    clock,
    random,
    retry: { attemptsMax: 1, baseMs: 1, capMs: 1 },
    concurrency: 1,
    destination: { definition: alone, settings: settingsForSending(definition, { chosen: settings, stored }) },
  })
  const requests = item.requests.map(withOwnBody)
  const [outcome = { kind: 'drop', reason: 'no outcome' }] = await sendAll(send, [{ ...item, requests }], signal)
  // Nothing was sent when the account gave no tokens.
  if (results.size === 0 && outcome.kind === 'fail')
    return { outcome, replies: { error: outcome.error.message.split('\n', 1)[0] ?? '' } }
  return { outcome, replies: [...results.values()].map(trialReply) }
}

/**
 * Returns the settings that tokens and actions get. Without the stored secrets when the settings of the call name another
 * place to request tokens. An action may send anywhere, so it gets them only with the stored settings.
 */
export function settingsForSending(
  { account, action, secrets }: DestinationDefinition,
  settings: ChosenSettings,
): JsonObject {
  const { chosen, stored } = settings
  if (action) return isDeepStrictEqual(chosen, stored) ? chosen : withoutStoredSecrets(secrets, settings)
  if (!account || originOf(account.tokenRequest(chosen)) === originOf(account.tokenRequest(stored))) return chosen
  return withoutStoredSecrets(secrets, settings)
}

/** Hides what a reply quotes of its request. */
function withoutQuotes(result: TransportResult, request: DeliveryRequest): TransportResult {
  return result.kind === 'reply' ? { ...result, body: withoutCarriedValues(result.body, request) } : result
}

/** A definition may put one body into several requests. */
function withOwnBody(request: DeliveryRequest): DeliveryRequest {
  return { ...request, body: { ...request.body } }
}
