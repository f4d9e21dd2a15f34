import type { Clock, JsonObject } from '@sluice/core'
import type { AccountRule, DeliveryRequest } from '@sluice/destinations'
import type { Transport, TransportResult } from '../../transport/transport.ts'
import { createLookups, type LookupAnswer } from '../questions/lookups.ts'
import { replyOf } from '../replies/judgement.ts'
import { tokenFailure } from './token-failure.ts'

type Authorized =
  | { readonly ok: true; readonly request: DeliveryRequest; readonly tokens: JsonObject }
  | { readonly ok: false; readonly result: TransportResult }

/** Adds the OAuth tokens of one destination to its requests. */
interface AccountAuthorizer {
  /** Adds tokens to a request, after requesting them if necessary. @throws the abort reason. */
  authorize(request: DeliveryRequest, signal: AbortSignal): Promise<Authorized>
  /** Reports that the destination rejected these tokens, so that the next request gets new ones. */
  refuse(tokens: JsonObject): void
}

interface AccountAuthorizerOptions {
  readonly rule: AccountRule
  readonly settings: JsonObject
  readonly transport: Transport
  readonly clock: Clock
  readonly timeMs: number
}

const key = 'tokens'

export function createAccountAuthorizer({
  rule,
  settings,
  transport,
  clock,
  timeMs,
}: AccountAuthorizerOptions): AccountAuthorizer {
  const lookups = createLookups<JsonObject>({ clock, entriesMax: 1 })

  async function ask(previous?: JsonObject): Promise<LookupAnswer<JsonObject>> {
    // Not the signal of the first caller: others wait for the tokens too. The time limit bounds it.
    const { signal } = new AbortController()
    const result = await transport.send(rule.tokenRequest(settings, previous, { now: clock.now() }), { signal, timeMs })
    if (result.kind !== 'reply' || result.status < 200 || result.status > 299) return { ok: false, result }
    const read = rule.readTokens(replyOf(result))
    if (read === undefined) return { ok: false, result }
    const { tokens: value, lifetimeMs } = read
    return { ok: true, value, lifetimeMs }
  }

  return {
    async authorize(request, signal) {
      const found = await lookups.get({ key, ask }, signal)
      if (!found.ok) return { ok: false, result: tokenFailure(found.result) }
      return { ok: true, request: rule.authorize(request, found.value), tokens: found.value }
    },
    refuse: (tokens) => lookups.expire(key, tokens),
  }
}
