import type { NodeFetch } from '@sluice/http'
import { errorBody } from '@sluice/http/error-body'
import { safeHeaders } from '@sluice/http/safe-headers'

/** What a request gets whose body a parser in front has read. */
export const consumedBody = {
  status: 500,
  body: errorBody(
    'bodyConsumed',
    'The body of the request was read before Sluice got it. Mount Sluice before body parsers, or leave its paths out of them.',
  ),
} as const

/**
 * Returns a function that makes a fetch handler for a place in another program: it answers paths below `basePath` only, and
 * says what is wrong when the program has read the body, so that this is not mistaken for an empty call of the sender.
 * @param basePath as `/events`; undefined for none.
 * @throws RangeError when it does not begin with a slash, or ends with one.
 */
export function mountedFetch(basePath: string | undefined): (fetch: NodeFetch) => NodeFetch {
  if (basePath !== undefined && !/^\/.*[^/]$/.test(basePath))
    throw new RangeError(`basePath is ${basePath}; it must begin with a slash and not end with one, as in /events`)
  const mount = (fetch: NodeFetch) => (request: Request, env: unknown) => {
    if (request.bodyUsed) return Response.json(consumedBody.body, { status: consumedBody.status, headers: safeHeaders })
    if (basePath === undefined) return fetch(request, env)
    const url = new URL(request.url)
    const below = url.pathname.slice(basePath.length)
    if (!url.pathname.startsWith(basePath) || !/^(?:\/|$)/.test(below))
      return Response.json(
        errorBody(
          'notFound',
          `there is nothing at ${request.method} ${url.pathname}; all paths begin with ${basePath}`,
        ),
        { status: 404, headers: safeHeaders },
      )
    url.pathname = below
    return fetch(new Request(url, request), env)
  }
  // Node's server says a whole path, too, which only `fetch` looks at.
  return (fetch) =>
    Object.assign(mount(fetch), { takeFromNode: basePath === undefined ? fetch.takeFromNode : undefined })
}
