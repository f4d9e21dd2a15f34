/**
 * The address of the peer, as Node's server adapter for fetch handlers hands it over (`env.incoming`); '' elsewhere.
 * Proxies are not looked through: whoever runs one passes a `clientIp` of their own.
 */
export function peerAddress(env: unknown): string {
  const address = (env as { incoming?: { socket?: { remoteAddress?: unknown } } } | undefined)?.incoming?.socket
    ?.remoteAddress
  // A dual-stack socket shows IPv4 peers in their IPv6 form.
  return typeof address === 'string' ? address.replace(/^::ffff:(?=\d+\.)/, '') : ''
}
