import { encodeRequest } from './encode-request.ts'
import { createHttpClient, type HttpClient, type HttpClientOptions } from './http-client.ts'
import type { ClosableTransport } from './transport.ts'

export type UndiciTransportOptions = HttpClientOptions

/**
 * Sends over HTTP/1.1 with kept-alive connections. Redirects are answered as they come, not followed: a request with
 * credentials goes where the settings say and nowhere else. Which addresses are reached: see `createHttpClient`.
 *
 * @param client where others are to share its connections; default one of its own.
 */
export function createUndiciTransport(
  options: UndiciTransportOptions = {},
  client: HttpClient = createHttpClient(options),
): ClosableTransport {
  return {
    send: (request, sendOptions) => client.exchange(request, () => encodeRequest(request), sendOptions),
    close: () => client.close(),
  }
}
