import type { AccessScope } from '@sluice/core'
import { type Context, Hono } from 'hono'
import type { TObject, TSchema } from 'typebox'
import { withSafeHeaders } from './safe-headers.ts'

/**
 * What opens a route: nothing, a write key, an access token, the admin credentials of the data plane, or either of the
 * last two.
 */
export type Credential = 'open' | 'write-key' | 'token' | 'admin' | 'token-or-admin'

export interface ResponseDescription {
  readonly description: string
  /** Of the body; absent when there is none. */
  readonly schema?: TSchema
  /** Default JSON. */
  readonly contentType?: 'application/json' | 'text/plain' | 'text/event-stream'
}

/** What the OpenAPI document tells about a route. */
export interface RouteDescription {
  readonly method: 'get' | 'post' | 'delete'
  /** As OpenAPI writes it: `/transformations/{id}`. */
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly area: string
  readonly credential: Credential
  /** Of the token; all of them are needed. */
  readonly scopes?: readonly AccessScope[]
  readonly query?: TObject
  readonly body?: TSchema
  readonly responses: Readonly<Record<number, ResponseDescription>>
}

/** A description and what answers: the handler is made from the same list as the document. */
export interface Route extends RouteDescription {
  handle(context: Context): Response | Promise<Response>
}

/** Routes on a handler that can be mounted anywhere. */
export interface Area {
  readonly app: Hono
  readonly routes: readonly RouteDescription[]
  fetch(request: Request, env?: unknown): Response | Promise<Response>
}

/** @param app where the routes go, when something has to come before them. */
export function createArea(routes: readonly Route[], app = new Hono()): Area {
  for (const { method, path, handle } of routes)
    app.on(method, honoPath(path), async (context) => withSafeHeaders(await handle(context)))
  return { app, routes, fetch: (request, env) => app.fetch(request, env as object | undefined) }
}

function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}
