import { randomBytes } from 'node:crypto'
import { type AccessToken, accessScopes, type Clock, type Workspace } from '@sluice/core'
import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { LRUCache } from '#inlined/lru-cache'
import type { Access } from './authenticate.ts'
import { isOfPage } from './is-of-page.ts'
import { sha256 } from './same-secret.ts'

/** How long a session lasts, in milliseconds: a working day. */
export const sessionMs = 12 * 3_600_000
/** How long the code of a link is valid, in milliseconds. It works once. */
const codeMs = 10 * 60_000
/** More people than that do not look at one process; the least recently used session ends then. */
const sessionsMax = 1_000
const codesMax = 100

/** Who is signed in: through an access token, or as the operator with the link that the server printed. */
export type PageVisitor =
  | { readonly kind: 'token'; readonly workspaceId: string; readonly token: AccessToken }
  | { readonly kind: 'operator'; readonly workspaceId: string }

interface Session {
  readonly visitor: PageVisitor
  readonly endsAt: number
}

/**
 * Where sessions outlive the process. The text has no secret that opens a session: cookies and tokens are in it by hash
 * only. Neither function may throw.
 */
export interface SessionKeep {
  /** Returns the text that was written last; undefined when there is none. */
  read(): string | undefined
  write(text: string): void
}

export interface PageSessionsOptions {
  readonly clock: Pick<Clock, 'now'>
  /** Default none: sessions end with the process. */
  readonly keep?: SessionKeep
}

/** Sessions of the page. */
export interface PageSessions {
  /** Returns a code that opens one operator session. */
  issueCode(): string
  /** Returns whether a code is valid, and makes it invalid. */
  redeemCode(code: string): boolean
  /** Starts a session. @returns its id, a secret for the cookie. */
  open(visitor: PageVisitor): string
  /** Returns the access of a request of the page; undefined without a session, or when its token was revoked. */
  find(context: Context, workspaces: readonly Workspace[]): Access | undefined
  /** Returns who is signed in. */
  visitor(context: Context): PageVisitor | undefined
  close(context: Context): void
}

const cookieName = 'sluice_studio'

export function createPageSessions({ clock, keep }: PageSessionsOptions): PageSessions {
  // By hash, so that looking one up takes the same time whatever is given.
  const sessions = new LRUCache<string, Session>({ max: sessionsMax })
  for (const [key, session] of keptSessions(keep?.read(), clock.now())) sessions.set(key, session)
  const write = (): void => keep?.write(JSON.stringify([...sessions.entries()].reverse()))
  const codes = new LRUCache<string, number>({ max: codesMax })
  const keyOf = (secret: string): string => sha256(secret).toString('base64')
  const newSecret = (): string => randomBytes(32).toString('base64url')
  const visitor = (context: Context): PageVisitor | undefined => {
    const id = getCookie(context, cookieName)
    const session = id === undefined ? undefined : sessions.get(keyOf(id))
    return session && clock.now() < session.endsAt ? session.visitor : undefined
  }
  return {
    issueCode: () => {
      const code = newSecret()
      codes.set(keyOf(code), clock.now() + codeMs)
      return code
    },
    redeemCode: (code) => {
      const endsAt = codes.get(keyOf(code))
      codes.delete(keyOf(code))
      return endsAt !== undefined && clock.now() < endsAt
    },
    open: (visitor) => {
      const id = newSecret()
      sessions.set(keyOf(id), { visitor, endsAt: clock.now() + sessionMs })
      write()
      return id
    },
    find: (context, workspaces) => {
      if (!isOfPage(context)) return undefined
      const found = visitor(context)
      const workspace = workspaces.find(({ id }) => id === found?.workspaceId)
      if (found === undefined || workspace === undefined) return undefined
      if (found.kind === 'operator') return { workspace, token: operatorToken, user: '' }
      // As it is now: its scopes may have changed, and it may be gone.
      const token = workspace.accessTokens.find(({ sha256 }) => sha256 === found.token.sha256)
      return token && { workspace, token, user: '' }
    },
    visitor,
    close: (context) => {
      const id = getCookie(context, cookieName)
      if (id !== undefined && sessions.delete(keyOf(id))) write()
    },
  }
}

/** Parses kept sessions, the least recently used first. What is not a session any more, or never was, is left out. */
function keptSessions(text: string | undefined, now: number): readonly (readonly [string, Session])[] {
  try {
    const kept: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(kept) ? kept.filter((entry) => isKept(entry, now)) : []
  } catch {
    return []
  }
}

function isKept(entry: unknown, now: number): boolean {
  if (!Array.isArray(entry)) return false
  const [key, session] = entry
  const { visitor, endsAt } = Object(session)
  const { kind, workspaceId, token } = Object(visitor)
  const isWhole = kind === 'operator' || (kind === 'token' && typeof Object(token).sha256 === 'string')
  return (
    typeof key === 'string' && typeof endsAt === 'number' && endsAt > now && typeof workspaceId === 'string' && isWhole
  )
}

/** Returns the cookie of a session. @param id undefined removes it. */
export function sessionCookie(id: string | undefined, isSecure: boolean): string {
  const age = id === undefined ? 0 : sessionMs / 1_000
  return `${cookieName}=${id ?? ''}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${age}${isSecure ? '; Secure' : ''}`
}

/** The operator may do everything, as with access to the workspace file. */
const operatorToken: AccessToken = { name: 'studio', scopes: accessScopes, sha256: '' }
