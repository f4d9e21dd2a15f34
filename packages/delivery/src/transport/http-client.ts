import type { LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import type { DeliveryRequest } from '@sluice/destinations'
import { LRUCache } from 'lru-cache'
import type { Agent, Dispatcher, request as undiciRequest } from 'undici'
import { sendFailure } from '../deliver/send-failure.ts'
import { withinTime } from '../deliver/within-time.ts'
import { createAddressGuard } from './address-guard.ts'
import type { EncodedRequest } from './encode-request.ts'
import { createLookupTurns } from './lookup-turns.ts'
import type { Reply, SendOptions, TransportResult } from './transport.ts'

export interface HttpClientOptions {
  /** Time to open a connection, DNS and TLS included. Default 5,000. */
  readonly connectTimeMs?: number
  /** Connections of one owner to one origin; further requests wait for one, within their time. Default 16. */
  readonly connectionsPerOriginMax?: number
  /** Origins to which one owner has open connections, for events may choose their address. Default 1,000. */
  readonly originsMax?: number
  /** How much of a reply is read; the rest is cut off together with its connection. Default 65,536. */
  readonly replyBytesMax?: number
  /**
   * Ranges like `10.1.0.0/16` that requests may go to although they are not public; `'localhost'` stands for this machine.
   * Default none: people who configure destinations, and events that choose their address, must not reach what only this
   * machine can.
   */
  readonly allowAddresses?: readonly string[]
  /** Looks up host names; default the system's resolver. */
  readonly lookup?: LookupFunction
}

/** Owners with connections; the one that sent least recently closes its idle ones beyond that. */
const ownersMax = 1_000

/** A reply whose body is still on its way. */
export interface OpenReply {
  readonly status: number
  /** As those of `Reply`. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readable
}

/** Kept-alive HTTP/1.1 connections, and what can go wrong on them as values. */
export interface HttpClient {
  /** Sends what `encode` makes of a request; what it throws says that the request cannot be sent. Follows no redirect. */
  exchange(
    request: DeliveryRequest,
    encode: () => EncodedRequest | Promise<EncodedRequest>,
    options: SendOptions,
  ): Promise<TransportResult>
  /**
   * Sends a request whose reply may be of any length, to be read piece by piece; left unread it has to be destroyed.
   * Rejects with what `sendFailure` understands.
   */
  open(request: EncodedRequest, options: Pick<SendOptions, 'signal' | 'owner'>): Promise<OpenReply>
  /** Waits for what is under way, then lets go of all connections. Calling it twice is fine. */
  close(): Promise<void>
}

/**
 * Opens connections when they are needed. Only public addresses are reached, but for those allowed: a host is judged by the
 * address that is really connected to.
 *
 * @throws RangeError when a range of `allowAddresses` cannot be read.
 */
export function createHttpClient(options: HttpClientOptions = {}): HttpClient {
  const { connectTimeMs = 5_000, connectionsPerOriginMax = 16, originsMax = 1_000, replyBytesMax = 65_536 } = options
  const guard = createAddressGuard(options.allowAddresses ?? [], options.lookup)
  const turns = createLookupTurns(guard.lookup)
  let client: Client | undefined
  let loading: Promise<Client> | undefined
  let closing: Promise<void> | undefined

  /** Loaded with the first request: whoever only maps events, as offline tools do, would wait for nothing. */
  async function load(): Promise<Client> {
    const { Agent, request } = await import('undici')
    const agents = new LRUCache<string, Agent>({
      max: ownersMax,
      // What is under way ends first.
      dispose: (agent) => void agent.close(),
    })
    const agentOf = (owner: string): Agent => {
      const known = agents.get(owner)
      if (known) return known
      const agent = new Agent({
        connect: { timeout: connectTimeMs, lookup: turns.of(owner) },
        connections: connectionsPerOriginMax,
        maxOrigins: originsMax,
        // The time of the whole exchange is kept by `withinTime`; these two only limit parts of it, and coarsely.
        headersTimeout: 0,
        bodyTimeout: 0,
      })
      // What is sent after `close` fails.
      if (closing) void agent.close()
      agents.set(owner, agent)
      return agent
    }
    const close = async (): Promise<void> => {
      await Promise.all([...agents.values()].map((agent) => agent.close()))
    }
    client = { agentOf, close, request }
    return client
  }
  const loaded = (): Promise<Client> => {
    loading ??= load()
    return loading
  }

  async function open(
    { method, url, headers, body }: EncodedRequest,
    { signal, owner = '' }: Pick<SendOptions, 'signal' | 'owner'>,
  ): Promise<OpenReply> {
    guard.check(url)
    const { agentOf, request } = client ?? (await loaded())
    const dispatcher = agentOf(owner)
    // undici refuses methods that are no HTTP token, so the type says more than it needs.
    const response = await request(url, {
      dispatcher,
      method: method as Dispatcher.HttpMethod,
      headers,
      body,
      signal,
    })
    return { status: response.statusCode, headers: joinHeaders(response.headers), body: response.body }
  }

  async function reply(request: EncodedRequest, options: Pick<SendOptions, 'signal' | 'owner'>): Promise<Reply> {
    const { body, ...rest } = await open(request, options)
    return { kind: 'reply', ...rest, body: await readText(body, replyBytesMax) }
  }

  return {
    exchange: (request, encode, sendOptions) => {
      const send = () =>
        withinTime(request, sendOptions, async (stopped) => {
          try {
            return await reply(await encode(), { ...sendOptions, signal: stopped })
          } catch (error) {
            return sendFailure(error, request)
          }
        })
      // Loading is not the other side's time.
      return client === undefined ? loaded().then(send) : send()
    },
    open,
    close: () => {
      closing ??= (loading ?? Promise.resolve(undefined)).then((opened) => opened?.close())
      return closing
    },
  }
}

interface Client {
  /** The connections of an owner. */
  agentOf(owner: string): Agent
  close(): Promise<void>
  readonly request: typeof undiciRequest
}

function joinHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  )
}

async function readText(body: Readable, bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    bytes += chunk.length
    // Leaving the loop destroys the body and its connection, which is what stops an endless reply.
    if (bytes > bytesMax) break
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, bytesMax))
}
