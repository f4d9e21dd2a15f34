import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import {
  type Ask,
  ask,
  configurationError,
  form,
  isKnown,
  type MappingContext,
  type MappingError,
  type RequestParts,
} from '../../kit/index.ts'
import type { SalesforceSettings } from './salesforce-settings.ts'

/** Access to the instance of an organization. Secret. */
export interface SalesforceSession {
  readonly instance: string
  readonly token: string
}

const sessionMs = 3_600_000 // Salesforce ends sessions after two hours by default

/** Names of the members in which tokens of an account and replies of Salesforce have the same values. */
function sessionIn(tokens: JsonValue | undefined): SalesforceSession | undefined {
  if (!isJsonObject(tokens)) return undefined
  const { access_token: token, instance_url: instance } = tokens
  return typeof token === 'string' && typeof instance === 'string' ? { token, instance } : undefined
}

/**
 * Returns the access to Salesforce: that of the account, or one that Salesforce grants for the password. Source:
 * Salesforce docs, OAuth 2.0 username-password flow.
 */
export function salesforceSession(
  settings: SalesforceSettings,
  context: MappingContext,
): SalesforceSession | MappingError | Ask {
  const own = sessionIn(context.tokens)
  if (own) return own
  const { userName, password, initialAccessToken = '', clientId, clientSecret, sandbox } = settings
  if (!userName || !password || !clientId || !clientSecret) {
    return configurationError('userName, password, clientId and clientSecret are needed without an account')
  }
  const host = sandbox ? 'https://test.salesforce.com' : 'https://login.salesforce.com'
  const granted = ask(context, {
    key: 'session',
    request: form({
      method: 'POST',
      endpoint: `${host}/services/oauth2/token`,
      headers: { Accept: 'application/json' },
      body: {
        username: userName,
        password: `${password}${initialAccessToken}`,
        client_id: clientId,
        client_secret: clientSecret,
        grant_type: 'password',
      },
    }),
    read: ({ body }) =>
      sessionIn(body) === undefined ? configurationError('Salesforce granted no access for the password') : body,
    ttlMs: sessionMs,
  })
  if (!isKnown(granted)) return granted
  return sessionIn(granted) ?? configurationError('Salesforce granted no access for the password')
}

/** Returns address and headers of a request to the API. Source: Salesforce docs, REST API. */
export function salesforceCall(
  path: string,
  { instance, token }: SalesforceSession,
  { method = 'POST', params = {} }: { readonly method?: string; readonly params?: JsonObject } = {},
): RequestParts {
  return {
    method,
    endpoint: `${instance}/services/data/v50.0/${path}`,
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    params,
  }
}
