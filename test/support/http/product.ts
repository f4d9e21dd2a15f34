import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A call that a product received. */
export interface ProductCall {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface Product {
  readonly url: string
  /** In order of arrival. */
  readonly calls: readonly ProductCall[]
  close(): void
}

/**
 * Starts the API of a product: a real HTTP server that records its calls and answers them in JSON.
 * @param answer ends the response, perhaps later. Default: `{}`.
 */
export async function startProduct(
  answer: (call: ProductCall, response: ServerResponse) => unknown = (_, response) => response.end('{}'),
): Promise<Product> {
  const calls: ProductCall[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const call = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body }
    calls.push(call)
    await answer(call, response.setHeader('content-type', 'application/json'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
