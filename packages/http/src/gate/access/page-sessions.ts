import { randomBytes } from 'node:crypto'
import { type AccessToken, adminScopes, type Clock, type Workspace } from '@sluice/core'
import type { SessionStore, StoredSession } from '@sluice/pipeline'
import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import type { Access } from './authenticate.ts'
import { isOfPage } from './is-of-page.ts'
import { sha256 } from './same-secret.ts'

/** How long a session lasts, in milliseconds: a working day. */
const sessionMs = 12 * 3_600_000
/** How long the code of a link is valid, in milliseconds. It works once. */
const codeMs = 10 * 60_000
/** Who is signed in: through an access token, or as the operator with the link that the server printed. */
export type PageVisitor =
  | { readonly kind: 'token'; readonly workspaceId: string; readonly token: AccessToken }
  | { readonly kind: 'operator'; readonly workspaceId: string }

export interface PageSessionsOptions {
  readonly clock: Pick<Clock, 'now'>
  /** Has sessions and codes by the hash of their secrets. */
  readonly store: SessionStore
}

/** Sessions of the page. They are valid in all processes that share the store. Any function rejects when it cannot be used. */
export interface PageSessions {
  /** Returns a code that opens one operator session. */
  issueCode(): Promise<string>
  /** Returns whether a code is valid, and has not been redeemed. */
  hasCode(code: string): Promise<boolean>
  /** Makes a code invalid. @returns whether it was valid: true for one caller only. */
  redeemCode(code: string): Promise<boolean>
  /** Starts a session. @returns its id, a secret for the cookie. */
  open(visitor: PageVisitor): Promise<string>
  /** Returns the access that a visitor has now; undefined when the token was revoked, or the workspace is gone. */
  accessOf(visitor: PageVisitor, workspaces: readonly Workspace[]): Access | undefined
  /** Returns the access of a request of the page; undefined without a session, or when its token was revoked. */
  find(context: Context, workspaces: readonly Workspace[]): Promise<Access | undefined>
  /** Returns who is signed in. */
  visitor(context: Context): Promise<PageVisitor | undefined>
  close(context: Context): Promise<void>
}

const cookieName = 'sluice_studio'

export function createPageSessions({ clock, store }: PageSessionsOptions): PageSessions {
  // By hash, so that looking one up takes the same time whatever is given, and the store opens no session.
  const keyOf = (owner: string, secret: string): string => `${owner} ${sha256(secret).toString('base64')}`
  /** An id of a session begins with its owner. */
  const sessionKey = (id: string): string => keyOf(id.split('.', 1)[0] ?? '', id)
  const newSecret = (): string => randomBytes(32).toString('base64url')
  const isValid = (session: StoredSession | undefined): session is StoredSession =>
    session !== undefined && clock.now() < session.endsAt
  const visitor = async (context: Context): Promise<PageVisitor | undefined> => {
    const id = getCookie(context, cookieName)
    const session = id === undefined ? undefined : await store.find(sessionKey(id))
    return isValid(session) ? (JSON.parse(session.text) as PageVisitor) : undefined
  }
  return {
    issueCode: async () => {
      const code = newSecret()
      await store.put(keyOf('code', code), { text: '{}', endsAt: clock.now() + codeMs })
      return code
    },
    hasCode: async (code) => isValid(await store.find(keyOf('code', code))),
    redeemCode: async (code) => isValid(await store.take(keyOf('code', code))),
    open: async (visitor) => {
      const id = `${ownerOf(visitor)}.${newSecret()}`
      await store.put(sessionKey(id), { text: JSON.stringify(visitor), endsAt: clock.now() + sessionMs })
      return id
    },
    accessOf,
    find: async (context, workspaces) => {
      const found = isOfPage(context) ? await visitor(context) : undefined
      return found && accessOf(found, workspaces)
    },
    visitor,
    close: async (context) => {
      const id = getCookie(context, cookieName)
      if (id !== undefined) await store.take(sessionKey(id))
    },
  }
}

/** Returns whose share of all sessions a session takes: that of its workspace, or of the operators. */
function ownerOf({ kind, workspaceId }: PageVisitor): string {
  return kind === 'operator' ? 'operator' : `w-${sha256(workspaceId).toString('hex').slice(0, 16)}`
}

function accessOf(visitor: PageVisitor, workspaces: readonly Workspace[]): Access | undefined {
  const workspace = workspaces.find(({ id }) => id === visitor.workspaceId)
  if (workspace === undefined) return undefined
  if (visitor.kind === 'operator') return { workspace, token: operatorToken, user: '' }
  // As it is now: its scopes may have changed, and it may be gone.
  const token = workspace.accessTokens.find(({ sha256 }) => sha256 === visitor.token.sha256)
  return token && { workspace, token, user: '' }
}

/** Returns the cookie of a session. @param id undefined removes it. */
export function sessionCookie(id: string | undefined, isSecure: boolean): string {
  const age = id === undefined ? 0 : sessionMs / 1_000
  return `${cookieName}=${id ?? ''}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${age}${isSecure ? '; Secure' : ''}`
}

/** The operator may do everything, as with access to the workspace file. */
const operatorToken: AccessToken = { name: 'studio', scopes: adminScopes, sha256: '' }
