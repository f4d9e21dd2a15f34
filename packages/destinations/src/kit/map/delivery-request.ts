import type { JsonObject } from '@sluice/core'

/** The four bodies of a delivery request. At most one is not empty. */
export interface DeliveryBody {
  readonly JSON: JsonObject
  /** A JSON array as text. */
  readonly JSON_ARRAY: { readonly batch?: string }
  readonly XML: { readonly payload?: string }
  /** Values that are not strings are sent as their JSON text. */
  readonly FORM: JsonObject
}

/**
 * What to send, as data: the answer of a mapping and the input of delivery. It may hold secrets of the settings.
 *
 * Source: packages/docs/api/test.md#result; packages/docs/behaviour/mapping.md#requests.
 */
export interface DeliveryRequest {
  readonly version: '1'
  /**
   * REST leaves over HTTP. SINK leaves on the way that the scheme of its endpoint names (`s3:`, `file:`); a way of its
   * own, so that an event which may choose the address of a REST request can never name a file.
   */
  readonly type: 'REST' | 'SINK'
  readonly method: string
  readonly endpoint: string
  /** Names as the destination documents them; HTTP reads them in any case. */
  readonly headers: Readonly<Record<string, string>>
  /** Added to the query of the endpoint. Values that are not strings are sent as their JSON text. */
  readonly params: JsonObject
  readonly body: DeliveryBody
  readonly files: JsonObject
  /** The user the request is about as the destination sees it, '' when there is none; a batch is about no one user. */
  readonly userId?: string
  /** The endpoint without what comes before its path, where the destination wants replies told apart by it. */
  readonly endpointPath?: string
  /** Set by destinations whose reference does. */
  readonly statusCode?: number
  /**
   * Set where the request goes to another origin than the settings lead to: names of the headers that were left out,
   * because
   * they hold secrets of the settings. Tokens of an account are not added either.
   */
  readonly withheld?: readonly string[]
}

/** What the builders have in common; everything left out is empty. */
export interface RequestParts {
  readonly method: string
  readonly endpoint: string
  readonly headers?: Readonly<Record<string, string>>
  readonly params?: JsonObject
  readonly userId?: string
  readonly endpointPath?: string
  readonly statusCode?: number
}

/** A request without a body. */
export function query(parts: RequestParts): DeliveryRequest {
  return envelope(parts, {})
}

/** A request whose body is a JSON object. Adds no header: what the content is called is the destination's business. */
export function json({ body, ...parts }: RequestParts & { readonly body: JsonObject }): DeliveryRequest {
  return envelope(parts, { JSON: body })
}

/** A request whose body is a JSON array. */
export function jsonArray({ body, ...parts }: RequestParts & { readonly body: readonly unknown[] }): DeliveryRequest {
  return envelope(parts, { JSON_ARRAY: { batch: JSON.stringify(body) } })
}

/** A request whose body is a form of fields (`application/x-www-form-urlencoded`). */
export function form({ body, ...parts }: RequestParts & { readonly body: JsonObject }): DeliveryRequest {
  return envelope(parts, { FORM: body })
}

/** A request whose body is XML text. */
export function xml({ body, ...parts }: RequestParts & { readonly body: string }): DeliveryRequest {
  return envelope(parts, { XML: { payload: body } })
}

/**
 * A request to something that speaks no HTTP: to be done by the sink that the scheme of the endpoint names, with
 * `params`
 * for what else it has to know. Credentials belong into an `authorization` header, which is masked wherever it is
 * shown.
 */
export function sink({ body, ...parts }: RequestParts & { readonly body: JsonObject }): DeliveryRequest {
  return { ...json({ ...parts, body }), type: 'SINK' }
}

/** Every part is named, because spreading them takes longer than many a mapping. */
function envelope(parts: RequestParts, given: Partial<DeliveryBody>): DeliveryRequest {
  const { method, endpoint, headers = {}, params = {}, userId = '', endpointPath, statusCode } = parts
  const body = {
    JSON: given.JSON ?? {},
    JSON_ARRAY: given.JSON_ARRAY ?? {},
    XML: given.XML ?? {},
    FORM: given.FORM ?? {},
  }
  const request = { version: '1', type: 'REST', method, endpoint, headers, params, body, files: {}, userId } as const
  if (endpointPath === undefined) return statusCode === undefined ? request : Object.assign(request, { statusCode })
  return Object.assign(request, statusCode === undefined ? { endpointPath } : { endpointPath, statusCode })
}
