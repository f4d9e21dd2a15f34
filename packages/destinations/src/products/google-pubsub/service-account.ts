import { createSign } from 'node:crypto'
import { isJsonObject, type JsonObject } from '@sluice/core'
import { type AccountRule, form } from '../../kit/index.ts'

interface ServiceAccount {
  readonly clientEmail: string
  readonly privateKey: string
}

const tokenEndpoint = 'https://oauth2.googleapis.com/token'
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
 * Signs in with the key of a service account.
 *
 * Source: Google docs, OAuth 2.0 for server-to-server applications; RFC 7523, 2.1.
 */
export const serviceAccountToken: AccountRule = {
  tokenRequest: (settings, _, context) =>
    form({
      method: 'POST',
      endpoint: tokenEndpoint,
      body: {
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion: assertionFor(settings, Math.floor((context?.now ?? 0) / 1_000)),
      },
    }),
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

/** @param now in seconds since 1970. */
function assertionFor({ credentials }: JsonObject, now: number): string {
  const account = parseServiceAccount(String(credentials))
  if (account === undefined) return ''
  const claims = {
    iss: account.clientEmail,
    scope: 'https://www.googleapis.com/auth/pubsub',
    aud: tokenEndpoint,
    iat: now,
    exp: now + lifetimeS,
  }
  const unsigned = `${encoded({ alg: 'RS256', typ: 'JWT' })}.${encoded(claims)}`
  try {
    return `${unsigned}.${createSign('RSA-SHA256').update(unsigned).sign(account.privateKey, 'base64url')}`
  } catch {
    return '' // a key that cannot sign; Google then refuses the empty assertion
  }
}

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
