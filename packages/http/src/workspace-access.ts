import { timingSafeEqual } from 'node:crypto'
import type { Workspace } from '@sluice/core'
import type { Context, MiddlewareHandler } from 'hono'
import { parseAuthorization } from './authorization.ts'
import { sha256 } from './same-secret.ts'

/** What a handler behind `requireToken` finds in its context. */
export interface Authenticated {
  readonly Variables: { workspace: Workspace }
}

/**
 * Lets a request pass whose access token belongs to a workspace, as Bearer token or as the password of Basic
 * authentication (any user name), and gives the handler that workspace and no other. Source: interface spec 5.
 */
export function requireToken(workspaces: () => readonly Workspace[]): MiddlewareHandler<Authenticated> {
  return async (c, next) => {
    const authorization = parseAuthorization(c.req.header('authorization'))
    const workspace = authorization && workspaceOf(authorization.secret, workspaces())
    if (workspace === undefined) return unauthorized(c)
    c.set('workspace', workspace)
    return next()
  }
}

function unauthorized(c: Context): Response {
  c.header('WWW-Authenticate', 'Basic realm="sluice", charset="UTF-8"')
  return c.json({ message: 'a valid access token is needed, as Bearer token or as the password of Basic auth' }, 401)
}

/** Every token is compared, in constant time, so that timing tells neither whether nor which one matched. */
function workspaceOf(token: string, workspaces: readonly Workspace[]): Workspace | undefined {
  const given = sha256(token)
  let found: Workspace | undefined
  for (const workspace of workspaces) {
    for (const { sha256: expected } of workspace.accessTokens) {
      const bytes = Buffer.from(expected, 'hex')
      if (bytes.length === given.length && timingSafeEqual(bytes, given)) found = workspace
    }
  }
  return found
}
