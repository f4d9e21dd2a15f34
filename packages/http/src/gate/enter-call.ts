import type { Workspace } from '@sluice/core'
import type { Context } from 'hono'
import type { AccessAttempts, Attempt } from './access/access-attempts.ts'
import { type Access, authenticate } from './access/authenticate.ts'
import { parseAuthorization } from './access/authorization.ts'
import type { PageSessions } from './access/page-sessions.ts'

interface EnterCallOptions {
  readonly workspaces: () => readonly Workspace[]
  readonly attempts: AccessAttempts
  readonly sessions?: Pick<PageSessions, 'find'> | undefined
}

/**
 * Lets a request in by its access token or, without the header `Authorization`, by its session of the page.
 *
 * @param otherwise returns whom else the header belongs to, such as an operator. Default: no one.
 */
export async function enterCall<Other = never>(
  context: Context,
  { workspaces, attempts, sessions }: EnterCallOptions,
  otherwise: (header: string | undefined) => Other | undefined = () => undefined,
): Promise<Attempt<Access | Other>> {
  const header = context.req.header('authorization')
  const access = header === undefined ? await sessions?.find(context, workspaces()) : undefined
  if (access) return { ok: true, entered: access }
  const user = parseAuthorization(header)?.user ?? ''
  return attempts.enter<Access | Other>(context, user, () => authenticate(header, workspaces()) ?? otherwise(header))
}
