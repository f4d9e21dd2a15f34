import type { JsonObject } from '@sluice/core'
import { type DeliveryRequest, form } from '../map/delivery-request.ts'
import type { DestinationReply } from './reply.ts'

/** What opens an account for a while. Secret. */
export interface AccountTokens {
  readonly tokens: JsonObject
  /** In milliseconds; left out, until the destination refuses them. */
  readonly lifetimeMs?: number
}

/**
 * How a destination is used through an account: tokens are got before the first request, kept, and got anew when they have
 * expired or a reply asks for it (`refresh`). All functions are pure; who delivers does the asking.
 */
export interface AccountRule {
  /** @param previous the tokens before, where there were any: products may give out a new refresh token each time. */
  tokenRequest(settings: JsonObject, previous?: JsonObject): DeliveryRequest
  /** @returns undefined when the reply, a success, gives no tokens. */
  readTokens(reply: DestinationReply): AccountTokens | undefined
  /** A request with what opens the account. */
  authorize(request: DeliveryRequest, tokens: JsonObject): DeliveryRequest
}

export interface OAuth2Options {
  readonly tokenEndpoint: string | ((settings: JsonObject) => string)
  readonly grant: 'refresh_token' | 'client_credentials'
  /** The names of the settings that hold them; all but the id are to be declared as secrets. */
  readonly settings: { readonly clientId: string; readonly clientSecret: string; readonly refreshToken?: string }
  readonly scope?: string
}

/** Tokens are renewed so long before they expire: a request may be under way for a while. */
const marginMs = 60_000

/** An account by OAuth 2.0: tokens go into the Authorization header. Source: RFC 6749, 4.4, 5.1 and 6; RFC 6750, 2.1. */
export function oauth2({ tokenEndpoint, grant, settings: names, scope }: OAuth2Options): AccountRule {
  return {
    tokenRequest: (settings, previous) => {
      const refreshToken = previous?.['refresh_token'] ?? settings[names.refreshToken ?? '']
      return form({
        method: 'POST',
        endpoint: typeof tokenEndpoint === 'string' ? tokenEndpoint : tokenEndpoint(settings),
        headers: { Accept: 'application/json' },
        body: {
          grant_type: grant,
          client_id: settings[names.clientId],
          client_secret: settings[names.clientSecret],
          ...(grant === 'refresh_token' ? { refresh_token: refreshToken } : {}),
          ...(scope === undefined ? {} : { scope }),
        },
      })
    },
    readTokens: ({ body }) => {
      const { access_token, refresh_token, expires_in } = Object(body) as JsonObject
      if (typeof access_token !== 'string') return undefined
      const lifetimeMs = Number(expires_in) * 1_000 - marginMs
      return {
        tokens: { access_token, ...(typeof refresh_token === 'string' ? { refresh_token } : {}) },
        ...(lifetimeMs > 0 ? { lifetimeMs } : {}),
      }
    },
    authorize: (request, { access_token }) => ({
      ...request,
      headers: { ...request.headers, Authorization: `Bearer ${access_token}` },
    }),
  }
}
