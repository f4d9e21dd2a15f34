import type { DeliveryRequest } from '@sluice/destinations'
import type { Reply, SendOptions, Transport, TransportResult } from './transport.ts'

/**
 * Answers requests instead of a destination. May be slow, and should then observe the signal. May call a real
 * transport.
 */
export type Answer = (request: DeliveryRequest, options: SendOptions) => TransportResult | Promise<TransportResult>

/** A transport that records requests. */
export interface RecordingTransport extends Transport {
  /** Requests in the order of sending, including retries: the newest `requestsMax`. */
  readonly requests: readonly DeliveryRequest[]
}

/** Creates a reply for answers. */
export function reply(status: number, body = '', headers: Readonly<Record<string, string>> = {}): Reply {
  return { kind: 'reply', status, headers, body }
}

/**
 * Creates a transport that sends nothing. It keeps requests in memory and answers with a function, by default with 200.
 * For tests and offline runs. With the `send` of a real transport as `answer`, it records what is really sent.
 * @example
 * ```ts
 * import { createRecordingTransport, reply } from '@sluice/delivery'
 * import { json } from '@sluice/destinations/kit'
 *
 * const transport = createRecordingTransport(() => reply(503, 'later'))
 * const request = json({ method: 'POST', endpoint: 'https://api.test/events', body: { id: 1 } })
 * console.log(await transport.send(request, { signal: new AbortController().signal, timeMs: 1_000 })) // { kind: 'reply', status: 503, headers: {}, body: 'later' }
 * ```
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
