import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { withDefaults } from '@sluice/core/with-defaults'
import type { NodeFetch, TakeFromNode } from '@sluice/http'
import { errorBody } from '@sluice/http/error-body'
import { withSafeHeaders } from '@sluice/http/safe-headers'
import type { FetchArea } from '../../../../sluice.ts'
import { toNodeListener } from '../../../../to-node-listener.ts'
import { CliError } from '../../../cli-error.ts'
import { createPipelines } from '../pipelines.ts'
import { answerBrokenRequests } from './answer-broken-requests.ts'
import { createOpenConnections } from './open-connections.ts'

export interface Listener {
  readonly port: number
  /** Accepts no more connections, answers requests in progress, and closes all connections after `deadlineMs`. */
  close(deadlineMs: number): Promise<void>
}

/** Limits for clients. */
interface ListenLimits {
  /**
   * Open connections. For one beyond, another is closed, see `OpenConnections`. When there is none to close, it is
   * answered 503, and those beyond 110 % are closed immediately.
   */
  readonly connectionsMax: number
  /** Time for a client to send its headers. A slower one is disconnected. */
  readonly headersTimeoutMs: number
  /** Time for a client to send its whole request. */
  readonly requestTimeoutMs: number
  /** Time between two requests on a connection. */
  readonly keepAliveTimeoutMs: number
  /** Time without traffic after which a connection is closed, because its client does not read. */
  readonly silenceTimeoutMs: number
  /** Time for preparing an answer, during which a silent connection stays open. Longer than a backup takes. */
  readonly answerTimeoutMs: number
}

export const defaultListenLimits: ListenLimits = {
  connectionsMax: 10_000,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  // Load balancers close idle connections after 60 s, and reuse one until then: this side must not close it first.
  keepAliveTimeoutMs: 75_000,
  silenceTimeoutMs: 180_000,
  answerTimeoutMs: 3_600_000,
}

/** A request of Node's server and its answer. */
interface Exchange {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

interface ListenOptions {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** Flag that sets the port, for error messages. */
  readonly flag: string
  readonly limits?: Partial<ListenLimits>
  /** Called for each connection that finds no room. */
  onRefused?(): void
}

/** Share of additional connections that are answered 503. */
const refusedShare = 0.1
const retryAfterSeconds = '5'

/** Serves a fetch handler over HTTP. */
export async function listen(
  handler: FetchArea,
  { host, port, flag, onRefused, ...given }: ListenOptions,
): Promise<Listener> {
  const limits = withDefaults(defaultListenLimits, given.limits)
  const refused = new WeakSet<Socket>()
  const pipelines = createPipelines()
  /** Start of the answer in progress. */
  const answering = new WeakMap<Socket, number>()
  /** Requests from their headers to the end of their answer. */
  const requests = new WeakMap<Socket, IncomingMessage>()
  const connections = createOpenConnections({
    max: limits.connectionsMax,
    closable: (socket) => {
      if (!requests.get(socket)?.complete) return 'first'
      // A client could hold its connection by not reading an answer; but the answer may be a backup.
      return answering.has(socket) ? 'never' : 'last'
    },
  })
  let isClosing = false

  /** Keeps account of a request while its answer is prepared. */
  async function prepare<Answer>({ incoming, outgoing }: Exchange, answer: () => Promise<Answer>): Promise<Answer> {
    const { socket } = incoming
    requests.set(socket, incoming)
    outgoing.once('close', () => {
      if (requests.get(socket) === incoming) requests.delete(socket)
    })
    answering.set(socket, performance.now())
    try {
      return await answer()
    } finally {
      answering.delete(socket)
      // Tells the client to send no further request on this connection.
      if (refused.has(socket) || isClosing) outgoing.shouldKeepAlive = false
    }
  }

  async function answer(request: Request, exchange: Exchange): Promise<Response> {
    const { incoming, outgoing } = exchange
    const response = await prepare(exchange, async () => {
      const refusal = refused.has(incoming.socket) ? noRoom() : refusedHost(incoming)
      return refusal ?? handler.fetch(request, exchange)
    })
    if (outgoing.socket !== null) return response
    // The connection closed before: writing a long answer to it would never end.
    await response.body?.cancel()
    return new Response(null, { status: response.status })
  }

  const fetch = async (request: Request, env: unknown): Promise<Response> => {
    const exchange = env as Exchange
    const turn = pipelines.inTurn(exchange.incoming, exchange.outgoing, () => answer(request, exchange))
    return (await turn) ?? noRoom()
  }
  const { takeFromNode }: NodeFetch = handler.fetch
  const takeInTurn: TakeFromNode = (incoming, outgoing) => {
    // Requests that find no room, or wait for earlier ones of their connection, are answered by `fetch`.
    if (outgoing.socket === null || refused.has(incoming.socket)) return undefined
    const taking = takeFromNode?.(incoming, outgoing)
    return taking && pipelines.inTurn(incoming, outgoing, () => prepare({ incoming, outgoing }, () => taking))
  }
  const listener = toNodeListener({ fetch: Object.assign(fetch, { takeFromNode: takeInTurn }) })
  const options = {
    // Node's own answer to a missing one has no body.
    requireHostHeader: false,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: Math.min(1_000, limits.headersTimeoutMs, limits.requestTimeoutMs),
  }
  const server = createServer(options, listener)
  // A client may end its side and still read the answers.
  Object.assign(server, { httpAllowHalfOpen: true })
  answerBrokenRequests(server)
  server.timeout = limits.silenceTimeoutMs
  server.on('timeout', (socket) => {
    const since = answering.get(socket)
    if (since === undefined || performance.now() - since >= limits.answerTimeoutMs) socket.destroy()
    else socket.setTimeout(limits.silenceTimeoutMs)
  })
  const answeredMax = limits.connectionsMax + Math.ceil(limits.connectionsMax * refusedShare)
  server.on('connection', (socket) => {
    // Ends streams whose client has left: nothing else says so until one writes to it.
    socket.on('end', () => requests.get(socket)?.method === 'GET' && socket.end())
    if (connections.add(socket)) return
    onRefused?.()
    if (connections.size > answeredMax) socket.destroy()
    else refused.add(socket)
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
        // Connections that never sent anything do not count as idle.
        for (const socket of connections.all()) if (socket.bytesRead === 0) socket.destroy()
      }),
  }
}

function noRoom(): Response {
  return withSafeHeaders(
    new Response('too many connections\n', { status: 503, headers: { 'retry-after': retryAfterSeconds } }),
  )
}

/**
 * HTTP/1.1 requires one host; health checks of HTTP/1.0 send none. With two, a proxy in front may have looked at the other
 * one.
 */
function refusedHost({ httpVersion, rawHeaders }: IncomingMessage): Response | undefined {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length
  if (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) return undefined
  const what = hosts === 0 ? 'it has no Host header' : 'it has more than one Host header'
  const body = errorBody('requestInvalid', `the request is invalid: ${what}`)
  return withSafeHeaders(Response.json(body, { status: 400, headers: { connection: 'close' } }))
}

function listenText({ code, message }: NodeJS.ErrnoException, host: string, port: number, flag: string): string {
  if (code === 'EADDRINUSE')
    return `port ${port} on ${host} is in use; choose another with ${flag} (0 takes a free one)`
  if (code === 'EACCES')
    return `port ${port} on ${host} is not allowed for this user; choose one above 1023 with ${flag}`
  return `cannot listen on ${host}:${port}: ${message}`
}
