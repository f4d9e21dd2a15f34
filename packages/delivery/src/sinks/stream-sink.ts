import { type DeliveryRequest, type StreamMessage, type StreamResult, streamMessages } from '@sluice/destinations/kit'
import { type AddressGuard, createAddressGuard } from '../transport/address-guard.ts'
import { HeldBackError } from '../transport/held-back-error.ts'
import { sendFailure } from '../transport/send-failure.ts'
import type { ClosableTransport, Reply, TransportResult } from '../transport/transport.ts'
import { withinTime } from '../transport/within-time.ts'
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

export interface StreamOptions {
  /** Time limit to connect, in milliseconds. */
  readonly connectTimeMs: number
  /** Checks which addresses may be connected to. */
  readonly guard: AddressGuard
  /** Every socket of the connection must end when this aborts, whatever state the client is in. */
  readonly socketsEnd: AbortSignal
}

const closeTimeMs = 1_000 // for client and broker to close a connection in their way

export interface StreamSinkOptions {
  /** Time limit to connect, in milliseconds. Default 5,000. */
  readonly connectTimeMs?: number
  /** Maximum of connections, one per broker, user and options. Default 64. */
  readonly connectionsMax?: number
  /** Checks which addresses may be connected to. Default: only public ones. */
  readonly guard?: AddressGuard
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
  { connectTimeMs = 5_000, connectionsMax = 64, guard = createAddressGuard([]) }: StreamSinkOptions = {},
): ClosableTransport {
  const opening = (request: DeliveryRequest): OpeningStream =>
    new OpeningStream((socketsEnd) => open(request, { connectTimeMs, guard, socketsEnd }))
  const pool = new ConnectionPool(opening, connectionsMax)
  return {
    send: (request, sendOptions) =>
      withinTime(request, sendOptions, async (stopped): Promise<TransportResult> => {
        const publish = async (opening: OpeningStream) => {
          const connection = await opening.opened
          // No exception: others use the connection, too.
          if (sendOptions.mayLeave?.() === false) return sendFailure(new HeldBackError(), request)
          return streamReply(await connection.publish(streamMessages(request)))
        }
        try {
          return (await pool.use(request, stopped, publish)) ?? tooManyConnections
        } catch (error) {
          if (!(error instanceof RefusedByBroker)) return sendFailure(error, request)
          return { kind: 'reply', status: error.status, headers: {}, body: error.message }
        }
      }),
    close: async () => pool.destroy(),
  }
}

/** Returns the reply for the results of messages. */
export function streamReply(results: readonly StreamResult[]): Reply {
  const isStored = ({ status }: StreamResult): boolean => status >= 200 && status < 300
  const status = results.length > 0 && !results.some(isStored) ? (results[0]?.status ?? 200) : 200
  return { kind: 'reply', status, headers: {}, body: JSON.stringify({ results }) }
}

/** A connection that can be used, and destroyed, before it is open. */
class OpeningStream implements PooledConnection {
  readonly opened: Promise<StreamConnection>
  readonly #sockets = new AbortController()
  #opened: StreamConnection | undefined
  #isOver = false

  constructor(open: (socketsEnd: AbortSignal) => Promise<StreamConnection>) {
    this.opened = open(this.#sockets.signal)
    this.opened.then(
      (connection) => {
        this.#opened = connection
        if (this.#isOver) connection.destroy()
      },
      () => this.destroy(),
    )
  }

  get isUsable(): boolean {
    return !this.#isOver && this.#opened?.isUsable !== false
  }

  destroy(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#opened?.destroy()
    const endSockets = (): void => this.#sockets.abort()
    // Brokers that do not answer do not close connections either.
    if (this.#opened) setTimeout(endSockets, closeTimeMs).unref()
    else endSockets()
  }
}
