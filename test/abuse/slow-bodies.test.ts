import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { createIngestionArea, type IngestionOptions } from '@sluice/http'
import { toNodeListener } from 'sluice'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { basic } from '../support/http/api-client.ts'

const mebibyte = 1_024 ** 2
/** Accepts everything; a write key is the name of its workspace. */
const engine: IngestionOptions['engine'] = {
  authenticate: (writeKey) => ({
    ok: true,
    source: { workspaceId: writeKey, sourceId: 's', writeKey, enabled: true, destinationIds: [] },
  }),
  sourceOf: () => undefined,
  workspaces: [],
  refuse: async () => {},
  inTurn: async (_, work) => work(),
  ingest: async () => ({ ok: true, messageIds: [], rejected: [] }),
}

let server: Server | undefined
/** Connections at the server, by the port of the client. */
const accepted = new Map<number | undefined, Socket>()
const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  server?.close()
})

/** Whether common calls go past the app. */
let isPastApp = false

async function serve(options: Partial<IngestionOptions> = {}): Promise<number> {
  accepted.clear()
  const area = createIngestionArea({ engine, ...options })
  const handler = isPastApp ? area : { fetch: (request: Request, env: unknown) => area.fetch(request, env) }
  server = createServer(toNodeListener(handler)).listen(0, '127.0.0.1')
  server.on('connection', (socket: Socket) => accepted.set(socket.remotePort, socket))
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
const head = (writeKey: string, bytes: number): string =>
  `POST /v1/batch HTTP/1.1\r\nhost: x\r\nauthorization: ${basic(writeKey, '')}\r\ncontent-length: ${bytes}\r\n\r\n`

/** Announces a body and sends only its beginning. */
async function begin(port: number, writeKey: string, announced: number, sent = '') {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  sockets.push(socket)
  let answer = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text
  })
  const text = head(writeKey, announced) + sent
  socket.write(text)
  // Until the server has it all.
  await eventually(() => accepted.get(socket.localPort)?.bytesRead).toBe(text.length)
  const status = (): string => answer.split(' ')[1] ?? ''
  return { status, answered: () => eventually(status).not.toBe(''), socket }
}
async function post(port: number, writeKey: string, body: string | Buffer): Promise<number> {
  const headers = { authorization: basic(writeKey, '') }
  return (await fetch(`http://127.0.0.1:${port}/v1/batch`, { method: 'POST', headers, body })).status
}
const ofBytes = (bytes: number): string => JSON.stringify({ batch: [{ filling: 'x'.repeat(bytes) }] })

describe.each([
  { way: 'past the app', past: true },
  { way: 'by the app', past: false },
])('bodies that are being read $way', ({ past }) => {
  beforeEach(() => {
    isPastApp = past
  })

  it('use only as much memory as has arrived: 70 idle connections that announce 4 MB each do not lock out other senders', async () => {
    const port = await serve()
    const idle = await Promise.all(Array.from({ length: 70 }, () => begin(port, 'a', 4_000_000)))
    expect(await post(port, 'b', ofBytes(3 * mebibyte))).toBe(200)
    expect(await post(port, 'a', ofBytes(3 * mebibyte))).toBe(200)
    expect(idle.map(({ status }) => status())).toEqual(idle.map(() => ''))
  })

  it('are cut off when another workspace needs the room: the oldest body of the workspace that holds the most', async () => {
    const port = await serve({ bodiesBytesMax: 2 * mebibyte })
    const filling = 'x'.repeat(mebibyte / 2 - 10_000)
    const held = []
    for (let i = 0; i < 4; i += 1) {
      // In this order.
      held.push(await begin(port, 'a', mebibyte, filling))
    }
    expect(await post(port, 'b', ofBytes(mebibyte / 2))).toBe(200)
    await held[0]?.answered()
    expect(held.map(({ status }) => status())).toEqual(['503', '', '', ''])
    // A workspace cannot make room for itself: when it sends too much, its newest body is refused.
    expect(await post(port, 'a', ofBytes(mebibyte))).toBe(503)
    held[1]?.socket.write(`${'x'.repeat(mebibyte - filling.length)}`)
    await held[1]?.answered()
    expect(held.map(({ status }) => status())).toEqual(['503', '400', '', ''])
  })

  it('are answered 408 when they arrive too slowly, and are accepted when they are large and arrive at a normal speed', async () => {
    // The steady one is four times as fast as it must be, and takes twice as long as an idle one may.
    const port = await serve({ bodyGraceMs: 1_000, bodyBytesPerSecondMin: 20_000 })
    const silent = await begin(port, 'a', 1_000)
    const trickling = await begin(port, 'a', 100_000)
    const steady = await begin(port, 'a', 160_000)
    const timers = [
      setInterval(() => trickling.socket.write('x'), 20),
      setInterval(() => steady.socket.write('x'.repeat(4_000)), 50),
    ]
    await Promise.all([silent.answered(), trickling.answered(), steady.answered()])
    for (const timer of timers) clearInterval(timer)
    expect([silent, trickling, steady].map(({ status }) => status())).toEqual(['408', '408', '400'])
  })

  it('cost their inflated size: gzip that inflates to more than 200 times its size is refused', async () => {
    const port = await serve({ bodiesBytesMax: 2 * mebibyte })
    const bomb = JSON.stringify({
      batch: Array.from({ length: 30_000 }, () => ({ type: 'track', event: 'E', userId: 'u' })),
    })
    expect(gzipSync(bomb).length * 200).toBeLessThan(bomb.length)
    expect(await post(port, 'a', gzipSync(bomb))).toBe(413)
    const real = JSON.stringify({ batch: Array.from({ length: 5_000 }, (_, n) => ({ n, id: (n * 7_919) % 10_007 })) })
    expect(await post(port, 'a', gzipSync(real))).toBe(200)
    await begin(port, 'a', 2 * mebibyte, 'x'.repeat(1.95 * mebibyte))
    expect(await post(port, 'a', gzipSync(real))).toBe(503)
    expect(await post(port, 'b', gzipSync(real))).toBe(200)
  })
})
