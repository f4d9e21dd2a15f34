import { isJsonObject, type JsonObject } from '@sluice/core'
import { bytesOf, textOf } from '@sluice/core/bytes'
import { signRs256 } from '#sign'
import { form } from '../../map/request/delivery-request.ts'
import type { AccountRule } from './account-rule.ts'

/** What is needed of a key of a service account. */
export interface ServiceAccount {
  readonly clientEmail: string
  readonly privateKey: string
}

/** Where Google gives tokens to service accounts. */
export const googleTokenEndpoint = 'https://oauth2.googleapis.com/token'
const lifetimeS = 3_600 // seconds; the longest that Google allows
const marginMs = 60_000

/** Returns what is needed of a key of a service account; undefined when the text is no such key. */
export function parseServiceAccount(text: string): ServiceAccount | undefined {
  let key: unknown
  try {
    key = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isJsonObject(key)) return undefined
  const { client_email: clientEmail, private_key: privateKey } = key
  if (typeof clientEmail !== 'string' || typeof privateKey !== 'string') return undefined
  return privateKey.includes('PRIVATE KEY') ? { clientEmail, privateKey } : undefined
}

/**
 * Signs in with the key of a service account, which is the setting `credentials`.
 *
 * @param scope what the token may do, such as `https://www.googleapis.com/auth/pubsub`.
 */
export function serviceAccountToken(scope: string): AccountRule {
  return {
    tokenRequest: ({ credentials }, _, context) => {
      const account = parseServiceAccount(String(credentials))
      const now = Math.floor((context?.now ?? 0) / 1_000)
      return form({ method: 'POST', endpoint: googleTokenEndpoint, body: tokenForm(account, scope, now) })
    },
    readTokens: ({ body }) => {
      const { access_token, expires_in } = Object(body) as JsonObject
      if (typeof access_token !== 'string') return undefined
      return { tokens: { access_token }, lifetimeMs: (Number(expires_in) || lifetimeS) * 1_000 - marginMs }
    },
    authorize: (request, { access_token }) => ({
      ...request,
      headers: { ...request.headers, authorization: `Bearer ${access_token}` },
    }),
  }
}

/**
 * Returns the form that asks Google for a token. Without an account, or with a key that cannot sign, the assertion in it
 * is empty, and Google refuses it.
 *
 * Source: Google docs, OAuth 2.0 for server-to-server applications; RFC 7523, 2.1.
 *
 * @param now in seconds since 1970.
 */
export function tokenForm(account: ServiceAccount | undefined, scope: string, now: number) {
  return {
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: account === undefined ? '' : assertionFor(account, scope, now),
  }
}

function assertionFor({ clientEmail, privateKey }: ServiceAccount, scope: string, now: number): string {
  const claims = { iss: clientEmail, scope, aud: googleTokenEndpoint, iat: now, exp: now + lifetimeS }
  const unsigned = `${encoded({ alg: 'RS256', typ: 'JWT' })}.${encoded(claims)}`
  try {
    return `${unsigned}.${signRs256(unsigned, privateKey)}`
  } catch {
    return ''
  }
}

const encoded = (part: object): string => textOf(bytesOf(JSON.stringify(part)), 'base64url')
