import { parseIp } from '@sluice/core'

/**
 * The address of the peer, as Node's server adapter for fetch handlers hands it over (`env.incoming`); '' elsewhere.
 * Proxies are not looked through: whoever runs one passes a `clientIp` of their own.
 */
export function peerAddress(env: unknown): string {
  const address = (env as { incoming?: { socket?: { remoteAddress?: unknown } } } | undefined)?.incoming?.socket
    ?.remoteAddress
  return typeof address === 'string' ? withoutMapping(address) : ''
}

/** A dual-stack socket shows IPv4 peers in their IPv6 form. */
const withoutMapping = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

/**
 * Returns a `clientIp` that reads the last entry of a header: the one that your own proxy wrote. Clients write those before
 * it as they like. Where the entry is missing or no address, the client is the peer of the connection.
 *
 * Only where nothing but that proxy reaches this process: any other client chooses its address then.
 */
export function clientIpFromHeader(name: string): (request: Request, env: unknown) => string {
  return (request, env) => {
    const entry = request.headers.get(name)?.split(',').at(-1)?.trim() ?? ''
    const [, bracketed, withPort] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(entry) ?? []
    const address = withoutMapping(bracketed ?? withPort ?? entry)
    return parseIp(address) ? address : peerAddress(env)
  }
}
