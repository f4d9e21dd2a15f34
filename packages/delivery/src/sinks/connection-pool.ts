import type { DeliveryRequest } from '@sluice/destinations'
import type { NetworkFailure } from '../transport/transport.ts'

/** A connection that opens itself once and never reconnects. */
export interface PooledConnection {
  /** False once the connection is closed or failed. */
  readonly isUsable: boolean
  /** Disconnects immediately; pending work fails. Can be called twice. */
  destroy(): void
}

interface Connected<Connection extends PooledConnection> {
  readonly connection: Connection
  /** Number of running requests. */
  busy: number
}

/**
 * Connections of a sink, one per address, credentials and options. When there are too many, the one that was not used
 * for longest is closed.
 */
export class ConnectionPool<Connection extends PooledConnection> {
  /** Most recently used last. */
  readonly #connections = new Map<string, Connected<Connection>>()
  readonly #open: (request: DeliveryRequest) => Connection
  readonly #connectionsMax: number

  constructor(open: (request: DeliveryRequest) => Connection, connectionsMax: number) {
    this.#open = open
    this.#connectionsMax = connectionsMax
  }

  /**
   * Runs work with the connection for a request.
   * @param stopped aborts when the work took too long: a connection that does not answer in time is not used again.
   * @returns undefined when all allowed connections are busy.
   */
  async use<Result>(
    request: DeliveryRequest,
    stopped: AbortSignal,
    work: (connection: Connection) => Promise<Result>,
  ): Promise<Result | undefined> {
    const connected = this.#connectedFor(request)
    if (connected === undefined) return undefined
    const { connection } = connected
    const giveUp = (): void => connection.destroy()
    stopped.addEventListener('abort', giveUp)
    connected.busy += 1
    try {
      return await work(connection)
    } catch (error) {
      connection.destroy()
      throw error
    } finally {
      connected.busy -= 1
      stopped.removeEventListener('abort', giveUp)
    }
  }

  /** Closes all connections. */
  destroy(): void {
    for (const { connection } of this.#connections.values()) connection.destroy()
    this.#connections.clear()
  }

  #connectedFor(request: DeliveryRequest): Connected<Connection> | undefined {
    const key = JSON.stringify([request.endpoint, request.headers, request.params])
    const found = this.#connections.get(key)
    this.#connections.delete(key)
    if (!found?.connection.isUsable && !this.#makeRoom()) return undefined
    const connected = found?.connection.isUsable ? found : { connection: this.#open(request), busy: 0 }
    this.#connections.set(key, connected)
    return connected
  }

  #makeRoom(): boolean {
    for (const [key, { connection, busy }] of this.#connections) {
      if (this.#connections.size < this.#connectionsMax) return true
      if (busy > 0) continue
      connection.destroy()
      this.#connections.delete(key)
    }
    return this.#connections.size < this.#connectionsMax
  }
}

/** What a sink returns when all of its connections are busy. */
export const tooManyConnections: NetworkFailure = {
  kind: 'network',
  code: 'ECONNECTIONSMAX',
  message: 'All allowed connections are busy.',
}
