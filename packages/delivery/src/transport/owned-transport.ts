import type { Transport } from './transport.ts'

/** Returns a transport whose requests use the connections and lookups of one owner (a workspace). */
export function ownedTransport(transport: Transport, owner: string): Transport {
  const { eraseLines, countLines } = transport
  return {
    owner,
    send: (request, options) => transport.send(request, { ...options, owner }),
    eraseLines: eraseLines ? (erasure) => eraseLines.call(transport, erasure) : undefined,
    countLines: countLines ? (search) => countLines.call(transport, search) : undefined,
  }
}
