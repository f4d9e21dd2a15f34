import type { DeliveryRequest } from '@sluice/destinations'
import type { NetworkFailure } from '../../transport/transport.ts'

/** A connection that opens itself once and never reconnects. */
export interface PooledConnection {
  /** False once the connection is closed or failed. */
  readonly isUsable: boolean
  /** Disconnects immediately; pending work fails. Can be called twice. */
  destroy(): void
}

interface Connected<Connection extends PooledConnection> {
  readonly connection: Connection
  readonly owner: string
  /** Number of running requests. */
  busy: number
}

/**
 * Connections of a sink, one per owner, address, credentials and options. Owners (workspaces) share none.
 *
 * When there are too many, the one that was not used for longest is closed. When all are busy, an owner that has less than
 * another gets the one that was not used for longest of the owner that has most. So no owner, whose servers may never
 * answer, keeps all connections from the others.
 */
export class ConnectionPool<Connection extends PooledConnection> {
  /** Most recently used last. */
  readonly #connections = new Map<string, Connected<Connection>>()
  readonly #open: (request: DeliveryRequest, owner: string) => Connection
  readonly #connectionsMax: number

  constructor(open: (request: DeliveryRequest, owner: string) => Connection, connectionsMax: number) {
    this.#open = open
    this.#connectionsMax = connectionsMax
  }

  /**
   * Runs work with the connection for a request.
   * @param stopped aborts when the work took too long: a connection that does not answer in time is not used again.
   * @returns undefined when all allowed connections are busy, and the owner has its share of them.
   */
  async use<Result>(
    request: DeliveryRequest,
    owner: string | undefined,
    stopped: AbortSignal,
    work: (connection: Connection) => Promise<Result>,
  ): Promise<Result | undefined> {
    const connected = this.#connectedFor(request, owner ?? '')
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

  #connectedFor(request: DeliveryRequest, owner: string): Connected<Connection> | undefined {
    const key = JSON.stringify([owner, request.endpoint, request.headers, request.params])
    const found = this.#connections.get(key)
    this.#connections.delete(key)
    if (!found?.connection.isUsable && !this.#makeRoom(owner)) return undefined
    const connected = found?.connection.isUsable ? found : { connection: this.#open(request, owner), owner, busy: 0 }
    this.#connections.set(key, connected)
    return connected
  }

  #makeRoom(owner: string): boolean {
    for (const [key, { connection, busy }] of this.#connections) {
      if (this.#connections.size < this.#connectionsMax) return true
      if (busy === 0 || !connection.isUsable) this.#close(key)
    }
    if (this.#connections.size < this.#connectionsMax) return true
    const given = this.#firstToGiveUp(owner)
    if (given === undefined) return false
    this.#close(given)
    return true
  }

  /** Returns the connection that an owner with more than its share gives up for another; undefined when none has. */
  #firstToGiveUp(owner: string): string | undefined {
    const held = new Map<string, number>()
    for (const each of this.#connections.values()) held.set(each.owner, (held.get(each.owner) ?? 0) + 1)
    const most = Math.max(0, ...held.values())
    // With the new connection, the owner would still have no more than the other that gives one up.
    if ((held.get(owner) ?? 0) + 1 >= most) return undefined
    return [...this.#connections].find(([, each]) => held.get(each.owner) === most)?.[0]
  }

  #close(key: string): void {
    this.#connections.get(key)?.connection.destroy()
    this.#connections.delete(key)
  }
}

/** What a sink returns when all of its connections are busy. */
export const tooManyConnections: NetworkFailure = {
  kind: 'network',
  code: 'ECONNECTIONSMAX',
  message: 'All allowed connections are busy.',
}
