import type { DeliveryRequest } from '@sluice/destinations'
import type { Reply, SendOptions, Transport, TransportResult } from './transport.ts'

/** What stands in for the other side. It may be slow and should then mind the signal, or hand on to a real transport. */
export type Answer = (request: DeliveryRequest, options: SendOptions) => TransportResult | Promise<TransportResult>

/** A transport that remembers. */
export interface RecordingTransport extends Transport {
  /** Every request in the order of sending, retries included: the newest `requestsMax`. */
  readonly requests: readonly DeliveryRequest[]
}

/** A reply, for answers. */
export function reply(status: number, body = '', headers: Readonly<Record<string, string>> = {}): Reply {
  return { kind: 'reply', status, headers, body }
}

/**
 * Sends nothing: keeps each request in memory and answers from a function, by default 200. For tests and offline runs;
 * around the `send` of a real transport it records what really goes out.
 */
export function createRecordingTransport(answer: Answer = () => reply(200), requestsMax = 10_000): RecordingTransport {
  const requests: DeliveryRequest[] = []
  return {
    requests,
    async send(request, options) {
      options.signal.throwIfAborted()
      requests.push(request)
      if (requests.length > requestsMax) requests.shift()
      const result = await answer(request, options)
      options.signal.throwIfAborted()
      return result
    },
  }
}
