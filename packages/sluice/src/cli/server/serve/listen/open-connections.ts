import type { Socket } from 'node:net'
import { networkOf } from '@sluice/core'

/** Which connections are closed to make room: `last` only where an address has none that is closed `first`. */
type Closable = 'first' | 'last' | 'never'

interface OpenConnectionsOptions {
  /** Number of connections from which a new one needs room to be made. */
  readonly max: number
  closable(socket: Socket): Closable
}

/** The open connections of a server, oldest first within an address. An IPv6 address counts as its /64 network. */
interface OpenConnections {
  readonly size: number
  /**
   * Adds a new connection. When there are `max`, closes the oldest closable one of the address with the most
   * connections, so that one client cannot keep out all others. An address makes no room for itself.
   * @returns false when there is no room. The connection counts until it is closed, also then.
   */
  add(socket: Socket): boolean
  all(): readonly Socket[]
}

export function createOpenConnections({ max, closable }: OpenConnectionsOptions): OpenConnections {
  const byAddress = new Map<string, Set<Socket>>()
  let size = 0

  function remove(address: string, socket: Socket): void {
    const sockets = byAddress.get(address)
    if (!sockets?.delete(socket)) return
    size -= 1
    if (sockets.size === 0) byAddress.delete(address)
  }

  function closableOf(sockets: ReadonlySet<Socket>): Socket | undefined {
    let last: Socket | undefined
    for (const socket of sockets) {
      const order = closable(socket)
      if (order === 'first') return socket
      if (order === 'last') last ??= socket
    }
    return last
  }

  /** Looks at each connection at most once. */
  function makeRoom(own: number): boolean {
    let most = own
    let found: { readonly address: string; readonly socket: Socket } | undefined
    for (const [address, sockets] of byAddress) {
      if (sockets.size <= most) continue
      const socket = closableOf(sockets)
      if (!socket) continue
      most = sockets.size
      found = { address, socket }
    }
    if (!found) return false
    // The event `close` comes later, and until then another connection may arrive.
    remove(found.address, found.socket)
    found.socket.destroy()
    return true
  }

  return {
    get size() {
      return size
    },
    add: (socket) => {
      const address = networkOf(socket.remoteAddress ?? '')
      const sockets = byAddress.get(address) ?? new Set()
      const hasRoom = size < max || makeRoom(sockets.size + 1)
      byAddress.set(address, sockets.add(socket))
      size += 1
      socket.once('close', () => remove(address, socket))
      return hasRoom
    },
    all: () => [...byAddress.values()].flatMap((sockets) => [...sockets]),
  }
}
