import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** Treatment of one request: a reply, or a fault. `body` is the body of the request. */
export type Treatment = (request: IncomingMessage, response: ServerResponse, body: string) => void

export const treatments = {
  takes: (_, response) => response.end('ok'),
  takesLate: (_, response) => setTimeout(() => response.end('ok'), 30),
  refuses: (_, response) => response.writeHead(400).end('never'),
  hangs: () => {},
  resets: (request) => request.socket.resetAndDestroy(),
  breaksOff: (_, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('half of')
    setTimeout(() => response.destroy(), 5)
  },
  answersGarbage: (request) => request.socket.end('\u0000\u0001 this is no HTTP \r\n\r\n'),
  redirects: (_, response) => response.writeHead(302, { location: '/elsewhere' }).end(),
  answersMuch: (_, response) => response.end(Buffer.alloc(10 * 1024 * 1024, 'x')),
  /** Sends headers at once, then one byte now and then, for longer than any client waits. */
  trickles: (_, response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write('.'), 20)
    response.on('close', () => clearInterval(timer))
  },
  isBusy: (_, response) => response.writeHead(503).end('busy'),
  asksToSlowDown: (_, response) => response.writeHead(429).end(),
  asksToWait: (_, response) => response.writeHead(429, { 'retry-after': '1' }).end(),
} satisfies Record<string, Treatment>

const taking: ReadonlySet<Treatment> = new Set([treatments.takes, treatments.takesLate, treatments.answersMuch])

/** A destination that misbehaves: a real HTTP server. */
export interface FaultyServer {
  readonly url: string
  /** Message ids in order of arrival, including repetitions. */
  readonly seen: readonly string[]
  /** Message ids of the requests that were accepted. */
  readonly taken: readonly string[]
  close(): Promise<void>
}

/** @param next returns the treatment of the next request, given its message id and body. */
export async function startFaultyServer(
  next: (messageId: string, body: string) => Treatment,
  port = 0,
): Promise<FaultyServer> {
  const seen: string[] = []
  const taken: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer(async (request, response) => {
    let body = ''
    try {
      for await (const chunk of request.setEncoding('utf8')) body += chunk
    } catch {
      // The client gave up while it was sending.
      return
    }
    const { messageId } = JSON.parse(body) as { messageId: string }
    const treatment = next(messageId, body)
    seen.push(messageId)
    if (taking.has(treatment)) taken.push(messageId)
    treatment(request, response, body)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    taken,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
