import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A way to a server that can stop passing bytes on, or break. */
export interface SilencingProxy {
  readonly port: number
  /** From now on, nothing arrives on either side, and connections stay open. New ones are accepted as well. */
  silence(): void
  /** Closes all connections. New ones pass. */
  cut(): void
  /** Passes bytes of new connections again. */
  mend(): void
  /** Calls back, once, when bytes with this text come from a client, before they are passed on. They wait until `then` resolves. */
  before(text: string, then: () => unknown): void
  close(): void
}

/** Passes bytes on between clients and a server on this machine. */
export async function startSilencingProxy(serverPort: number): Promise<SilencingProxy> {
  const sockets = new Set<Socket>()
  let isSilent = false
  let watched: { readonly text: string; then(): unknown } | undefined
  const server = createServer((client) => {
    const up = connect(serverPort, '127.0.0.1')
    for (const [socket, other] of [
      [client, up],
      [up, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    let last: Promise<unknown> = Promise.resolve()
    client.on('data', (chunk) => {
      last = last.then(async () => {
        if (watched && chunk.includes(watched.text)) {
          const { then } = watched
          watched = undefined
          await then()
        }
        if (!isSilent && !up.destroyed) up.write(chunk)
      })
    })
    up.on('data', (chunk) => {
      if (!isSilent && !client.destroyed) client.write(chunk)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    silence: () => {
      isSilent = true
    },
    cut,
    mend: () => {
      isSilent = false
    },
    before: (text, then) => {
      watched = { text, then }
    },
    close: () => {
      server.close()
      cut()
    },
  }
}
