import { parseUrl } from '@sluice/core'
import type { DeliveryRequest } from '@sluice/destinations'
import type { CountLines, EraseLines } from './erasure/line-erasure.ts'

/** A complete reply with any status. */
export interface Reply {
  readonly kind: 'reply'
  readonly status: number
  /** Names in lower case; values of a repeated header are joined by ', '. */
  readonly headers: Readonly<Record<string, string>>
  /** Text, cut at a limit of the transport. Untrusted. */
  readonly body: string
  /** Whether the text was cut. */
  readonly isCut?: true
}

/**
 * No complete reply: not reached, cut off, not HTTP, or too slow. The destination may still have accepted the request.
 */
export interface NetworkFailure {
  readonly kind: 'network'
  /** Error code of the platform, such as `ECONNREFUSED` or `ETIMEDOUT`. */
  readonly code: string
  /** Message for people. Contains nothing of the request except its host. */
  readonly message: string
}

/** The request is invalid, such as a line break in a header or a malformed address. Nothing was sent. */
export interface UnsendableRequest {
  readonly kind: 'unsendable'
  readonly code: string
  readonly message: string
}

export type TransportResult = Reply | NetworkFailure | UnsendableRequest

export interface SendOptions {
  readonly signal: AbortSignal
  /** Time limit of the whole exchange in milliseconds, from connecting to the last byte of the reply. */
  readonly timeMs: number
  /**
   * Owner of the request (a workspace). Owners share no connections, so a slow destination of one cannot block others.
   */
  readonly owner?: string
  /** Maximum of bytes to read of the reply. Default: that of the transport. */
  readonly replyBytesMax?: number
  /**
   * Asked when the request has its connection, right before it is written: false keeps it here, and the result is a network
   * failure with the code of `HeldBackError`. It may have waited for its connection, and what was checked before may have
   * changed. Asked of requests over HTTP, to message brokers and to Redis. Default: it may leave.
   */
  readonly mayLeave?: () => boolean
}

/** What each request of an attempt is sent with. */
export type Sending = Pick<SendOptions, 'signal' | 'mayLeave'>

/** Sends one request once, without retries and redirects. */
export interface Transport {
  /** The workspace whose requests these are, when they are all of one. */
  readonly owner?: string
  /**
   * Returns all failures as values. Rejects only when `signal` aborts, with its reason and without waiting for a reply.
   * Any other rejection means that the transport is broken.
   */
  send(request: DeliveryRequest, options: SendOptions): Promise<TransportResult>
  /** Deletes users from the lines that its sinks keep. Absent when not supported. */
  readonly eraseLines?: EraseLines
  /** Counts lines of users that its sinks keep. Absent when not supported. */
  readonly countLines?: CountLines
}

/** A transport with connections or files that must be closed. */
export interface ClosableTransport extends Transport {
  /** Waits until pending requests have ended, then closes everything. Can be called twice. */
  close(): Promise<void>
}

/** Returns the host of a request for messages. Path and query may contain secrets, so they are not shown. */
export function hostOf({ endpoint }: DeliveryRequest): string {
  const url = parseUrl(endpoint)
  if (url === undefined) return 'the destination'
  const { host, protocol, pathname } = url
  if (protocol === 'action:') return pathname
  return host === '' ? `the ${protocol.slice(0, -1)}` : host
}
