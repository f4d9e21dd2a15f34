import { createServer } from 'node:http'

export interface Received {
  readonly path: string
  readonly method: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

export interface Receiver {
  readonly url: string
  /** In order of arrival. */
  readonly received: readonly Received[]
  close(): Promise<void>
}

/**
 * A destination: a real HTTP server that records what it receives.
 * @param statusOf decides its status, and when it responds; default 200 at once.
 */
export async function startReceiver(
  statusOf: (request: Received) => number | Promise<number> = () => 200,
): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const entry = { path: request.url ?? '', method: request.method ?? '', headers: request.headers, body }
    received.push(entry)
    response.writeHead(await statusOf(entry)).end()
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
