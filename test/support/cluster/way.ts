import { connect, createServer, type Socket } from 'node:net'

/** A way to a port of this machine, which can be cut, mended, and led elsewhere. */
export interface Way {
  readonly port: number
  /** From now on everything is silently lost, also of open connections. */
  cut(): void
  /** New connections get through. Open ones end: what was lost of them is lost. */
  mend(): void
  /** Leads to another port, like an address that moves to another machine. */
  turnTo(port: number): void
  close(): void
}

/** @param host the address to listen on. */
export async function startWay(to: number, host = '127.0.0.1'): Promise<Way> {
  let isCut = false
  let target = to
  const sockets = new Set<Socket>()
  const end = (): void => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    for (const [from, onward] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => isCut || onward.write(bytes))
      from.on('error', () => {})
      from.on('close', () => onward.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    cut: () => {
      isCut = true
    },
    mend: () => {
      isCut = false
      end()
    },
    turnTo: (port) => {
      target = port
      end()
    },
    close: () => {
      end()
      server.close()
    },
  }
}
