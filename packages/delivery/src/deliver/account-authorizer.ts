import type { Clock, JsonObject } from '@sluice/core'
import type { AccountRule, DeliveryRequest } from '@sluice/destinations'
import type { Transport, TransportResult } from '../transport/transport.ts'
import { replyOf } from './judgement.ts'
import { createLookups } from './lookups.ts'

export type Authorized =
  | { readonly ok: true; readonly request: DeliveryRequest; readonly tokens: JsonObject }
  | { readonly ok: false; readonly result: TransportResult }

/** Adds the OAuth tokens of one destination to its requests. */
export interface AccountAuthorizer {
  /** Adds tokens to a request, after requesting them if necessary. @throws the abort reason. */
  authorize(request: DeliveryRequest, signal: AbortSignal): Promise<Authorized>
  /** Reports that the destination rejected these tokens, so that the next request gets new ones. */
  refuse(tokens: JsonObject): void
}

export interface AccountAuthorizerOptions {
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
  const lookups = createLookups<JsonObject>({ transport, clock, timeMs, entriesMax: 1 })
  return {
    async authorize(request, signal) {
      const found = await lookups.get(
        {
          key,
          request: (previous) => rule.tokenRequest(settings, previous),
          read: (reply) => {
            const read = rule.readTokens(replyOf(reply))
            if (read === undefined) return undefined
            const { tokens: value, lifetimeMs } = read
            return { value, ...(lifetimeMs === undefined ? {} : { lifetimeMs }) }
          },
        },
        signal,
      )
      if (!found.ok) return { ok: false, result: withoutSecrets(found.result) }
      return { ok: true, request: rule.authorize(request, found.value), tokens: found.value }
    },
    refuse: (tokens) => lookups.expire(key, tokens),
  }
}

/** Reduces a reply without tokens to its status. Its text may contain credentials. */
function withoutSecrets(result: TransportResult): TransportResult {
  if (result.kind !== 'reply') return result
  const isSuccess = result.status >= 200 && result.status < 300
  const body = isSuccess ? 'no token in the answer' : `the account answered ${result.status}`
  return { ...result, status: isSuccess ? 502 : result.status, body }
}
