import type { AccessScope, Clock, Workspace } from '@sluice/core'
import type { AuditLog } from '@sluice/pipeline'
import type { Context } from 'hono'
import Type, { type Static, type TObject } from 'typebox'
import { type ApiErrorCode, apiError } from '../../routing/api-errors.ts'
import { closedBody } from '../../routing/closed-body.ts'
import type { Route, RouteDescription } from '../../routing/route.ts'
import { createValidator } from '../../routing/validator.ts'
import { type Answer, problem, scopeMissing, send, unauthorized } from '../answer.ts'
import { defaultPace, readBody } from '../body/body.ts'
import { BodyBudget } from '../body/body-budget.ts'
import { parseJson } from '../body/parse-json.ts'
import { notJsonText, reasonNotJson } from '../body/reason-not-json.ts'
import { enterCall } from '../enter-call.ts'
import { gateErrors, merged, problemResponses } from '../problem-responses.ts'
import { type AccessAttempts, createAccessAttempts } from './access-attempts.ts'
import type { Access } from './authenticate.ts'
import { asCaller } from './caller.ts'
import { isForeign } from './is-foreign.ts'
import { isPrivate } from './is-private.ts'
import type { PageSessions } from './page-sessions.ts'

/** Far above what any route accepts: its schema says more clearly what is wrong. Such a body is parsed in 0.1 s. */
const jsonLimits = { valuesMax: 1_500_000, depthMax: 150_000, keysMax: 20_000 }

/** Validated request of a route behind an access token. */
export interface Call<Q extends TObject, B extends TObject> {
  /** Workspace of the token. Do not access any other. */
  readonly workspace: Workspace
  readonly query: Static<Q>
  readonly body: Static<B>
  /** The body as it was sent, not compressed; empty when there was none, or the route has none. */
  readonly bytes: Uint8Array
  /** Returns a path parameter, such as `id` of `/things/{id}`. */
  param(name: string): string
  /** Returns a header of the request; undefined when it was not sent. */
  header(name: string): string | undefined
  /** Scheme, host and port as the client addressed the server. */
  readonly origin: string
  /** Whether the answer travels over TLS, or to a process of the same machine. */
  readonly isPrivate: boolean
  /** Returns whether the token has a scope in addition to those the route requires. */
  allows(scope: AccessScope): boolean
}

export interface TokenRouteOptions<Q extends TObject, B extends TObject>
  extends Pick<RouteDescription, 'method' | 'path' | 'operationId' | 'summary' | 'area' | 'headers' | 'responses'> {
  readonly scopes: readonly AccessScope[]
  readonly query?: Q
  readonly body?: B
  /** Limit of the body, where it is smaller than that of all routes. Default: that of all routes. */
  readonly bodyBytesMax?: number
  /** Error codes of the handler itself; those of the gate are added. */
  readonly errors: readonly ApiErrorCode[]
  /**
   * Returns whether the call shows personal data unmasked; default none does. Such a call needs the scope `write`, too,
   * and is written to the audit log, also when it is a GET.
   */
  reveals?(query: Static<Q>): boolean
  handle(call: Call<Q, B>): Answer | Promise<Answer>
}

/** Creates routes that require an access token. All areas of a process share one gate. */
export interface TokenGate {
  route<Q extends TObject = typeof nothing, B extends TObject = typeof nothing>(options: TokenRouteOptions<Q, B>): Route
}

export interface TokenGateOptions {
  readonly workspaces: () => readonly Workspace[]
  readonly audit: Pick<AuditLog, 'add'>
  readonly clock: Clock
  /** Slows down guessing. Share one among all gates and areas. Default: a separate one. */
  readonly attempts?: AccessAttempts
  /** Sessions of the page, which are accepted in place of a token. Default: none. */
  readonly sessions?: Pick<PageSessions, 'find'>
  /** Limit of a request body, decompressed; default 8 MiB: code of 1 MB, escaped, and its test input. */
  readonly bodyBytesMax?: number
  /**
   * Limit of all bodies that are being read at the same time, counting received bytes. Default 64 MiB. Beyond it,
   * bodies of the workspace that holds most are refused with 503.
   */
  readonly bodiesBytesMax?: number
  /** Called when the audit log fails. The request is still answered. */
  onError?(error: unknown): void
}

const nothing = Type.Object({})
const noBytes = new Uint8Array()

interface ReceivedBody {
  readonly value: unknown
  readonly bytes: Uint8Array
}

/** Uncovers what is masked for others: write keys, and personal data. Source: packages/docs/api/access.md#scopes. */
const revealScope: AccessScope = 'write'

const userLengthMax = 200

const pathLengthMax = 1_000

/**
 * Creates a gate. It authenticates each request, checks the scopes of its token and the schemas of its route, and
 * writes every request that is not a GET to the audit log, and GETs that reveal personal data or secrets, with the user name that was
 * sent.
 *
 * Source: packages/docs/api/access.md#credentials.
 */
export function createTokenGate(options: TokenGateOptions): TokenGate {
  const {
    workspaces,
    audit,
    clock,
    attempts = createAccessAttempts({ clock }),
    sessions,
    bodyBytesMax = 8 * 1_024 * 1_024,
    onError,
  } = options
  const bodies = new BodyBudget(options.bodiesBytesMax ?? 64 * 1_024 * 1_024)
  const bodyOf = async (
    { req, env }: Context,
    workspaceId: string,
    bytesMax: number,
  ): Promise<ReceivedBody | Answer> => {
    const limits = { bytesMax, ...defaultPace }
    const open = bodies.open(workspaceId)
    const read = await readBody(req.raw, env, limits, open).finally(() => open.close())
    if (!read.ok) {
      // A missing body counts as an empty object, so that the error names the missing members.
      if (read.code === 'bodyMissing') return { value: {}, bytes: noBytes }
      const why = read.detail === undefined ? `${bytesMax} bytes are allowed.` : `The ${read.detail}.`
      return problem(read.code, `${apiError(read.code).summary} ${why}`)
    }
    const parsed = parseJson(read.bytes, jsonLimits)
    if (parsed.ok) return { value: parsed.value, bytes: read.bytes }
    if (parsed.code === 'bodyTooLarge') return problem(parsed.code, `The body has ${parsed.detail}.`)
    if (parsed.code === 'bodyTooDeep') return problem('bodyInvalidJson', `the body is ${parsed.detail}`)
    const reason = reasonNotJson(req.raw.headers, read.bytes)
    return problem(reason, notJsonText(reason, req.raw.headers))
  }

  return {
    route: ({ handle, errors, reveals, bodyBytesMax: ofRoute = bodyBytesMax, ...description }) => {
      const { method, scopes, body, query } = description
      const validateQuery = createValidator(query, 'query')
      const validateBody = createValidator(body, 'body')
      const documented = body ? { body: closedBody(body) } : {}
      const codes = [...errors, ...gateErrors(body !== undefined, query !== undefined)]

      const respond = async (context: Context, entered: Access): Promise<Answer> => {
        const lacking = scopes.find((scope) => !entered.token.scopes.includes(scope))
        if (lacking) return scopeMissing(lacking)
        const parsedQuery = validateQuery(context.req.query())
        if (!parsedQuery.ok) return problem(parsedQuery.problem.code, parsedQuery.problem.message)
        if (reveals?.(parsedQuery.value) && !entered.token.scopes.includes(revealScope))
          return scopeMissing(revealScope)
        const given = body
          ? await bodyOf(context, entered.workspace.id, Math.min(ofRoute, bodyBytesMax))
          : { value: {}, bytes: noBytes }
        if ('status' in given) return given
        const parsedBody = validateBody(given.value)
        if (!parsedBody.ok) return problem(parsedBody.problem.code, parsedBody.problem.message)
        return handle({
          workspace: entered.workspace,
          query: parsedQuery.value,
          body: parsedBody.value,
          bytes: given.bytes,
          param: (name) => context.req.param(name) ?? '',
          header: (name) => context.req.header(name),
          origin: new URL(context.req.url).origin,
          isPrivate: isPrivate(context),
          allows: (scope) => entered.token.scopes.includes(scope),
        })
      }

      return {
        ...description,
        ...documented,
        credential: 'token',
        responses: merged(description.responses, problemResponses(codes)),
        handle: async (context) => {
          if (isForeign(context)) return send(context, problem('originForeign', apiError('originForeign').summary))
          const attempt = await enterCall(context, { workspaces, attempts, sessions })
          if (!attempt.ok) return unauthorized(context, attempt.retryAfterSeconds)
          const { entered } = attempt
          const { token: usedToken, user: sentUser } = entered
          const caller = {
            who: cut(sentUser, userLengthMax) || usedToken.name,
            call: `${context.req.method} ${cut(context.req.path, pathLengthMax)}`,
          }
          const work = (): Promise<Answer> => respond(context, entered)
          const answered = await (method === 'get' ? work() : asCaller(caller, work))
          const { status } = answered
          const parsedQuery = reveals && validateQuery(context.req.query())
          const audited = 'audited' in answered ? answered.audited : undefined
          if (method !== 'get' || audited !== undefined || (parsedQuery?.ok && reveals?.(parsedQuery.value))) {
            const { workspace, token, user } = entered
            const what = audited === undefined ? '' : ` (${audited})`
            // What only checks must not look like a change.
            const isCheck = query?.properties['validate'] !== undefined && context.req.query('validate') === 'true'
            const entry = {
              workspaceId: workspace.id,
              token: token.name,
              user: cut(user, userLengthMax),
              method: context.req.method,
              path: cut(`${context.req.path}${isCheck ? '?validate=true' : ''}${what}`, pathLengthMax),
              status,
              at: clock.now(),
            }
            await audit.add(entry).catch((error) => onError?.(error))
          }
          return send(context, answered)
        },
      }
    },
  }
}

/** Cuts first. Half of a surrogate pair left by the cut is then replaced, so that every store can keep the text. */
function cut(text: string, lengthMax: number): string {
  return Buffer.from(text.slice(0, lengthMax)).toString()
}
