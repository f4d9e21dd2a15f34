import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'

interface BrowserAccessOptions {
  /** Also allows requests with cookies, which beacons always are. No answer may depend on cookies then. */
  readonly credentials?: boolean
}

/**
 * Creates middleware that lets pages of these origins call a path (CORS). It does nothing for requests without an
 * origin, which servers do not send: CORS costs as much as the rest of a short answer. OPTIONS is a preflight only when
 * it asks for a method.
 */
export function browserAccess(
  origins: '*' | readonly string[],
  { credentials = false }: BrowserAccessOptions = {},
): MiddlewareHandler {
  const allow = cors({
    // Browsers refuse `*` in answers to requests with credentials.
    origin: typeof origins !== 'string' ? [...origins] : credentials ? (origin) => origin : origins,
    credentials,
    exposeHeaders: ['Retry-After'],
    maxAge: 900,
  })
  return (c, next) => {
    const isOfBrowser = c.req.header('origin') !== undefined
    const isPreflight = c.req.header('access-control-request-method') !== undefined
    return isOfBrowser && (isPreflight || c.req.method !== 'OPTIONS') ? allow(c, next) : next()
  }
}
