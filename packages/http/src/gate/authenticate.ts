import { timingSafeEqual } from 'node:crypto'
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

/** Compares every token in constant time, so that timing reveals neither whether a token matched nor which one. */
function tokenNamed(secret: string, workspaces: readonly Workspace[]): Omit<Access, 'user'> | undefined {
  const given = sha256(secret)
  let found: Omit<Access, 'user'> | undefined
  for (const workspace of workspaces) {
    for (const token of workspace.accessTokens) {
      const bytes = Buffer.from(token.sha256, 'hex')
      if (bytes.length === given.length && timingSafeEqual(bytes, given)) found = { workspace, token }
    }
  }
  return found
}
