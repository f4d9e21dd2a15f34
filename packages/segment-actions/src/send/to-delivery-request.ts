import { formPairs, isJsonObject, type JsonObject, requireUrl } from '@sluice/core'
import { type DeliveryBody, type DeliveryRequest, query } from '@sluice/destinations/kit'
import type { SegmentRequestOptions } from '../peer/segment-definition.ts'

/** Largest body in bytes. */
const bodyBytesMax = 16 * 1024 * 1024

/**
 * Returns the HTTP request that the options of Segment's request client describe: `method`, `headers`, `json`, `body`,
 * `searchParams` (replace the query of the address), `username` and `password`.
 *
 * @param options merged, as `mergeOptions` returns them.
 * @throws TypeError when the address, a header or the body cannot be sent.
 */
export async function toDeliveryRequest(address: string, options: SegmentRequestOptions): Promise<DeliveryRequest> {
  const { method = 'get', searchParams, username, password, json, body } = options
  const headers = new Headers(options['headers'] as Headers)
  const url = requireUrl(address)
  // Segment ignores an empty text.
  if (searchParams)
    url.search = new URLSearchParams(
      typeof searchParams === 'string' ? formPairs(searchParams) : (searchParams as Record<string, string>),
    ).toString()
  if (username || password) headers.set('authorization', basic(String(username ?? ''), String(password ?? '')))
  const content = json === undefined ? await contentOf(body, headers) : jsonContent(json, headers)
  const request = query({
    method: String(method).toUpperCase(),
    endpoint: url.href,
    headers: Object.fromEntries(headers),
  })
  return { ...request, body: { ...request.body, ...content } }
}

function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

/** Objects stay readable in records. Everything else is sent as the text that JSON.stringify returns. */
function jsonContent(json: unknown, headers: Headers): Partial<DeliveryBody> {
  headers.set('content-type', 'application/json')
  const text = JSON.stringify(json)
  if (text === undefined) return {}
  requireSize(Buffer.byteLength(text))
  const value: unknown = JSON.parse(text)
  return isJsonObject(value) && Object.keys(value).length > 0 ? { JSON: value as JsonObject } : { RAW: { text } }
}

/** Encodes every kind of body that `fetch` takes, with its content type unless there is one. */
async function contentOf(body: unknown, headers: Headers): Promise<Partial<DeliveryBody>> {
  if (body === undefined || body === null) return {}
  if (typeof body === 'string') {
    requireSize(Buffer.byteLength(body))
    if (!headers.has('content-type')) headers.set('content-type', 'text/plain;charset=UTF-8')
    return { RAW: { text: body } }
  }
  const encoded = new Response(body as URLSearchParams)
  const type = encoded.headers.get('content-type')
  if (type !== null && !headers.has('content-type')) headers.set('content-type', type)
  const bytes = Buffer.from(await encoded.arrayBuffer())
  requireSize(bytes.length)
  return { RAW: body instanceof URLSearchParams ? { text: bytes.toString() } : { base64: bytes.toString('base64') } }
}

function requireSize(length: number): void {
  if (length > bodyBytesMax) throw new TypeError(`The body has ${length} bytes; at most ${bodyBytesMax} are sent.`)
}
