import type { ClosableTransport } from '../transport.ts'
import { compressRequest } from './compress-request.ts'
import { encodeRequest } from './encode-request.ts'
import { createHttpClient, type HttpClient, type HttpClientOptions } from './http-client.ts'

export type UndiciTransportOptions = HttpClientOptions

/**
 * Creates a transport over HTTP/1.1 with kept-alive connections. Redirects are returned as replies, not followed:
 * requests with credentials are sent only where the settings say. For the allowed addresses see `createHttpClient`.
 *
 * @param client HTTP client to share connections with. Default: a separate one.
 */
export function createUndiciTransport(
  options: UndiciTransportOptions = {},
  client: HttpClient = createHttpClient(options),
): ClosableTransport {
  return {
    send: (request, sendOptions) =>
      client.exchange(
        request,
        () => (request.compression ? compressRequest(encodeRequest(request)) : encodeRequest(request)),
        sendOptions,
      ),
    close: () => client.close(),
  }
}
