import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'

/** Node.js publishes each TCP socket here that a program opens. Source: Node.js docs, Diagnostics Channel. */
const opened = 'net.client.socket'

/**
 * Runs work, and destroys the sockets that it opens when the signal aborts. For libraries that leave sockets open when
 * connecting takes too long, and give no access to them.
 */
export async function endSocketsWith<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  const within = new AsyncLocalStorage<true>()
  const onSocket = (message: unknown): void => {
    if (within.getStore() !== true) return
    const { socket } = message as { readonly socket: Socket }
    const end = (): void => {
      socket.destroy()
    }
    if (signal.aborted) end()
    signal.addEventListener('abort', end, { once: true })
  }
  subscribe(opened, onSocket)
  try {
    return await within.run(true, work)
  } finally {
    unsubscribe(opened, onSocket)
  }
}
