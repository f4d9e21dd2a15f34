import type { Transport } from './transport.ts'

/** The same transport, whose requests use connections and lookups of their own: those of this owner (a workspace). */
export function ownedTransport(transport: Transport, owner: string): Transport {
  const { eraseLines } = transport
  return {
    send: (request, options) => transport.send(request, { ...options, owner }),
    ...(eraseLines ? { eraseLines: (erasure) => eraseLines.call(transport, erasure) } : {}),
  }
}
