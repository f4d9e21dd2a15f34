import { createServer, request as forward } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from 'node:net'

/** A proxy between a client and a server. */
export interface Gate {
  /** Host and port. */
  readonly address: string
  close(): Promise<void>
}

/** The request line of a request. */
export interface Asked {
  readonly method: string
  readonly path: string
}

/**
 * Starts a proxy in front of an HTTP server. It forwards a request as a whole when all of it has arrived, even if the
 * client is gone.
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
 * Starts a proxy in front of a TCP server.
 * @param pass returns how many bytes of a chunk to forward; after a chunk that is not forwarded completely, everything
 * is held back.
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

async function listening(gate: Server, closeConnections: () => void): Promise<Gate> {
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${(gate.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        gate.close(() => resolve())
        closeConnections()
      }),
  }
}
