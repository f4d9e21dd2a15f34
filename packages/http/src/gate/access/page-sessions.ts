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
/** How long the page can say that a code was used or has expired, in milliseconds. */
const codeKnownMs = 24 * 3_600_000
/** Who is signed in: through an access token, or as the operator with the link that the server printed. */
export type PageVisitor =
  | { readonly kind: 'token'; readonly workspaceId: string; readonly token: AccessToken }
  | { readonly kind: 'operator'; readonly workspaceId: string }

/** Who is signed in, and until when. */
export interface OpenSession {
  readonly visitor: PageVisitor
  /** Milliseconds since the epoch. */
  readonly endsAt: number
}

/** What became of a code. `unknown` was never issued, or longer than a day ago. */
export type CodeState = 'valid' | 'used' | 'expired' | 'unknown'

export interface PageSessionsOptions {
  readonly clock: Pick<Clock, 'now'>
  /** Has sessions and codes by the hash of their secrets. */
  readonly store: SessionStore
}

/** Sessions of the page. They are valid in all processes that share the store. Any function rejects when it cannot be used. */
export interface PageSessions {
  /** Returns a code that opens one operator session. */
  issueCode(): Promise<string>
  /** Returns whether a code is valid, and if not, why. */
  stateOf(code: string): Promise<CodeState>
  /** Uses a code. @returns what it was before: `valid` for one caller only. */
  redeemCode(code: string): Promise<CodeState>
  /** Starts a session. @returns it, with its id, a secret for the cookie. */
  open(visitor: PageVisitor): Promise<OpenSession & { readonly id: string }>
  /** Returns the access that a visitor has now; undefined when the token was revoked, or the workspace is gone. */
  accessOf(visitor: PageVisitor, workspaces: readonly Workspace[]): Access | undefined
  /** Returns the access of a request of the page; undefined without a session, or when its token was revoked. */
  find(context: Context, workspaces: readonly Workspace[]): Promise<Access | undefined>
  /** Returns who is signed in. */
  session(context: Context): Promise<OpenSession | undefined>
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
  const session = async (context: Context): Promise<OpenSession | undefined> => {
    const id = getCookie(context, cookieName)
    const found = id === undefined ? undefined : await store.find(sessionKey(id))
    return isValid(found) ? { visitor: JSON.parse(found.text) as PageVisitor, endsAt: found.endsAt } : undefined
  }
  const stateOfStored = (stored: StoredSession | undefined): CodeState => {
    if (!isValid(stored)) return 'unknown'
    const { validUntil } = JSON.parse(stored.text) as StoredCode
    return validUntil === undefined ? 'used' : clock.now() < validUntil ? 'valid' : 'expired'
  }
  const stateOf = async (code: string): Promise<CodeState> => stateOfStored(await store.find(keyOf('code', code)))
  return {
    issueCode: async () => {
      const code = newSecret()
      const text = JSON.stringify({ validUntil: clock.now() + codeMs } satisfies StoredCode)
      await store.put(keyOf('code', code), { text, endsAt: clock.now() + codeKnownMs })
      return code
    },
    stateOf,
    redeemCode: async (code) => {
      const key = keyOf('code', code)
      // What is not valid stays, so that the next one also learns why.
      if ((await stateOf(code)) !== 'valid') return stateOf(code)
      const taken = await store.take(key)
      // Another one was faster, and has taken it, or already marked it.
      if (taken === undefined) return 'used'
      await store.put(key, { text: JSON.stringify({} satisfies StoredCode), endsAt: taken.endsAt })
      return stateOfStored(taken)
    },
    open: async (visitor) => {
      const id = `${ownerOf(visitor)}.${newSecret()}`
      const endsAt = clock.now() + sessionMs
      await store.put(sessionKey(id), { text: JSON.stringify(visitor), endsAt })
      return { visitor, endsAt, id }
    },
    accessOf,
    find: async (context, workspaces) => {
      const found = isOfPage(context) ? await session(context) : undefined
      return found && accessOf(found.visitor, workspaces)
    },
    session,
    close: async (context) => {
      const id = getCookie(context, cookieName)
      if (id !== undefined) await store.take(sessionKey(id))
    },
  }
}

/** A code as it is stored, by its hash. */
interface StoredCode {
  /** Milliseconds since the epoch; left out once the code was used. */
  readonly validUntil?: number
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
