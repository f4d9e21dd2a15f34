import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'

export interface Received {
  readonly path: string
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Receiver {
  readonly url: string
  /** In order of arrival. */
  readonly received: readonly Received[]
  close(): Promise<void>
}

/** Decides the status of a response, and when it comes; or ends the response itself, and returns no number. */
export type Answer = (request: Received, response: ServerResponse) => unknown

/**
 * A destination, or the API of a product: a real HTTP server that records what it receives.
 * @param answer default 200 at once, without a body.
 */
export async function startReceiver(answer: Answer = () => 200): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const entry = { path: request.url ?? '', method: request.method ?? '', headers: request.headers, body }
    received.push(entry)
    const status = await answer(entry, response)
    if (typeof status === 'number') response.writeHead(status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
