import type { AccessScope } from '@sluice/core'
import type { Context } from 'hono'
import type { TObject, TSchema } from 'typebox'

/** Where a sender may put the write key: user name of Basic authentication, query, path, or member of the body. */
export type WriteKeyPlace = 'header' | 'query' | 'path' | 'header-or-query' | 'header-or-body'

/**
 * Credential that a route requires: none, a write key, an access token, the admin credentials of the data plane, or
 * either of the last two.
 */
export type Credential = 'open' | `write-key-in-${WriteKeyPlace}` | 'token' | 'admin' | 'token-or-admin'

export interface ResponseDescription {
  readonly description: string
  /** Schema of the body; absent when there is no body. */
  readonly schema?: TSchema
  /** Headers of the answer that clients use, with what they have. */
  readonly headers?: Readonly<Record<string, string>>
  /** Default JSON. */
  readonly contentType?:
    | 'application/json'
    | 'text/plain'
    | 'text/event-stream'
    | 'text/html'
    | 'text/javascript'
    | 'image/gif'
  /** Schema of the same as JSON, where it is an answer as well. */
  readonly asJson?: TSchema
}

/** Description of a route for the OpenAPI document. */
export interface RouteDescription {
  readonly method: 'get' | 'post' | 'put' | 'delete'
  /** OpenAPI path: `/transformations/{id}`. */
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly area: string
  readonly credential: Credential
  /** Scopes that the token must have, all of them. */
  readonly scopes?: readonly AccessScope[]
  readonly query?: TObject
  /** Headers of a request that may be given. */
  readonly headers?: Readonly<Record<string, TSchema>>
  readonly body?: TSchema
  readonly responses: Readonly<Record<number, ResponseDescription>>
}

/** A route with its handler. Handlers and OpenAPI document are created from the same list. */
export interface Route extends RouteDescription {
  handle(context: Context): Response | Promise<Response>
}
