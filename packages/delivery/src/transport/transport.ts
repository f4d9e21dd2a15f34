import type { DeliveryRequest } from '@sluice/destinations'
import type { EraseLines } from '../erase/line-erasure.ts'

/** What the other side answered, whatever the status. */
export interface Reply {
  readonly kind: 'reply'
  readonly status: number
  /** Names in lower case; values of a repeated header are joined by ', '. */
  readonly headers: Readonly<Record<string, string>>
  /** Text, cut at a bound of the transport. It comes from outside: show it, do not trust it. */
  readonly body: string
}

/** No complete reply: not reached, cut off, not HTTP, or too slow. The other side may still have taken the request. */
export interface NetworkFailure {
  readonly kind: 'network'
  /** For machines, as the platform names it (`ECONNREFUSED`, `ETIMEDOUT`, …). */
  readonly code: string
  /** For people. Holds no part of the request but its host. */
  readonly message: string
}

/** The request cannot be put on the wire as it is (a line break in a header, no such address form): nothing was sent. */
export interface UnsendableRequest {
  readonly kind: 'unsendable'
  readonly code: string
  readonly message: string
}

export type TransportResult = Reply | NetworkFailure | UnsendableRequest

export interface SendOptions {
  readonly signal: AbortSignal
  /** For the whole exchange, from connecting to the last byte of the reply. */
  readonly timeMs: number
  /** Whose request it is (a workspace): owners share no connections, so that slow ones of one hold up no other. */
  readonly owner?: string
}

/** Sends one request once: no retry, no redirect. */
export interface Transport {
  /**
   * Every way a request can go wrong is a value. Rejects only when `signal` aborts, with its reason and without waiting
   * for the other side; any other rejection means that the transport is broken.
   */
  send(request: DeliveryRequest, options: SendOptions): Promise<TransportResult>
  /** Takes users out of what its sinks keep. Left out, it cannot. */
  readonly eraseLines?: EraseLines
}

/** A transport that holds connections or files. */
export interface ClosableTransport extends Transport {
  /** Lets go of everything, once what is under way ended or failed. Calling it twice is fine. */
  close(): Promise<void>
}

/** Where a request goes, in a form that may be shown: a path or query may hold secrets, a host does not. */
export function hostOf({ endpoint }: DeliveryRequest): string {
  if (!URL.canParse(endpoint)) return 'the destination'
  const { host, protocol } = new URL(endpoint)
  return host === '' ? `the ${protocol.slice(0, -1)}` : host
}
