import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { shown } from './played-database.ts'

/** A way to a PostgreSQL server that notes the statements that pass. */
export interface RecordedPostgres {
  readonly port: number
  /** The statements, in order of arrival, with their parameters below. */
  readonly seen: string[]
  close(): void
}

/**
 * Passes bytes on between clients and a server. Messages that it reads: Query (Q), Parse (P) and Bind (B), with parameters
 * as text. Source: PostgreSQL's manual, "Message Formats".
 */
export async function recordPostgres(serverPort: number): Promise<RecordedPostgres> {
  const seen: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const up = connect(serverPort, '127.0.0.1')
    for (const socket of [client, up]) sockets.add(socket.on('error', () => {}))
    const read = messageReader(seen)
    client.on('data', (chunk) => read(chunk))
    client.pipe(up)
    up.pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Returns a function that takes the bytes of a client, in any pieces. */
function messageReader(seen: string[]): (chunk: Buffer) => void {
  let waiting = Buffer.alloc(0)
  // The first message has no type.
  let typeLength = 0
  let statement = ''
  return (chunk) => {
    waiting = Buffer.concat([waiting, chunk])
    while (waiting.length >= typeLength + 4) {
      const end = typeLength + waiting.readInt32BE(typeLength)
      if (waiting.length < end) return
      const type = typeLength === 0 ? '' : String.fromCharCode(waiting[0] ?? 0)
      const body = waiting.subarray(typeLength + 4, end)
      if (type === 'Q') seen.push(shown([textAt(body, 0)], []))
      if (type === 'P') statement = textAt(body, body.indexOf(0) + 1)
      if (type === 'B') seen.push(shown([statement], parametersOf(body)))
      waiting = waiting.subarray(end)
      typeLength = 1
    }
  }
}

function textAt(body: Buffer, start: number): string {
  return body.toString('utf8', start, body.indexOf(0, start))
}

function parametersOf(body: Buffer): readonly string[] {
  let at = body.indexOf(0, body.indexOf(0) + 1) + 1
  at += 2 + 2 * body.readInt16BE(at)
  const count = body.readInt16BE(at)
  at += 2
  return Array.from({ length: count }, () => {
    const length = body.readInt32BE(at)
    const value = length === -1 ? 'null' : body.toString('utf8', at + 4, at + 4 + length)
    at += 4 + Math.max(length, 0)
    return value
  })
}
