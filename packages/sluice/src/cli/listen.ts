import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import type { FetchArea } from '../sluice.ts'
import { CliError } from './cli-error.ts'

export interface Listener {
  readonly port: number
  /** Takes no more connections, answers what was begun on those there are, and cuts them off after `deadlineMs`. */
  close(deadlineMs: number): Promise<void>
}

/** What clients may cost. */
export interface ListenLimits {
  /** Connections at a time; those beyond are told 503, and cut off unheard where they are a tenth more. */
  readonly connectionsMax: number
  /** A client that takes longer than this to send its headers, its first ones included, is cut off ... */
  readonly headersTimeoutMs: number
  /** ... or its whole request ... */
  readonly requestTimeoutMs: number
  /** ... or between two requests. */
  readonly keepAliveTimeoutMs: number
  /** A connection on which nothing moves is cut: its client does not read. */
  readonly silenceTimeoutMs: number
  /** While an answer is being made nothing moves either; from then on that is no excuse. Longer than a backup takes. */
  readonly answerTimeoutMs: number
}

export const defaultListenLimits: ListenLimits = {
  connectionsMax: 10_000,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 5_000,
  silenceTimeoutMs: 180_000,
  answerTimeoutMs: 3_600_000,
}

export interface ListenOptions {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** The one that sets the port, for the error. */
  readonly flag: string
  readonly limits?: Partial<ListenLimits>
}

/** Requests that wait on one connection for the one before them; a client that sends more without reading is cut off. */
const pipelinedMax = 100
/** How many connections there may be that are told there is no room. */
const refusedShare = 0.1
const retryAfterSeconds = '5'

/** Serves a fetch handler over HTTP. */
export async function listen(handler: FetchArea, { host, port, flag, ...given }: ListenOptions): Promise<Listener> {
  const limits = { ...defaultListenLimits, ...given.limits }
  const sockets = new Set<Socket>()
  const refused = new WeakSet<Socket>()
  const waiting = new WeakMap<Socket, number>()
  /** Since when an answer is being made. */
  const answering = new WeakMap<Socket, number>()
  let isClosing = false

  /** Otherwise the answers of all would be kept in memory until the first one is read. @returns false when there is no turn. */
  async function ownTurn(socket: Socket, outgoing: ServerResponse): Promise<boolean> {
    const before = waiting.get(socket) ?? 0
    if (before >= pipelinedMax) {
      socket.destroy()
      return false
    }
    waiting.set(socket, before + 1)
    await once(outgoing, 'socket')
    waiting.set(socket, (waiting.get(socket) ?? 1) - 1)
    return true
  }

  async function answerOf(response: Promise<Response> | Response, socket: Socket): Promise<Response> {
    answering.set(socket, performance.now())
    try {
      return await response
    } finally {
      answering.delete(socket)
    }
  }

  const server = createAdaptorServer({
    fetch: async (request, env) => {
      const { incoming, outgoing } = env as { incoming: IncomingMessage; outgoing: ServerResponse }
      if (outgoing.socket === null && !(await ownTurn(incoming.socket, outgoing))) return noRoom()
      const isRefused = refused.has(incoming.socket)
      const response = isRefused ? noRoom() : await answerOf(handler.fetch(request, env), incoming.socket)
      // Says so to the client, which then sends nothing more that nobody would answer.
      if (isRefused || isClosing) outgoing.shouldKeepAlive = false
      return response
    },
    serverOptions: {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      connectionsCheckingInterval: Math.min(1_000, limits.headersTimeoutMs, limits.requestTimeoutMs),
    },
    overrideGlobalObjects: false,
  }) as Server
  server.timeout = limits.silenceTimeoutMs
  server.on('timeout', (socket) => {
    const since = answering.get(socket)
    if (since === undefined || performance.now() - since >= limits.answerTimeoutMs) socket.destroy()
    else socket.setTimeout(limits.silenceTimeoutMs)
  })
  server.maxConnections = limits.connectionsMax + Math.ceil(limits.connectionsMax * refusedShare)
  server.on('connection', (socket) => {
    if (sockets.size >= limits.connectionsMax) refused.add(socket)
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new CliError(listenText(error, host, port, flag))))
    server.listen(port, host, resolve)
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: (deadlineMs) =>
      new Promise((resolve) => {
        isClosing = true
        const timer = setTimeout(() => server.closeAllConnections(), deadlineMs)
        server.close(() => {
          clearTimeout(timer)
          resolve()
        })
        server.closeIdleConnections()
        // Those that never said a word do not count as idle.
        for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
      }),
  }
}

function noRoom(): Response {
  return new Response('too many connections\n', {
    status: 503,
    headers: { 'retry-after': retryAfterSeconds, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
  })
}

function listenText({ code, message }: NodeJS.ErrnoException, host: string, port: number, flag: string): string {
  if (code === 'EADDRINUSE')
    return `port ${port} on ${host} is in use; choose another with ${flag} (0 takes a free one)`
  if (code === 'EACCES')
    return `port ${port} on ${host} is not allowed for this user; choose one above 1023 with ${flag}`
  return `cannot listen on ${host}:${port}: ${message}`
}
