import { parseUrl } from '@sluice/core'
import type { DeliveryRequest } from '@sluice/destinations/kit'
import { withinTime } from '../time/within-time.ts'
import { hostOf, type Reply, type SendOptions, type Transport, type TransportResult } from '../transport.ts'
import { type EncodedRequest, encodeRequest } from './encode-request.ts'

export interface FetchTransportOptions {
  /** Maximum of bytes read of a reply. The rest is left. Default 65,536. */
  readonly replyBytesMax?: number
}

/**
 * Creates a transport that sends with the platform's `fetch`, for browsers, Deno, Bun and Workers-like platforms. Unlike
 * the transport of Node it cannot check the addresses that it connects to: use it only where the platform keeps requests
 * from internal services, or people who configure destinations may reach them. Redirects are not followed,
 * and nothing is compressed.
 */
export function createFetchTransport({ replyBytesMax = 65_536 }: FetchTransportOptions = {}): Transport {
  return {
    send(request, options) {
      const encoded = encodedOf(request)
      if (encoded === undefined)
        return Promise.resolve({
          kind: 'unsendable',
          code: 'ERR_INVALID_URL',
          message: 'The request cannot be sent (ERR_INVALID_URL); its address must begin with http:// or https://.',
        })
      return withinTime(request, options, (signal) =>
        exchange(request, encoded, { ...options, signal, replyBytesMax: options.replyBytesMax ?? replyBytesMax }),
      )
    },
  }
}

function encodedOf(request: DeliveryRequest): EncodedRequest | undefined {
  return /^https?:\/\//i.test(request.endpoint) && parseUrl(request.endpoint) ? encodeRequest(request) : undefined
}

async function exchange(
  request: DeliveryRequest,
  { method, url, headers, body }: EncodedRequest,
  { signal, replyBytesMax }: Required<Pick<SendOptions, 'signal' | 'replyBytesMax'>>,
): Promise<TransportResult> {
  try {
    const response = await fetch(url, { method, headers, body, redirect: 'manual', signal })
    // Pages learn nothing of a redirect.
    if (response.type === 'opaqueredirect') return failure(request, 'EREDIRECT', 'answered with a redirect')
    return await replyOf(response, replyBytesMax)
  } catch {
    // The text of the error may quote the request, and it has no code.
    return failure(request, 'EFETCH', 'could not be reached, or the connection broke')
  }
}

function failure(request: DeliveryRequest, code: string, what: string): TransportResult {
  return { kind: 'network', code, message: `${hostOf(request)} ${what} (${code}).` }
}

async function replyOf(response: Response, bytesMax: number): Promise<Reply> {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let body = ''
  let left = bytesMax
  for (let read = await reader?.read(); read !== undefined && !read.done; read = await reader?.read()) {
    body += decoder.decode(read.value.subarray(0, left), { stream: true })
    left -= read.value.length
    if (left >= 0) continue
    await reader?.cancel()
    break
  }
  const headers = Object.fromEntries(response.headers)
  const reply = { kind: 'reply', status: response.status, headers, body: body + decoder.decode() } as const
  return left < 0 ? { ...reply, isCut: true } : reply
}
