import type { JsonObject } from '@sluice/core'

/** The bodies of a delivery request. At most one of them is not empty. */
export interface DeliveryBody {
  readonly JSON: JsonObject
  /** JSON array as text. */
  readonly JSON_ARRAY: { readonly batch?: string }
  readonly XML: { readonly payload?: string }
  /** Values that are not strings are sent as JSON. */
  readonly FORM: JsonObject
  /** A body that is sent unchanged, as text or as Base64 of its bytes. Only requests of actions have one. */
  readonly RAW?: { readonly text: string } | { readonly base64: string }
}

/**
 * A request as data: the result of a mapping and the input of delivery. May contain secrets of the settings.
 *
 * Source: packages/docs/api/test.md#result; packages/docs/behaviour/mapping.md#requests.
 */
export interface DeliveryRequest {
  readonly version: '1'
  /**
   * REST requests are sent over HTTP, SINK requests to the sink that the scheme of the endpoint names (`s3:`, `file:`).
   * ACTION requests are carried out by the code of the definition: see `ActionRule`. The types are separate so that an
   * event which chooses the address of a REST request can never name a file.
   */
  readonly type: 'REST' | 'SINK' | 'ACTION'
  readonly method: string
  readonly endpoint: string
  /** Names are in the case that the destination documents; HTTP ignores case. */
  readonly headers: Readonly<Record<string, string>>
  /** Added to the query of the endpoint. Values that are not strings are sent as JSON. */
  readonly params: JsonObject
  readonly body: DeliveryBody
  readonly files: JsonObject
  /** The user that the destination assigns the request to; '' when there is none. Absent for batches. */
  readonly userId?: string
  /** Path of the endpoint. Set when the interpretation of replies depends on it. */
  readonly endpointPath?: string
  /** Set by the destinations for which RudderStack sets it. */
  readonly statusCode?: number
  /** Set when the body is sent compressed. `body` contains it uncompressed. */
  readonly compression?: 'gzip'
  /** Audience that a request to Mailchimp is about. Not sent. */
  readonly audienceId?: string
  /**
   * Set when the request goes to another origin than the one in the settings: names of the headers that were left out
   * because they contain secrets of the settings. Tokens of an account are not added either.
   */
  readonly withheld?: readonly string[]
}

/** Common input of the functions that create requests. Absent members become empty. */
export interface RequestParts {
  readonly method: string
  readonly endpoint: string
  readonly headers?: Readonly<Record<string, string>>
  readonly params?: JsonObject
  readonly userId?: string
  readonly endpointPath?: string
  readonly statusCode?: number
  readonly audienceId?: string
}

/**
 * Creates a request without a body.
 * @example
 * ```ts
 * import { query } from '@sluice/destinations/kit'
 *
 * console.log(query({ method: 'GET', endpoint: 'https://api.test/users', params: { id: 'u1' } }).params) // { id: 'u1' }
 * ```
 */
export function query(parts: RequestParts): DeliveryRequest {
  return envelope(parts, {})
}

/**
 * Creates a request with a JSON object as body. Does not add a content type; the destination sets it.
 * @example
 * ```ts
 * import { json } from '@sluice/destinations/kit'
 *
 * console.log(json({ method: 'POST', endpoint: 'https://api.test/', body: { id: 1 } }).body.JSON) // { id: 1 }
 * ```
 */
export function json({ body, ...parts }: RequestParts & { readonly body: JsonObject }): DeliveryRequest {
  return envelope(parts, { JSON: body })
}

/** Creates a request with a JSON array as body. */
export function jsonArray({ body, ...parts }: RequestParts & { readonly body: readonly unknown[] }): DeliveryRequest {
  return envelope(parts, { JSON_ARRAY: { batch: JSON.stringify(body) } })
}

/**
 * Creates a request with a form as body (`application/x-www-form-urlencoded`).
 * @example
 * ```ts
 * import { form } from '@sluice/destinations/kit'
 *
 * console.log(form({ method: 'POST', endpoint: 'https://api.test/', body: { id: 1 } }).body.FORM) // { id: 1 }
 * ```
 */
export function form({ body, ...parts }: RequestParts & { readonly body: JsonObject }): DeliveryRequest {
  return envelope(parts, { FORM: body })
}

/** Creates a request with XML text as body. */
export function xml({ body, ...parts }: RequestParts & { readonly body: string }): DeliveryRequest {
  return envelope(parts, { XML: { payload: body } })
}

/**
 * Creates a request to the sink that the scheme of the endpoint names, for systems that are not HTTP APIs. `params` are
 * the options of the sink. Put credentials into an `authorization` header, which is masked in all displays.
 * @example
 * ```ts
 * import { sink } from '@sluice/destinations/kit'
 *
 * console.log(sink({ method: 'POST', endpoint: 'redis://redis.test:6379/0', body: { commands: [] } }).type) // SINK
 * ```
 */
export function sink({ body, ...parts }: RequestParts & { readonly body: JsonObject }): DeliveryRequest {
  return { ...json({ ...parts, body }), type: 'SINK' }
}

/**
 * Creates a request that the code of a definition carries out. @param endpoint a name for people: `action:` and the
 * action.
 */
export function action({ body, endpoint, userId = '' }: ActionParts): DeliveryRequest {
  return { ...json({ method: 'POST', endpoint, body, userId }), type: 'ACTION' }
}

/** Input of `action`. */
export interface ActionParts {
  readonly endpoint: string
  readonly body: JsonObject
  readonly userId?: string
}

/** Shared by all requests: six empty objects each would be most of their memory. */
const none = Object.freeze({})

/** Copies each member by name, because spreading would take longer than most mappings. */
function envelope(parts: RequestParts, given: Partial<DeliveryBody>): DeliveryRequest {
  const { method, endpoint, headers = none, params = none, userId = '', endpointPath, statusCode, audienceId } = parts
  const body = {
    JSON: given.JSON ?? none,
    JSON_ARRAY: given.JSON_ARRAY ?? none,
    XML: given.XML ?? none,
    FORM: given.FORM ?? none,
  }
  const request = { version: '1', type: 'REST', method, endpoint, headers, params, body, files: none, userId } as const
  if (audienceId !== undefined) return Object.assign(request, { audienceId })
  if (endpointPath === undefined) return statusCode === undefined ? request : Object.assign(request, { statusCode })
  return Object.assign(request, statusCode === undefined ? { endpointPath } : { endpointPath, statusCode })
}
