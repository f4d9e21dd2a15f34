import { createServer, type IncomingMessage } from 'node:http'

/** A local server that receives the sample's webhooks and behaves like a real product. */
export interface SampleReceiver {
  readonly url: string
  /** Requests answered with 2xx. */
  readonly taken: () => number
  close(): Promise<void>
}

/** One in this many requests fails temporarily, so that a retry is seen. */
const requestsPerHiccup = 97
const bodyBytesMax = 1_000_000

/**
 * Starts the receiver on a free local port. `/orders` refuses orders without a currency with 422.
 * @param onTaken called with the path and body of each accepted request.
 */
export async function startSampleReceiver(onTaken: (path: string, body: string) => void): Promise<SampleReceiver> {
  let requests = 0
  let taken = 0
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request).catch(() => undefined)
    requests += 1
    if (body === undefined) response.writeHead(413).end()
    else if (requests % requestsPerHiccup === 0) response.writeHead(503).end('one moment please')
    else if (request.url === '/orders' && /"event":"Order Completed"/.test(body) && !/"currency":/.test(body))
      response.writeHead(422, { 'content-type': 'application/json' }).end('{"error":"an order needs a currency"}')
    else {
      taken += 1
      onTaken(request.url ?? '', body)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}')
    }
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    taken: () => taken,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk
    if (text.length > bodyBytesMax) throw new RangeError('the body is too large')
  }
  return text
}
