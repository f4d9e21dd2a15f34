import { createServer, request as forward } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from 'node:net'

/** Stands between a client and a server. */
export interface Gate {
  /** Host and port. */
  readonly address: string
  close(): Promise<void>
}

/** What a request asks for. */
export interface Asked {
  readonly method: string
  readonly path: string
}

/**
 * Before an HTTP server. A request goes on when all of it has come, and then as a whole, whoever asked being alive or not.
 * @param mayPass false holds a request back for ever.
 */
export async function startHttpGate(origin: string, mayPass: (asked: Asked) => boolean): Promise<Gate> {
  const gate = createServer(async (incoming, outgoing) => {
    const { method = '', url: path = '', headers } = incoming
    const chunks: Uint8Array[] = []
    try {
      for await (const chunk of incoming) chunks.push(chunk)
    } catch {
      return
    }
    if (!mayPass({ method, path })) return
    const { hostname, port } = new URL(origin)
    const passed = forward({ hostname, port, method, path, headers }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 500, reply.headers)
      reply.pipe(outgoing)
    })
    passed.on('error', () => outgoing.destroy())
    passed.end(Buffer.concat(chunks))
  })
  return listening(gate, () => gate.closeAllConnections())
}

/**
 * Before a server that speaks anything over TCP.
 * @param pass how much of what a client sends goes on; less than all of it holds back whatever comes later.
 */
export async function startTcpGate(address: string, pass: (chunk: Buffer) => number): Promise<Gate> {
  const [host, port] = address.split(':')
  const sockets = new Set<{ destroy(): unknown }>()
  const gate = createTcpServer((client) => {
    const server = connect(Number(port), host)
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        server.end()
      })
    }
    let isHeld = false
    client.on('data', (chunk: Buffer) => {
      if (isHeld) return
      const bytes = pass(chunk)
      isHeld = bytes < chunk.length
      server.write(chunk.subarray(0, bytes))
    })
    server.pipe(client)
  })
  return listening(gate, () => {
    for (const socket of sockets) socket.destroy()
  })
}

async function listening(gate: Server, letGo: () => void): Promise<Gate> {
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${(gate.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        gate.close(() => resolve())
        letGo()
      }),
  }
}
