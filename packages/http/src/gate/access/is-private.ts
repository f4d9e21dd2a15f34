import type { Context } from 'hono'
import { peerAddress } from './client-ip.ts'

const loopback = /^(127\.|::1$)/

/**
 * Returns whether an answer is safe from readers on its way: it travels over TLS or to the same machine. A proxy says by
 * `X-Forwarded-Proto` how the client reached it.
 */
export function isPrivate({ req, env }: Context): boolean {
  const forwarded = req.header('x-forwarded-proto')
  if (forwarded !== undefined) return forwarded.split(',', 1)[0]?.trim() === 'https'
  return req.url.startsWith('https:') || loopback.test(peerAddress(env))
}
