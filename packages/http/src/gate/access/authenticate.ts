import type { AccessToken, Workspace } from '@sluice/core'
import { parseAuthorization } from './authorization.ts'
import { sha256 } from './same-secret.ts'

/** An authenticated caller. */
export interface Access {
  readonly workspace: Workspace
  readonly token: AccessToken
  /** User name of Basic authentication, not verified; '' with Bearer. */
  readonly user: string
}

/**
 * Returns the workspace of an access token, or undefined when the token is unknown. The token is sent as Bearer token
 * or as the password of Basic authentication with any user name. Source: packages/docs/api/access.md#credentials.
 */
export function authenticate(header: string | undefined, workspaces: readonly Workspace[]): Access | undefined {
  const authorization = parseAuthorization(header)
  const found = authorization && tokenNamed(authorization.secret, workspaces)
  return found && { ...found, user: authorization.user }
}

/**
 * Finds a token by its hash. Timing may reveal how much of a hash matches; the token cannot be derived from that. A list of
 * tokens is read once, so that a workspace with many makes no call slower.
 */
function tokenNamed(secret: string, workspaces: readonly Workspace[]): Omit<Access, 'user'> | undefined {
  const given = sha256(secret).toString('hex')
  let found: Omit<Access, 'user'> | undefined
  for (const workspace of workspaces) {
    const token = byHash(workspace.accessTokens).get(given)
    if (token) found = { workspace, token }
  }
  return found
}

const hashes = new WeakMap<readonly AccessToken[], ReadonlyMap<string, AccessToken>>()

function byHash(tokens: readonly AccessToken[]): ReadonlyMap<string, AccessToken> {
  const known = hashes.get(tokens) ?? new Map(tokens.map((token) => [token.sha256.toLowerCase(), token]))
  hashes.set(tokens, known)
  return known
}
