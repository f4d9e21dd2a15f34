import type { Context } from 'hono'

/** Returns the protocol that a page uses: behind a proxy, the connection to Sluice may have another one. */
export function protocolOf({ req }: Context): 'http' | 'https' {
  const isSecure =
    req.url.startsWith('https:') ||
    req.header('x-forwarded-proto')?.split(',', 1)[0]?.trim() === 'https' ||
    // A secure page can only call secure addresses.
    req.header('origin')?.startsWith('https:') === true
  return isSecure ? 'https' : 'http'
}
