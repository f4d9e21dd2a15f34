import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'

/** An event of the watched workspace has arrived: its id, and when by the clock that all processes of a machine share. */
export interface Arrival {
  readonly messageId: string
  readonly atMs: number
}

/** Where the receiver listens. */
export interface Addresses {
  /** URL of what answers every request, with a slash at its end. */
  readonly answers: string
  /** Port of what accepts connections, and never answers. */
  readonly blackHole: number
  /** Port of what answers every connection with bytes that never end. */
  readonly pours: number
}

/** Milliseconds of a clock that all processes of a machine share. */
export function sharedNow(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

// A destination in a process of its own. It answers every request, and reports the events that arrive at /b.
if (process.send) {
  const portOf = (server: { address(): string | AddressInfo | null }) => (server.address() as AddressInfo).port
  const server = createServer((request, response) => {
    let body = ''
    if (request.url === '/b') request.setEncoding('utf8').on('data', (text) => (body += text))
    request.resume().on('end', () => {
      const atMs = sharedNow()
      response.end()
      if (body !== '') process.send?.({ messageId: JSON.parse(body).messageId, atMs } satisfies Arrival)
    })
  })
  const hole = createTcpServer((socket) => socket.resume().on('error', () => {}))
  // The answer of Redis that a text of 2 GB comes, and then the text.
  const spring = createTcpServer((socket) => {
    const text = Buffer.alloc(65_536, 'x')
    const pour = (): void => {
      while (!socket.destroyed && socket.write(text));
    }
    socket.resume().on('error', () => {})
    socket.once('data', () => socket.write('$1999999999\r\n', pour)).on('drain', pour)
  })
  const listening = [server, hole, spring].map((each) => once(each.listen(0, '127.0.0.1'), 'listening'))
  await Promise.all(listening)
  process.send({
    answers: `http://127.0.0.1:${portOf(server)}/`,
    blackHole: portOf(hole),
    pours: portOf(spring),
  } satisfies Addresses)
  process.on('disconnect', () => process.exit())
}
