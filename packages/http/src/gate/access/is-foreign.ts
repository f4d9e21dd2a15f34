import type { Context } from 'hono'

/** What `Sec-Fetch-Site` is in a request of the same page, or that no page caused. */
const own: ReadonlySet<string | undefined> = new Set(['same-origin', 'none'])

/**
 * Returns whether a page of another origin sent a request that may change something. A browser attaches cached Basic
 * credentials to forms of any page. It says from where a request comes with `Sec-Fetch-Site`, and over plain HTTP to
 * other hosts than this machine with `Origin` alone; pages cannot change either. Other clients send neither.
 */
export function isForeign({ req }: Context): boolean {
  if (req.method === 'GET' || req.method === 'HEAD') return false
  const site = req.header('sec-fetch-site')
  if (site !== undefined) return !own.has(site)
  const origin = req.header('origin')
  if (origin === undefined) return false
  // A proxy may change `Host`. A page cannot send this header without a preflight, which is refused.
  return ![req.header('host'), req.header('x-forwarded-host')].some(
    (host) => host && hostOf(origin) === host.toLowerCase(),
  )
}

/** Returns whether a browser sent a request: it would offer a dialog for Basic credentials, and keep them. */
export function isOfBrowser({ req }: Context): boolean {
  const accepts = req.header('accept') ?? ''
  return (
    req.header('sec-fetch-mode') !== undefined || req.header('origin') !== undefined || accepts.includes('text/html')
  )
}

/** Returns the host and port of an origin, as `Host` has them; undefined of `null` and what is no origin. */
function hostOf(origin: string): string | undefined {
  return /^https?:\/\/([^/]+)$/.exec(origin.toLowerCase())?.[1]
}
