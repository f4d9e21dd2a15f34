import { type JsonObject, type JsonValue, requireUrl } from '@sluice/core'
import { bytesOf } from '@sluice/core/bytes'
import { type DeliveryRequest, isConnectionHeader } from '@sluice/destinations/kit'

/** A delivery request as an HTTP request. */
export interface EncodedRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | null
}

/**
 * Encodes a delivery request as HTTP. `params` are appended to the query of the endpoint. The one body that is not
 * empty becomes text, with its content type unless the request sets one. In `params` and FORM, null is left out and
 * other values than strings become JSON; JSON strings in a list are parsed. Headers of the connection are left out.
 *
 * @throws TypeError when the endpoint is not a URL.
 * @example
 * ```ts
 * import { encodeRequest } from '@sluice/delivery'
 * import { query } from '@sluice/destinations/kit'
 *
 * console.log(encodeRequest(query({ method: 'GET', endpoint: 'https://api.test/users', params: { id: 'u1' } })).url.href) // https://api.test/users?id=u1
 * ```
 */
export function encodeRequest({ method, endpoint, headers, params, body }: DeliveryRequest): EncodedRequest {
  const url = requireUrl(endpoint)
  const added = encodeFields(params)
  if (added !== '') url.search = url.search === '' ? added : `${url.search}&${added}`
  const content = contentOf(body)
  const defaults: Record<string, string> = { 'user-agent': 'Sluice' }
  if (content) defaults['content-type'] = content.type
  const given = Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (isConnectionHeader(name) ? [] : [[name.toLowerCase(), value]])),
  )
  return { method, url, headers: { ...defaults, ...given }, body: content?.text ?? rawContent(body) }
}

/** Has no content type: the request sets one. */
function rawContent({ RAW }: DeliveryRequest['body']): string | Uint8Array | null {
  if (RAW === undefined) return null
  return 'text' in RAW ? RAW.text : bytesOf(RAW.base64, 'base64')
}

function contentOf(body: DeliveryRequest['body']): { readonly type: string; readonly text: string } | undefined {
  if (Object.keys(body.JSON).length > 0) return { type: 'application/json', text: JSON.stringify(body.JSON) }
  if (body.JSON_ARRAY.batch !== undefined) return { type: 'application/json', text: body.JSON_ARRAY.batch }
  if (body.XML.payload !== undefined) return { type: 'application/xml', text: body.XML.payload }
  if (Object.keys(body.FORM).length > 0) {
    return { type: 'application/x-www-form-urlencoded', text: encodeFields(body.FORM) }
  }
  return undefined
}

function encodeFields(fields: JsonObject): string {
  const encoded = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    if (value !== null && value !== undefined) encoded.append(name, fieldText(value))
  }
  return encoded.toString()
}

function fieldText(value: JsonValue): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? `[${value.map(elementText).join(',')}]` : JSON.stringify(value)
}

/** Returns an element of a list. Older APIs get lists of JSON strings and read them as lists of their values. */
function elementText(element: JsonValue): string {
  return typeof element === 'string' && isJsonText(element) ? element : JSON.stringify(element)
}

/** Returns whether a text is the JSON of an object or a list. */
function isJsonText(text: string): boolean {
  if (!/^[[{]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
