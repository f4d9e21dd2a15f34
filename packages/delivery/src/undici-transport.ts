import type { LookupFunction } from 'node:net'
import type { DeliveryRequest } from '@sluice/destinations'
import { Agent, type Dispatcher, request as undiciRequest } from 'undici'
import { addressRefused, createAddressGuard } from './address-guard.ts'
import { type EncodedRequest, encodeRequest } from './encode-request.ts'
import { hostOf, type Reply, type Transport, type TransportResult } from './transport.ts'

export interface UndiciTransportOptions {
  /** Time to open a connection, DNS and TLS included. Default 5,000. */
  readonly connectTimeMs?: number
  /** Connections to one origin; further requests wait for one, within their time. Default 16. */
  readonly connectionsPerOriginMax?: number
  /** Origins with open connections, for events may choose their address. Default 1,000. */
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

/** A transport that holds connections. */
export interface ClosableTransport extends Transport {
  /** Waits for what is under way, then lets go of all connections. Calling it twice is fine. */
  close(): Promise<void>
}

/**
 * Sends over HTTP/1.1 with kept-alive connections. Redirects are answered as they come, not followed: a request with
 * credentials goes where the settings say and nowhere else. Only public addresses are reached, but for those allowed: a
 * host is judged by the address that is really connected to.
 *
 * @throws RangeError when a range of `allowAddresses` cannot be read.
 */
export function createUndiciTransport(options: UndiciTransportOptions = {}): ClosableTransport {
  const { connectTimeMs = 5_000, connectionsPerOriginMax = 16, originsMax = 1_000, replyBytesMax = 65_536 } = options
  const guard = createAddressGuard(options.allowAddresses ?? [], options.lookup)
  const agent = new Agent({
    connect: { timeout: connectTimeMs, lookup: guard.lookup },
    connections: connectionsPerOriginMax,
    maxOrigins: originsMax,
    // The time of the whole exchange is kept by `send`; these two only limit parts of it, and coarsely.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  let closing: Promise<void> | undefined

  async function exchange(encoded: EncodedRequest, signal: AbortSignal): Promise<Reply> {
    const { method, url, headers, body } = encoded
    guard.check(url)
    // undici refuses methods that are no HTTP token, so the type says more than it needs.
    const response = await undiciRequest(url, {
      dispatcher: agent,
      method: method as Dispatcher.HttpMethod,
      headers,
      body,
      signal,
    })
    return {
      kind: 'reply',
      status: response.statusCode,
      headers: joinHeaders(response.headers),
      body: await readText(response.body, replyBytesMax),
    }
  }

  return {
    async send(request, { signal, timeMs }): Promise<TransportResult> {
      signal.throwIfAborted()
      const stop = new AbortController()
      const onAbort = (): void => stop.abort()
      signal.addEventListener('abort', onAbort)
      let timedOut = false
      const timer = setTimeout(() => {
        timedOut = true
        stop.abort()
      }, timeMs)
      try {
        return await exchange(encodeRequest(request), stop.signal)
      } catch (error) {
        signal.throwIfAborted()
        if (!timedOut) return toFailure(error, request)
        const message = `${hostOf(request)} gave no complete reply within ${timeMs} ms.`
        return { kind: 'network', code: 'ETIMEDOUT', message }
      } finally {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
      }
    },
    close: () => {
      closing ??= agent.close()
      return closing
    },
  }
}

/** What undici and URL refuse before anything is sent. */
const unsendableCodes = new Set([
  'ERR_INVALID_URL',
  'UND_ERR_INVALID_ARG',
  'UND_ERR_NOT_SUPPORTED',
  'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
])

/** Tells by code, not by the text of the error, which may quote the request. */
function toFailure(error: unknown, request: DeliveryRequest): TransportResult {
  const code = codeOf(error)
  if (code === addressRefused) {
    const message = `${hostOf(request)} is not a public address; allow it by choice if you mean it (allowAddresses).`
    return { kind: 'unsendable', code, message }
  }
  if (unsendableCodes.has(code)) {
    const message = `The request cannot be sent as it is (${code}); check its address, method and headers.`
    return { kind: 'unsendable', code, message }
  }
  return { kind: 'network', code, message: `${hostOf(request)} could not be reached or broke off (${code}).` }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

function joinHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  )
}

async function readText(body: Dispatcher.ResponseData['body'], bytesMax: number): Promise<string> {
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
