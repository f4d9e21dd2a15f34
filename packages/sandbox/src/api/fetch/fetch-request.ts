import { isJsonObject, type JsonValue } from '@sluice/core'
import { utf8Length } from '@sluice/core/bytes'

/** One request of a redirect chain. */
export interface FetchRequest {
  readonly method: string
  /** Lower-case names. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string | undefined
  readonly redirect: 'follow' | 'manual' | 'error'
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const headersMax = 100
const headerCharsMax = 16 * 1024

/**
 * Headers that belong to the connection, which the host controls. They are removed rather than refused, because authors
 * copy them from elsewhere.
 */
const ownHeaders = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'proxy-connection',
  'proxy-authorization',
])

/**
 * Parses the options of `fetch(url, options)`: method, headers (object or pairs), body (text; an object is sent as
 * JSON), redirect.
 * @throws Error with a message for user code.
 * @example
 * ```ts
 * import { parseFetchRequest } from '@sluice/sandbox'
 *
 * console.log(parseFetchRequest({ method: 'POST', body: { id: 1 } }, 1_000).body) // {"id":1}
 * ```
 */
export function parseFetchRequest(options: JsonValue | undefined, requestBytesMax: number): FetchRequest {
  const given = isJsonObject(options) ? options : {}
  const method = String(given['method'] ?? 'GET').toUpperCase()
  if (!methods.has(method)) throw new Error(`invalid method, it must be one of ${[...methods].join(', ')}`)
  const headers = parseHeaders(given['headers'])
  const body = parseBody(given['body'], headers)
  if (body !== undefined) {
    if (method === 'GET' || method === 'HEAD') throw new Error('Request with GET/HEAD method cannot have body')
    if (utf8Length(body) > requestBytesMax) throw new Error(`request body has more than ${requestBytesMax} bytes`)
  }
  return { method, headers, body, redirect: parseRedirect(given['redirect']) }
}

function parseRedirect(value: JsonValue | undefined): FetchRequest['redirect'] {
  if (value === undefined || value === null || value === 'follow') return 'follow'
  if (value === 'manual' || value === 'error') return value
  throw new Error('invalid redirect, it must be one of follow, manual, error')
}

function parseHeaders(value: JsonValue | undefined): Map<string, string> {
  const headers = new Map<string, string>()
  const pairs = Array.isArray(value) ? value : isJsonObject(value) ? Object.entries(value) : []
  if (pairs.length > headersMax) throw new Error(`a request may have at most ${headersMax} headers`)
  let length = 0
  for (const pair of pairs) {
    const [name, text] = Array.isArray(pair) ? pair : []
    if (typeof name !== 'string' || text === undefined || text === null) continue
    const key = name.toLowerCase()
    const written = Array.isArray(text) ? text.join(', ') : String(text).trim()
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(key)) throw new Error('invalid header name')
    // A line break would start another header.
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(written)) throw new Error(`invalid value of header ${key}`)
    length += key.length + written.length
    if (length > headerCharsMax) throw new Error(`the headers have more than ${headerCharsMax} characters`)
    if (!ownHeaders.has(key)) headers.set(key, written)
  }
  return headers
}

function parseBody(value: JsonValue | undefined, headers: Map<string, string>): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return value
  if (typeof value !== 'object') return String(value)
  if (!headers.has('content-type')) headers.set('content-type', 'application/json')
  return JSON.stringify(value)
}

// Well-known secret headers, and any header whose name suggests a secret for the original host.
const secretHeader = /auth|cookie|token|key|secret|signature|password/

/** Returns the request for the next hop. Source: Fetch standard, HTTP-redirect fetch. */
export function redirected(request: FetchRequest, status: number, sameOrigin: boolean): FetchRequest {
  const { method } = request
  const toGet = ((status === 301 || status === 302) && method === 'POST') || (status === 303 && method !== 'HEAD')
  const headers = new Map(
    [...request.headers].filter(
      ([name]) => (sameOrigin || !secretHeader.test(name)) && (!toGet || !name.startsWith('content-')),
    ),
  )
  return { ...request, headers, method: toGet ? 'GET' : method, body: toGet ? undefined : request.body }
}
