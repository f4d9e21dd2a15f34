import { type AddressInfo, createServer, type Socket } from 'node:net'

export interface TcpServer {
  readonly address: string
  readonly port: number
  /** Sockets that are open now. */
  readonly open: ReadonlySet<Socket>
  /** Number of sockets that were ever opened. */
  readonly accepted: () => number
  close(): Promise<void>
}

/** Starts a server at a free port of this machine, which gives each connection to a function. */
export async function startTcpServer(onConnection: (socket: Socket) => void, host = '127.0.0.1'): Promise<TcpServer> {
  const open = new Set<Socket>()
  let accepted = 0
  const server = createServer((socket) => {
    open.add(socket)
    accepted += 1
    socket.on('error', () => {}).once('close', () => open.delete(socket))
    onConnection(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  return {
    address: `localhost:${port}`,
    port,
    open,
    accepted: () => accepted,
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/**
 * Calls a function with each frame of a socket.
 *
 * @param lengthOf number of bytes of the frame that the bytes begin with; undefined while that is not known.
 */
export function onFrames(
  socket: Socket,
  lengthOf: (bytes: Buffer) => number | undefined,
  onFrame: (frame: Buffer) => void,
): void {
  let rest: Buffer = Buffer.alloc(0)
  socket.on('data', (bytes) => {
    rest = Buffer.concat([rest, bytes])
    for (let length = lengthOf(rest); length !== undefined && length <= rest.length; length = lengthOf(rest)) {
      const frame = rest.subarray(0, length)
      rest = rest.subarray(length)
      onFrame(frame)
    }
  })
}
