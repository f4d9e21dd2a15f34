import { parseIp, withoutMapping } from '@sluice/core'
import type { PlainRequest } from '../plain-request.ts'

/**
 * Returns the address of the connection's peer from Node's server adapter (`env.incoming`), or '' on other platforms.
 * Behind a proxy this is the proxy's address: pass `clientIp` there.
 */
export function peerAddress(env: unknown): string {
  const address = (env as { incoming?: { socket?: { remoteAddress?: unknown } } } | undefined)?.incoming?.socket
    ?.remoteAddress
  return typeof address === 'string' ? withoutMapping(address) : ''
}

/** A `clientIp` that needs no whole `Request`: it reads its headers and the peer alone. */
export interface HeaderClientIp {
  (request: Pick<PlainRequest, 'headers'>, env: unknown): string
  readonly readsHeadersOnly: true
}

/**
 * Returns a `clientIp` that reads the last entry of a header, which your own proxy wrote. Clients can forge the entries
 * before it. When the entry is missing or is no address, the peer of the connection is used.
 *
 * Use it only where all connections come from that proxy; otherwise a client can choose its own address.
 * @example
 * ```ts
 * import { clientIpFromHeader } from '@sluice/http'
 *
 * const clientIp = clientIpFromHeader('x-forwarded-for')
 * console.log(clientIp(new Request('http://a.test', { headers: { 'x-forwarded-for': '1.1.1.1, 192.0.2.7' } }), {})) // 192.0.2.7
 * ```
 */
export function clientIpFromHeader(name: string): HeaderClientIp {
  const addressOf = (request: Pick<PlainRequest, 'headers'>, env: unknown): string => {
    const entry = request.headers.get(name)?.split(',').at(-1)?.trim() ?? ''
    const [, bracketed, withPort] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(entry) ?? []
    const address = withoutMapping(bracketed ?? withPort ?? entry)
    return parseIp(address) ? address : peerAddress(env)
  }
  return Object.assign(addressOf, { readsHeadersOnly: true as const })
}
