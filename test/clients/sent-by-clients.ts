import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { type Call, clients } from './clients.ts'
import type { Sent } from './exchange.ts'
import { replayedClients } from './replay-requests.ts'

/** A request of a client, as it was sent. */
interface SentRequest {
  readonly client: string
  readonly sent: Sent
}

/** Each call of the SDKs once. */
const calls: readonly Call[] = [
  ['identify', { userId: 'u', traits: { plan: 'pro' } }],
  ['track', { userId: 'u', event: 'Order Completed', properties: { total: 42.5, gift: null } }],
  ['page', { userId: 'u', name: 'Home', properties: { path: '/' } }],
  ['screen', { userId: 'u', name: 'Start', properties: { tab: 1 } }],
  ['group', { userId: 'u', groupId: 'g', traits: { name: 'Company' } }],
  ['alias', { userId: 'u', previousId: 'before' }],
]

/** Lets every client send its calls, those of npm and those that are replayed, and returns what it sent. */
export async function sentByClients(): Promise<readonly SentRequest[]> {
  const requests: SentRequest[] = []
  let client = ''
  const server = createServer(async (incoming, outgoing) => {
    const { method, url, rawHeaders } = incoming
    const body = await buffer(incoming)
    const lines = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? lineOf(name, rawHeaders[at + 1] ?? '') : []))
    const isChunked = incoming.headers['transfer-encoding'] !== undefined
    const framed = isChunked ? [`${body.length.toString(16)}\r\n`, body, '\r\n0\r\n\r\n'] : [body]
    requests.push({ client, sent: [[`${method} ${url} HTTP/1.1`, ...lines, '', ''].join('\r\n'), ...framed] })
    outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{"success":true}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  for (const each of [...clients, ...replayedClients]) {
    client = `${each.name} ${each.version}`
    await each.send(origin, 'web-key', calls)
  }
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
  return requests
}

/** The port of the recording differs from run to run. */
const lineOf = (name: string, value: string): string => `${name}: ${/^host$/i.test(name) ? 'data.test' : value}`
