import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'

export interface Call {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export interface Reply {
  readonly status: number
  readonly body: object
}

const servers: Server[] = []

/** Starts a server with the given answers. @returns its origin. */
export async function serveHttp(answer: (call: Call) => Promise<Reply>): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const url = new URL(request.url ?? '', 'http://server')
    const text = Buffer.concat(chunks).toString()
    const { status, body } = await answer({ method: request.method ?? '', url, headers: request.headers, text })
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
}

/** Closes all of them. */
export function closeServers(): void {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
}
