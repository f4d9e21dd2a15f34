import type { AccessScope, JsonObject } from '@sluice/core'
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { type ApiErrorCode, apiError } from '../routing/api-errors.ts'
import { errorBody } from '../routing/error-body.ts'
import { isOfBrowser } from './access/is-foreign.ts'
import { isOfPage } from './access/is-of-page.ts'
import { listStream } from './body/list-stream.ts'
import { piecesStream } from './body/pieces-stream.ts'

/** Result of a handler: `answer(value)`, `textAnswer(text)`, `noContent`, or `problem(code, message)`; a long one as a list or in pieces. */
export type Answer =
  | {
      readonly status: ContentfulStatusCode
      /** JSON. */
      readonly body: unknown
      /** What the audit log adds to the path, where that does not say what was changed. */
      readonly audited?: string
      readonly headers?: Readonly<Record<string, string>>
    }
  | {
      readonly status: ContentfulStatusCode
      readonly text: string
      /** As above. */
      readonly audited?: string
      readonly headers?: Readonly<Record<string, string>>
    }
  | {
      readonly status: 200
      /** An object of JSON with one list: its member, and the elements, which are made while they are sent. */
      readonly list: ListAnswer
      /** As above. */
      readonly audited?: string
    }
  | {
      readonly status: 200
      /** JSON in pieces. Each is sent when the client has room for it. */
      readonly pieces: Iterable<Uint8Array>
      /** As above. */
      readonly audited?: string
    }
  | { readonly status: 204 }

interface ListAnswer {
  readonly member: string
  readonly elements: Iterable<object>
}

export function answer(body: unknown): Answer {
  return { status: 200, body }
}

/** Returns an answer with one list, whose elements are made while they are sent. */
export function listAnswer<T>(member: string, values: readonly T[], toElement: (value: T) => object): Answer {
  function* elements(): Generator<object> {
    for (const value of values) yield toElement(value)
  }
  return { status: 200, list: { member, elements: elements() } }
}

/** Returns a text answer with status 201. */
export function textAnswer(text: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status: 201, text, headers }
}

export const noContent: Answer = { status: 204 }

export function problem(code: ApiErrorCode, message: string, details?: JsonObject): Answer {
  return { status: apiError(code).status, body: errorBody(code, message, details) }
}

export function scopeMissing(scope: AccessScope): Answer {
  return problem('scopeMissing', `the access token lacks the scope ${scope}; use one that has it`)
}

export function send(context: Context, answered: Answer): Response {
  if ('list' in answered || 'pieces' in answered) {
    const stream = 'list' in answered ? listStream(answered.list) : piecesStream(answered.pieces)
    return context.body(stream, answered.status, { 'content-type': 'application/json' })
  }
  if ('body' in answered) return context.json(answered.body as JsonObject, answered.status, { ...answered.headers })
  return 'text' in answered
    ? context.text(answered.text, answered.status, { ...answered.headers })
    : context.body(null, answered.status)
}

/** @param retryAfterSeconds set when there were too many wrong credentials before. */
export function unauthorized(context: Context, retryAfterSeconds?: number): Response {
  if (retryAfterSeconds !== undefined) {
    context.header('Retry-After', String(retryAfterSeconds))
    return context.json(errorBody('attemptsTooMany', apiError('attemptsTooMany').summary), 429)
  }
  // The page shows its own dialog.
  if (!isOfPage(context)) context.header('WWW-Authenticate', challengeFor(context))
  const message = 'a valid access token is needed, as Bearer token or as the password of Basic auth'
  return context.json(errorBody('unauthorized', message), 401)
}

/**
 * Returns the challenge of an answer 401. A browser keeps the Basic ones that it has to give, and sends them with
 * forms of any page.
 */
export function challengeFor(context: Context): string {
  return isOfBrowser(context) ? 'Bearer realm="sluice"' : 'Basic realm="sluice", charset="UTF-8"'
}
