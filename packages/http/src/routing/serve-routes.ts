import { SandboxBusyError, StoreFullError } from '@sluice/core'
import { UnknownOutcomeError } from '@sluice/pipeline'
import { type Context, Hono } from 'hono'
import { getPathNoStrict } from 'hono/utils/url'
import { type ApiErrorCode, apiError } from './api-errors.ts'
import { errorBody } from './error-body.ts'
import type { RouteDescription } from './route.ts'
import { withSafeHeaders } from './safe-headers.ts'
import { unknownOutcome } from './unknown-outcome.ts'

/** Answers HTTP requests in terms of the Fetch standard. */
export interface FetchHandler {
  fetch(request: Request, env?: unknown): Response | Promise<Response>
}

/** Routes to serve, with the app that handles them. */
export interface ServedRoutes {
  readonly app: Hono
  readonly routes: readonly Pick<RouteDescription, 'method' | 'path'>[]
}

/**
 * Creates one handler for the routes of several areas. It holds what all paths of a port have in common, whatever area
 * they belong to:
 *
 * - A trailing slash makes no difference, nor do several in front: clients add paths to an address that ends with one.
 * - An unknown path is 404, a method that no route has is 405 with `Allow`. OPTIONS is answered with `Allow`. A fixed path
 *   has only its own methods, not those of a path with a parameter that it would fit.
 * - An error that a handler did not expect is 500. The sandbox having no room is 503; so is a write that may be stored, with
 *   `Sluice-Outcome: unknown`.
 * - No answer may be cached, and no browser may guess its type.
 *
 * Errors are `{message, code, error}`; `error` has the same text, for clients that read only that. Nothing of this costs a request that has a route more than two headers.
 *
 * @param options.onError called with errors that handlers did not expect. Without it, `fetch` rejects with them.
 */
export function serveRoutes(
  parts: readonly ServedRoutes[],
  { onError }: { onError?(error: unknown): void } = {},
): FetchHandler {
  const app = new Hono({ getPath: (request) => getPathNoStrict(request).replace(/^\/{2,}/, '/') })
  const routes = parts.flatMap((part) => part.routes)
  // First: a route with a parameter would match these fixed paths.
  for (const [path, methods] of foreignMethods(routes)) app.on(methods, path, (c) => answerWithoutRoute(c, routes))
  for (const part of parts) app.route('/', part.app)
  app.notFound((c) => answerWithoutRoute(c, routes))
  app.onError((error, c) => {
    if (error instanceof SandboxBusyError) {
      c.header('Retry-After', '5')
      return refused(c, 'unavailable', error.message)
    }
    if (error instanceof StoreFullError) {
      c.header('Retry-After', '5')
      return refused(c, 'unavailable', `nothing was stored: ${error.message}`)
    }
    if (error instanceof UnknownOutcomeError) {
      onError?.(error)
      c.header('Retry-After', '5')
      c.header(...unknownOutcome)
      return refused(c, 'unavailable', error.message)
    }
    if (onError === undefined) throw error
    onError(error)
    return refused(c, 'internal', 'internal error')
  })
  return { fetch: async (request, env) => withSafeHeaders(await app.fetch(request, env as object | undefined)) }
}

/** Characters of a path that an error shows. */
const shownPathMax = 200

function answerWithoutRoute(c: Context, routes: ServedRoutes['routes']): Response {
  const { method, path } = c.req
  const own = routes.filter((route) => route.path === path)
  const found = own.length > 0 ? own : routes.filter((route) => hasPath(route.path, path))
  const methods = new Set(found.map((route) => route.method))
  const shown = path.slice(0, shownPathMax)
  if (methods.size === 0) {
    const isListed = routes.some((route) => route.path === '/openapi.json')
    const where = isListed ? '; GET /openapi.json lists all routes' : ''
    return refused(c, 'notFound', `there is nothing at ${method} ${shown}${where}`)
  }
  const allowed = [...methods, ...(methods.has('get') ? ['head'] : []), 'options'].map((each) => each.toUpperCase())
  c.header('Allow', allowed.join(', '))
  if (method === 'OPTIONS') return c.body(null, 204)
  return refused(c, 'methodNotAllowed', `${method} is not possible at ${shown}; allowed are: ${allowed.join(', ')}`)
}

function refused(c: Context, code: ApiErrorCode, message: string): Response {
  return c.json(errorBody(code, message), apiError(code).status)
}

/** Returns the methods by fixed path that only routes with a parameter in its place have. */
function foreignMethods(routes: ServedRoutes['routes']): ReadonlyMap<string, string[]> {
  const withParameter = routes.filter(({ path }) => path.includes('{'))
  const fixed = new Set(routes.filter(({ path }) => !path.includes('{')).map(({ path }) => path))
  const found = [...fixed].map((path): [string, string[]] => {
    const own = new Set(routes.filter((route) => route.path === path).map(({ method }) => method))
    const others = withParameter.filter((route) => hasPath(route.path, path) && !own.has(route.method))
    return [path, [...new Set(others.map(({ method }) => method.toUpperCase()))]]
  })
  return new Map(found.filter(([, methods]) => methods.length > 0))
}

/** Returns whether a path is one of a pattern such as `/things/{id}`. */
function hasPath(pattern: string, path: string): boolean {
  const wanted = pattern.split('/')
  const given = path.split('/')
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => (part.startsWith('{') ? given[index] !== '' : part === given[index]))
  )
}
