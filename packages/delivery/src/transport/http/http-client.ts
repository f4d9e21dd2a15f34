import type { LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import type { DeliveryRequest } from '@sluice/destinations'
import type { Agent, Dispatcher, request as undiciRequest } from 'undici'
import { LRUCache } from '#inlined/lru-cache'
import { createAddressGuard } from '../sockets/address-guard.ts'
import { createLookupTurns, type LookupTurns } from '../sockets/lookup-turns.ts'
import { createRecheckBeforeWrite, type RecheckOptions } from '../sockets/recheck-before-write.ts'
import { DeadlineQueue } from '../time/deadline-queue.ts'
import type { Sending, SendOptions, TransportResult } from '../transport.ts'
import type { EncodedRequest } from './encode-request.ts'
import { HttpExchange } from './http-exchange.ts'
import { joinHeaders } from './join-headers.ts'

export interface HttpClientOptions {
  /** Time limit to open a connection in milliseconds, including DNS and TLS. Default 5,000. */
  readonly connectTimeMs?: number
  /** Maximum of connections of one owner to one origin; further requests wait, within their time limit. Default 16. */
  readonly connectionsPerOriginMax?: number
  /** Maximum of origins that one owner is connected to, since events may choose addresses. Default 1,000. */
  readonly originsMax?: number
  /** Maximum of bytes read of a reply. Longer replies are cut off and their connection is closed. Default 65,536. */
  readonly replyBytesMax?: number
  /**
   * Non-public ranges that requests may reach, such as `10.1.0.0/16`; `'localhost'` means this machine. Default: none,
   * so that people who configure destinations, and events that choose addresses, cannot reach internal services.
   */
  readonly allowAddresses?: readonly string[]
  /** Looks up host names. Default: the system's resolver. */
  readonly lookup?: LookupFunction
  /**
   * Asked of every request like `SendOptions.mayLeave`, as when the process was stopped meanwhile. Default: all may leave.
   */
  readonly mayLeave?: () => boolean
}

/** Maximum of owners with connections; beyond it, the least recently used owner's connections are closed when idle. */
const ownersMax = 1_000

/** A reply whose body has not been read yet. */
export interface OpenReply {
  readonly status: number
  /** See `Reply`. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readable
}

/** HTTP/1.1 client with kept-alive connections. */
export interface HttpClient {
  /**
   * Sends the result of `encode`. Failures are values; an error of `encode` means the request cannot be sent. Follows
   * no redirects.
   */
  exchange(
    request: DeliveryRequest,
    encode: () => EncodedRequest | Promise<EncodedRequest>,
    options: SendOptions,
  ): Promise<TransportResult>
  /**
   * Sends a request whose reply may have any length. The caller must read or destroy its body. Rejects with errors that
   * `sendFailure` understands.
   */
  open(request: EncodedRequest, options: Sending & Pick<SendOptions, 'owner'>): Promise<OpenReply>
  /** Waits for pending requests, then closes all connections. Can be called twice. */
  close(): Promise<void>
}

/**
 * Creates a client that connects on demand. It reaches only public and explicitly allowed addresses. The check applies
 * to the address that is actually connected to.
 *
 * @param sharedTurns look-ups that the client shares with other clients, which check addresses as this one would.
 * @throws RangeError when a range of `allowAddresses` cannot be read.
 */
export function createHttpClient(options: HttpClientOptions = {}, sharedTurns?: LookupTurns): HttpClient {
  const { connectTimeMs = 5_000, connectionsPerOriginMax = 16, originsMax = 1_000, replyBytesMax = 65_536 } = options
  const guard = createAddressGuard(options.allowAddresses ?? [], options.lookup)
  const mayLeave = options.mayLeave ?? (() => true)
  const deadlines = new DeadlineQueue()
  const turns = sharedTurns ?? createLookupTurns(guard.lookup)
  let client: Client | undefined
  let loading: Promise<Client> | undefined
  let closing: Promise<void> | undefined

  /** Loads undici with the first request. Tools that only map events never need it. */
  async function load(): Promise<Client> {
    const { Agent, DecoratorHandler, request } = await import('undici')
    const recheckBeforeWrite = createRecheckBeforeWrite(DecoratorHandler, mayLeave)
    const agents = new LRUCache<string, OwnAgent>({
      max: ownersMax,
      // `close` waits for pending requests.
      dispose: ({ agent }) => void agent.close(),
    })
    const ownAgentOf = (owner: string): OwnAgent => {
      const known = agents.get(owner)
      if (known) return known
      const agent = new Agent({
        connect: { timeout: connectTimeMs, lookup: turns.of(owner) },
        connections: connectionsPerOriginMax,
        maxOrigins: originsMax,
        // `withinTime` limits the whole exchange; these two would only limit parts of it, and imprecisely.
        headersTimeout: 0,
        bodyTimeout: 0,
      })
      // Requests after `close` must fail.
      if (closing) void agent.close()
      const own = { agent, rechecking: agent.compose(recheckBeforeWrite) }
      agents.set(owner, own)
      return own
    }
    const close = async (): Promise<void> => {
      await Promise.all([...agents.values()].map(({ agent }) => agent.close()))
    }
    client = {
      agentOf: (owner) => ownAgentOf(owner).agent,
      recheckingOf: (owner) => ownAgentOf(owner).rechecking,
      close,
      request,
    }
    return client
  }
  const loaded = (): Promise<Client> => {
    loading ??= load()
    return loading
  }

  async function open(
    { method, url, headers, body }: EncodedRequest,
    { signal, owner = '', mayLeave }: Sending & Pick<SendOptions, 'owner'>,
  ): Promise<OpenReply> {
    guard.check(url)
    const { recheckingOf, request } = client ?? (await loaded())
    const dispatcher = recheckingOf(owner)
    // The cast is safe: undici refuses methods that are not HTTP tokens.
    const sent: Parameters<typeof undiciRequest>[1] & RecheckOptions = {
      dispatcher,
      method: method as Dispatcher.HttpMethod,
      headers,
      body,
      signal,
      mayLeave,
    }
    const response = await request(url, sent)
    return { status: response.statusCode, headers: joinHeaders(response.headers), body: response.body }
  }

  function send(
    { agentOf }: Client,
    request: DeliveryRequest,
    encode: () => EncodedRequest | Promise<EncodedRequest>,
    { signal, timeMs, owner = '', mayLeave: mayThisLeave, replyBytesMax: bytesMax = replyBytesMax }: SendOptions,
  ): Promise<TransportResult> {
    if (signal.aborted) return Promise.reject(signal.reason)
    return new Promise((resolve, reject) => {
      const mayLeaveNow = () => mayLeave() && mayThisLeave?.() !== false
      const limits = { signal, timeMs, bytesMax, mayLeave: mayLeaveNow, deadlines }
      const exchange = new HttpExchange(request, limits, { resolve, reject })
      const dispatch = ({ method, url, headers, body }: EncodedRequest): void => {
        if (exchange.hasEnded) return
        const { origin, pathname, protocol, search } = url
        if (protocol !== 'http:' && protocol !== 'https:') throw new OtherProtocolError(protocol)
        guard.check(url)
        // The cast is safe: undici refuses methods that are not HTTP tokens.
        const sent = { origin, path: `${pathname}${search}`, method: method as Dispatcher.HttpMethod, headers, body }
        agentOf(owner).dispatch(sent, exchange)
      }
      try {
        const encoded = encode()
        if (encoded instanceof Promise) encoded.then(dispatch).catch((error) => exchange.failed(error))
        else dispatch(encoded)
      } catch (error) {
        exchange.failed(error)
      }
    })
  }

  return {
    // Loading must not count against the time limit.
    exchange: (request, encode, sendOptions) =>
      client === undefined
        ? loaded().then((opened) => send(opened, request, encode, sendOptions))
        : send(client, request, encode, sendOptions),
    open,
    close: () => {
      closing ??= (loading ?? Promise.resolve(undefined)).then((opened) => opened?.close())
      return closing
    },
  }
}

/** The connections of an owner, and the same for requests that are asked once more right before they are written. */
interface OwnAgent {
  readonly agent: Agent
  readonly rechecking: Dispatcher
}

interface Client {
  /** Returns what sends requests over the connections of an owner. An exchange asks by itself whether it may leave. */
  agentOf(owner: string): Dispatcher
  recheckingOf(owner: string): Dispatcher
  close(): Promise<void>
  readonly request: typeof undiciRequest
}

/** The address has another protocol: such a request cannot be sent, like one whose address is invalid. */
class OtherProtocolError extends Error {
  readonly code = 'ERR_INVALID_URL'

  constructor(protocol: string) {
    super(`${protocol} is neither http: nor https:`)
  }
}
