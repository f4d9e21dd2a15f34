import { timingSafeEqual } from 'node:crypto'
import type { AccessToken, Workspace } from '@sluice/core'
import { parseAuthorization } from './authorization.ts'
import { sha256 } from './same-secret.ts'

/** Who came in. */
export interface Access {
  readonly workspace: Workspace
  readonly token: AccessToken
  /** The user name of Basic authentication, checked by nobody; '' with Bearer. */
  readonly user: string
}

/**
 * Finds the workspace an access token belongs to: as Bearer token or as the password of Basic authentication, whose
 * user
 * name does not count. Undefined when there is none. Source: packages/docs/api/access.md#credentials.
 */
export function authenticate(header: string | undefined, workspaces: readonly Workspace[]): Access | undefined {
  const authorization = parseAuthorization(header)
  const found = authorization && tokenNamed(authorization.secret, workspaces)
  return found && { ...found, user: authorization.user }
}

/** Every token is compared, in constant time, so that timing tells neither whether nor which one matched. */
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
