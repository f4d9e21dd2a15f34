import { systemClock, type Workspace } from '@sluice/core'
import type { Static, TObject } from 'typebox'
import { type ApiErrorCode, apiError } from '../routing/api-errors.ts'
import type { Route, RouteDescription } from '../routing/route.ts'
import { createValidator } from '../routing/validation.ts'
import { type AccessAttempts, createAccessAttempts } from './access-attempts.ts'
import { parseAuthorization } from './authorization.ts'
import { isSameSecret } from './same-secret.ts'
import {
  type Answer,
  gateErrors,
  merged,
  problem,
  problemResponses,
  scopeMissing,
  send,
  unauthorized,
} from './token-gate.ts'
import { authenticate } from './workspace-access.ts'

/** Of the whole data plane: they open every workspace it serves. */
export interface AdminCredentials {
  readonly user: string
  readonly password: string
}

/** What a handler is given that looks into running workspaces: everything is validated. */
export interface OperatorCall<Q extends TObject> {
  /** That of the token; for admin credentials all, or the one that was named. A handler must look at no other. */
  readonly workspaces: readonly Workspace[]
  readonly query: Static<Q>
  param(name: string): string
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal
}

export interface OperatorRouteOptions<Q extends TObject>
  extends Pick<RouteDescription, 'path' | 'operationId' | 'summary' | 'responses'> {
  /** `workspaceId` is what admin credentials name one of several workspaces by. */
  readonly query: Q
  /** The codes the handler itself answers; those of the gate come by themselves. */
  readonly errors: readonly ApiErrorCode[]
  handle(call: OperatorCall<Q>): Answer | Response | Promise<Answer | Response>
}

/** Makes the route of a GET that an access token with the scope `operate` opens, and so do admin credentials. */
export type OperatorGate = <Q extends TObject>(options: OperatorRouteOptions<Q>) => Route

export interface OperatorGateOptions {
  readonly workspaces: () => readonly Workspace[]
  /** As `TokenGateOptions.attempts`. */
  readonly attempts?: AccessAttempts
  /** Left out, only tokens open anything. */
  readonly admin?: AdminCredentials
}

export function createOperatorGate({
  workspaces,
  attempts = createAccessAttempts({ clock: systemClock }),
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
        const header = context.req.header('authorization')
        const user = parseAuthorization(header)?.user ?? ''
        const attempt = attempts.enter(
          context,
          user,
          () => authenticate(header, workspaces()) ?? (isAdmin(header) ? 'admin' : undefined),
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
            query: parsed.value,
            param: (name) => context.req.param(name) ?? '',
            signal: context.req.raw.signal,
          })
        }
        const result = await answered()
        if (!(result instanceof Response)) return send(context, result)
        // Nobody will read it, so nobody would end it.
        if (context.req.method === 'HEAD') await result.body?.cancel()
        return result
      },
    }
  }
}
