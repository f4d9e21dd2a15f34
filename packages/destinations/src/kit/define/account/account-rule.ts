import type { JsonObject } from '@sluice/core'
import { defined } from '@sluice/core/defined'
import { type DeliveryRequest, form } from '../../map/request/delivery-request.ts'
import type { DestinationReply } from '../reply/reply.ts'

/** Tokens of an account. Secret. */
export interface AccountTokens {
  readonly tokens: JsonObject
  /** Lifetime in milliseconds. Without it, the tokens are used until the destination refuses them. */
  readonly lifetimeMs?: number
}

/**
 * How a destination authenticates with an account. Tokens are requested before the first request, cached, and requested
 * again when they have expired or when a reply requires it (outcome `refresh`). All functions are pure; delivery sends
 * the requests.
 */
export interface AccountRule {
  /**
   * @param previous the previous tokens, if any: some products issue a new refresh token each time.
   * @param context current time in milliseconds since 1970, for requests that are signed.
   */
  tokenRequest(settings: JsonObject, previous?: JsonObject, context?: { readonly now: number }): DeliveryRequest
  /**
   * Reads the reply to a request for tokens, which has a success status. @returns undefined when it contains no tokens.
   */
  readTokens(reply: DestinationReply): AccountTokens | undefined
  /** Returns the request with the tokens added. */
  authorize(request: DeliveryRequest, tokens: JsonObject): DeliveryRequest
  /**
   * Whether new tokens end the refresh token in the settings, and bring the next one. Processes that share a store cannot
   * share such an account: each would keep another refresh token.
   */
  readonly rotates?: boolean
}

export interface OAuth2Options {
  readonly tokenEndpoint: string | ((settings: JsonObject) => string)
  readonly grant: 'refresh_token' | 'client_credentials'
  /** Names of the settings that contain the credentials. All except the client id must be declared as secrets. */
  readonly settings: { readonly clientId: string; readonly clientSecret: string; readonly refreshToken?: string }
  readonly scope?: string
  /** See `AccountRule.rotates`; default false. */
  readonly rotates?: boolean
}

/** Time before the end of their lifetime at which tokens are renewed, because a request may take a while. */
const marginMs = 60_000

/**
 * Creates an OAuth 2.0 account, whose tokens are sent in the Authorization header. Source: RFC 6749, 4.4, 5.1 and 6;
 * RFC 6750, 2.1.
 */
export function oauth2({ tokenEndpoint, grant, settings: names, scope, rotates = false }: OAuth2Options): AccountRule {
  return {
    tokenRequest: (settings, previous) => {
      const refreshToken = previous?.['refresh_token'] ?? settings[names.refreshToken ?? '']
      return form({
        method: 'POST',
        endpoint: typeof tokenEndpoint === 'string' ? tokenEndpoint : tokenEndpoint(settings),
        headers: { Accept: 'application/json' },
        body: defined({
          grant_type: grant,
          client_id: settings[names.clientId],
          client_secret: settings[names.clientSecret],
          refresh_token: grant === 'refresh_token' ? refreshToken : undefined,
          scope,
        }),
      })
    },
    readTokens: ({ body }) => {
      const { access_token, refresh_token, expires_in } = Object(body) as JsonObject
      if (typeof access_token !== 'string') return undefined
      const lifetimeMs = Number(expires_in) * 1_000 - marginMs
      return defined({
        tokens: defined({ access_token, refresh_token: typeof refresh_token === 'string' ? refresh_token : undefined }),
        lifetimeMs: lifetimeMs > 0 ? lifetimeMs : undefined,
      })
    },
    authorize: (request, { access_token }) => ({
      ...request,
      headers: { ...request.headers, Authorization: `Bearer ${access_token}` },
    }),
    rotates,
  }
}
