import { signal } from '@preact/signals'
import { ApiError, request, whenSignedOut } from './request.ts'

interface Named {
  readonly id: string
  readonly name: string
}

/** Who is signed in. */
export interface Visitor {
  readonly kind: 'token' | 'operator'
  readonly name: string
  readonly scopes: readonly string[]
  readonly workspace: Named
  readonly workspaces: readonly Named[]
  /** When the session ends by itself. */
  readonly endsAt: string
  /** Whether the server serves the playground. */
  readonly hasPlayground: boolean
}

/** Why the link that one came with did not sign in; undefined when it did, and without a link. */
export const linkProblem = signal<ApiError | undefined>(undefined)

/** `undefined` while it is not known yet, `null` without a session. */
export const visitor = signal<Visitor | null | undefined>(undefined)

whenSignedOut(() => {
  visitor.value = null
})

/** Signs in with the code of the link, if the address has one, and finds out who is signed in. */
export async function startSession(): Promise<void> {
  const [, code] = /^#code=([\w-]+)$/.exec(location.hash) ?? []
  if (code !== undefined) {
    // Out of the address first, so that it gets into no history or screenshot.
    history.replaceState(null, '', location.pathname + location.search)
    await openSession({ code }).catch((error: unknown) => {
      if (error instanceof ApiError) linkProblem.value = error
    })
    if (visitor.value) return
  }
  try {
    visitor.value = await request<Visitor>('/studio/session')
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    visitor.value = null
  }
}

/** @throws ApiError when the token or code is wrong, or was tried too often. */
export async function openSession(login: { readonly code: string } | { readonly token: string }): Promise<void> {
  visitor.value = await request<Visitor>('/studio/session', { method: 'POST', body: login })
}

export async function signOut(): Promise<void> {
  await request('/studio/session', { method: 'DELETE' })
  visitor.value = null
}

export async function switchWorkspace(workspaceId: string): Promise<void> {
  await request('/studio/session', { method: 'POST', body: { workspaceId } })
  location.assign('/studio/')
}

/** Whether the visitor may do what needs a scope. */
export function allows(scope: string): boolean {
  return visitor.value?.scopes.includes(scope) ?? false
}
