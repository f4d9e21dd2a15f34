import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import type { FetchArea } from '../create-sluice.ts'
import { CliError } from './cli-error.ts'

export interface Listener {
  readonly port: number
  /** Takes no more requests, waits for those under way, at most `deadlineMs`. */
  close(deadlineMs: number): Promise<void>
}

/** A client that takes longer than this to send its headers or its request is cut off. */
const headersTimeoutMs = 10_000
const requestTimeoutMs = 30_000
const keepAliveTimeoutMs = 5_000

/** Serves a fetch handler over HTTP. @param port 0 takes a free one. @param flag the one that sets the port, for the error. */
export async function listen(handler: FetchArea, host: string, port: number, flag: string): Promise<Listener> {
  const serverOptions = {
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    connectionsCheckingInterval: 1_000,
  }
  const server = createAdaptorServer({
    fetch: (request, env) => handler.fetch(request, env),
    serverOptions,
    overrideGlobalObjects: false,
  }) as Server
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new CliError(listenText(error, host, port, flag))))
    server.listen(port, host, resolve)
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: (deadlineMs) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => server.closeAllConnections(), deadlineMs)
        server.close(() => {
          clearTimeout(timer)
          resolve()
        })
        server.closeIdleConnections()
      }),
  }
}

function listenText({ code, message }: NodeJS.ErrnoException, host: string, port: number, flag: string): string {
  if (code === 'EADDRINUSE')
    return `port ${port} on ${host} is in use; choose another with ${flag} (0 takes a free one)`
  if (code === 'EACCES')
    return `port ${port} on ${host} is not allowed for this user; choose one above 1023 with ${flag}`
  return `cannot listen on ${host}:${port}: ${message}`
}
