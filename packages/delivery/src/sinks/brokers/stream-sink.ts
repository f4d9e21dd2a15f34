import type { DeliveryRequest, StreamResult } from '@sluice/destinations/kit'
// Without the rest of the kit, which a process for clients would load for nothing.
import { type StreamMessage, streamMessages } from '@sluice/destinations/stream'
import { sendFailure } from '../../transport/send-failure.ts'
import { type AddressGuard, createAddressGuard } from '../../transport/sockets/address-guard.ts'
import { PeerSockets } from '../../transport/sockets/peer-sockets.ts'
import { withinTime } from '../../transport/time/within-time.ts'
import type { Reply, TransportResult } from '../../transport/transport.ts'
import { type ClosableSink, heldBackNow } from '../sink-options.ts'
import { ConnectionPool, type PooledConnection, tooManyConnections } from './connection-pool.ts'

/** A connection to a message broker. */
export interface StreamConnection extends PooledConnection {
  /**
   * Publishes messages in their order and waits until the broker has acknowledged or refused each. Rejects when the
   * connection fails; some of the messages may have been stored.
   */
  publish(messages: readonly StreamMessage[]): Promise<readonly StreamResult[]>
}

/** Opens a connection for a request, with its address, credentials and options. */
export type OpenStream = (request: DeliveryRequest, options: StreamOptions) => Promise<StreamConnection>

interface StreamOptions {
  /** Time limit to connect, in milliseconds. */
  readonly connectTimeMs: number
  /** Under whose rules the connection opens its sockets. */
  readonly sockets: PeerSockets
}

const messageLengthMax = 500 // characters of what a broker says about a message
const closeTimeMs = 1_000 // for client and broker to close a connection in their way

export interface StreamSinkOptions {
  /** Time limit to connect, in milliseconds. Default 5,000. */
  readonly connectTimeMs?: number
  /** Maximum of connections, one per broker, user and options. Default 64. */
  readonly connectionsMax?: number
  /** Returns what checks the addresses of an owner's connections. Default: only public ones are allowed. */
  readonly guardOf?: (owner: string) => AddressGuard
}

/** The broker refused the connection, such as for wrong credentials. Trying again does not help. */
export class RefusedByBroker extends Error {
  override readonly name = 'RefusedByBroker'
  readonly status: number

  /** @param status as in HTTP: 401 for wrong credentials. */
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/**
 * Creates a sink that publishes messages to brokers of one kind. Messages of a request are published in order over one
 * connection, which later requests share. The reply has one result per message: see `respondToStream`.
 */
export function createStreamSink(
  open: OpenStream,
  { connectTimeMs = 5_000, connectionsMax = 64, guardOf = onlyPublic }: StreamSinkOptions = {},
): ClosableSink {
  const opening = (request: DeliveryRequest, owner: string): OpeningStream =>
    new OpeningStream(new PeerSockets(guardOf(owner)), (sockets) => open(request, { connectTimeMs, sockets }))
  const pool = new ConnectionPool(opening, connectionsMax)
  return {
    send: (request, sendOptions) =>
      withinTime(request, sendOptions, async (stopped): Promise<TransportResult> => {
        const publish = async (opening: OpeningStream) => {
          const connection = await opening.opened
          const asked = heldBackNow(request, sendOptions)
          const heldBack = asked instanceof Promise ? await asked : asked
          if (heldBack) return heldBack
          return streamReply(await opening.publish(connection, streamMessages(request)))
        }
        try {
          return (await pool.use(request, sendOptions.owner, stopped, publish)) ?? tooManyConnections
        } catch (error) {
          if (!(error instanceof RefusedByBroker)) return sendFailure(error, request)
          const { status, message } = error
          return streamReply(streamMessages(request).map(() => ({ status, message })))
        }
      }),
    close: async () => pool.destroy(),
  }
}

/** Returns the reply for the results of messages. */
export function streamReply(results: readonly StreamResult[]): Reply {
  const isStored = ({ status }: StreamResult): boolean => status >= 200 && status < 300
  const status = results.length > 0 && !results.some(isStored) ? (results[0]?.status ?? 200) : 200
  const body = JSON.stringify({ results }, (name, value: unknown) =>
    name === 'message' && typeof value === 'string' ? value.slice(0, messageLengthMax) : value,
  )
  return { kind: 'reply', status, headers: {}, body }
}

const onlyPublic = (): AddressGuard => createAddressGuard([])

/** A connection that can be used, and destroyed, before it is open. */
class OpeningStream implements PooledConnection {
  readonly opened: Promise<StreamConnection>
  readonly #sockets: PeerSockets
  #opened: StreamConnection | undefined
  #isOver = false

  constructor(sockets: PeerSockets, open: (sockets: PeerSockets) => Promise<StreamConnection>) {
    this.#sockets = sockets
    this.opened = sockets.orBroken(sockets.run(() => open(sockets)))
    this.opened.then(
      (connection) => {
        this.#opened = connection
        if (this.#isOver) this.#close(connection)
      },
      () => this.destroy(),
    )
  }

  get isUsable(): boolean {
    return !this.#isOver && !this.#sockets.isBroken && this.#opened?.isUsable !== false
  }

  /** Publishes messages. Rejects as soon as a socket of the connection breaks. */
  publish(connection: StreamConnection, messages: readonly StreamMessage[]): Promise<readonly StreamResult[]> {
    return this.#sockets.orBroken(this.#sockets.run(() => connection.publish(messages)))
  }

  destroy(): void {
    if (this.#isOver) return
    this.#isOver = true
    if (this.#opened) this.#close(this.#opened)
    else this.#sockets.end()
  }

  /** Brokers that do not answer do not close connections either. */
  #close(connection: StreamConnection): void {
    setTimeout(() => this.#sockets.end(), closeTimeMs).unref()
    try {
      this.#sockets.run(() => connection.destroy())
    } catch {
      // The client is in a state that it does not expect.
      this.#sockets.end()
    }
  }
}
