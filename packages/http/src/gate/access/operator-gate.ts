import { systemClock, type Workspace } from '@sluice/core'
import type { Static, TObject } from 'typebox'
import { type ApiErrorCode, apiError } from '../../routing/api-errors.ts'
import type { Route, RouteDescription } from '../../routing/route.ts'
import { createValidator } from '../../routing/validator.ts'
import { type Answer, problem, scopeMissing, send, unauthorized } from '../answer.ts'
import { enterCall } from '../enter-call.ts'
import { gateErrors, merged, problemResponses } from '../problem-responses.ts'
import { type AccessAttempts, createAccessAttempts } from './access-attempts.ts'
import { parseAuthorization } from './authorization.ts'
import type { PageSessions } from './page-sessions.ts'
import { isSameSecret } from './same-secret.ts'

/** Admin credentials of the data plane. They give access to every workspace it serves. */
export interface AdminCredentials {
  readonly user: string
  readonly password: string
}

/** Validated request of a route for operators. */
export interface OperatorCall<Q extends TObject> {
  /** The token's workspace. With admin credentials all workspaces, or the requested one. Do not access any other. */
  readonly workspaces: readonly Workspace[]
  /** Whether the operator asks about the whole server: with admin credentials, and no workspace named. */
  readonly isOfServer: boolean
  readonly query: Static<Q>
  param(name: string): string
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
}

export interface OperatorRouteOptions<Q extends TObject>
  extends Pick<RouteDescription, 'path' | 'operationId' | 'summary' | 'responses'> {
  /** With admin credentials, `workspaceId` selects one of several workspaces. */
  readonly query: Q
  /** Error codes of the handler itself; those of the gate are added. */
  readonly errors: readonly ApiErrorCode[]
  handle(call: OperatorCall<Q>): Answer | Response | Promise<Answer | Response>
}

/** Creates a GET route that accepts access tokens with the scope `operate` and admin credentials. */
export type OperatorGate = <Q extends TObject>(options: OperatorRouteOptions<Q>) => Route

export interface OperatorGateOptions {
  readonly workspaces: () => readonly Workspace[]
  /** See `TokenGateOptions.attempts`. */
  readonly attempts?: AccessAttempts
  /** Sessions of the page, which are accepted in place of a token. Default: none. */
  readonly sessions?: Pick<PageSessions, 'find'>
  /** Without them, only access tokens are accepted. */
  readonly admin?: AdminCredentials
}

export function createOperatorGate({
  workspaces,
  attempts = createAccessAttempts({ clock: systemClock }),
  sessions,
  admin,
}: OperatorGateOptions): OperatorGate {
  const isAdmin = (header: string | undefined): boolean => {
    const given = parseAuthorization(header)
    if (!admin?.user || !admin.password || !given) return false
    const isUser = isSameSecret(given.user, admin.user)
    return isSameSecret(given.secret, admin.password) && isUser
  }
  return ({ handle, errors, ...description }) => {
    const validate = createValidator(description.query, 'query')
    const codes = [...errors, 'workspaceUnknown' as const, ...gateErrors(false, true)]
    return {
      ...description,
      method: 'get',
      area: 'Operations',
      credential: 'token-or-admin',
      scopes: ['operate'],
      responses: merged(description.responses, problemResponses(codes)),
      handle: async (context) => {
        const attempt = await enterCall(context, { workspaces, attempts, sessions }, (header) =>
          isAdmin(header) ? ('admin' as const) : undefined,
        )
        if (!attempt.ok) return unauthorized(context, attempt.retryAfterSeconds)
        const entered = attempt.entered === 'admin' ? undefined : attempt.entered
        const answered = async (): Promise<Answer | Response> => {
          if (entered && !entered.token.scopes.includes('operate')) return scopeMissing('operate')
          const parsed = validate(context.req.query())
          if (!parsed.ok) return problem(parsed.problem.code, parsed.problem.message)
          const seen = entered ? [entered.workspace] : workspaces()
          const named = context.req.query('workspaceId')
          const chosen = named === undefined ? seen : seen.filter(({ id }) => id === named)
          if (chosen.length === 0) return problem('workspaceUnknown', apiError('workspaceUnknown').summary)
          return handle({
            workspaces: chosen,
            isOfServer: entered === undefined && named === undefined,
            query: parsed.value,
            param: (name) => context.req.param(name) ?? '',
            signal: context.req.raw.signal,
          })
        }
        const result = await answered()
        if (!(result instanceof Response)) return send(context, result)
        // A HEAD response has no reader that would end the stream.
        if (context.req.method === 'HEAD') await result.body?.cancel()
        return result
      },
    }
  }
}
