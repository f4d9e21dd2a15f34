import { isJsonObject, type JsonObject } from '@sluice/core'
import { defined } from '@sluice/core/defined'
import type { AccountTokens } from '@sluice/destinations'
import type { SegmentAuth } from '../peer/segment-definition.ts'

/** Returns the tokens in the settings; undefined when there is no access token to begin with. */
export function storedTokens({ oauth }: JsonObject): JsonObject | undefined {
  if (!isJsonObject(oauth) || typeof oauth['accessToken'] !== 'string') return undefined
  const { accessToken, refreshToken } = oauth
  return defined({ accessToken, refreshToken: typeof refreshToken === 'string' ? refreshToken : undefined })
}

/** Reads what `refreshAccessToken` returned. @returns undefined when it has no access token. */
export function readTokens(result: unknown): AccountTokens | undefined {
  const { accessToken, refreshToken } = Object(result) as SegmentAuth
  if (typeof accessToken !== 'string' || accessToken === '') return undefined
  return { tokens: defined({ accessToken, refreshToken: typeof refreshToken === 'string' ? refreshToken : undefined }) }
}

/** The tokens as actions get them. */
export function authOf(tokens: JsonObject | undefined): SegmentAuth {
  const { accessToken, refreshToken } = tokens ?? {}
  return defined({
    accessToken: typeof accessToken === 'string' ? accessToken : undefined,
    refreshToken: typeof refreshToken === 'string' ? refreshToken : undefined,
  })
}
