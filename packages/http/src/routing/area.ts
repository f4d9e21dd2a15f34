import { Hono } from 'hono'
import type { NodeFetch } from './node-fetch.ts'
import type { Route, RouteDescription } from './route.ts'
import { type FetchHandler, serveRoutes } from './serve-routes.ts'

/** Routes with a fetch handler that can be mounted anywhere. */
export interface Area extends FetchHandler {
  /** The routes alone. To serve several areas with one handler, pass them to `serveRoutes`. */
  readonly app: Hono
  readonly routes: readonly RouteDescription[]
  readonly fetch: NodeFetch
}

/** @param app receives the routes; pass one that already has middleware. */
export function createArea(routes: readonly Route[], app = new Hono()): Area {
  for (const { method, path, handle } of routes) app.on(method, honoPath(path), handle)
  // Created on first use, because most areas are served together with others.
  let alone: FetchHandler | undefined
  return {
    app,
    routes,
    fetch: (request, env) => {
      alone ??= serveRoutes([{ app, routes }])
      return alone.fetch(request, env)
    },
  }
}

function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}
