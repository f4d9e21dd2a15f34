import type { JsonObject } from '@sluice/core'
import { type IngestErrorCode, ingestErrors } from '@sluice/pipeline'
import type { Context } from 'hono'
import Type, { type TObject, type TSchema } from 'typebox'
import { errorPagePath } from '../../routing/error-page-path.ts'
import type { PlainAnswer } from '../../routing/node-fetch.ts'
import type { ResponseDescription, Route, WriteKeyPlace } from '../../routing/route.ts'
import { ingestStatus } from '../../routing/statuses.ts'
import { unknownOutcome } from '../../routing/unknown-outcome.ts'
import type { Refused, Taken } from './intake.ts'
import { type AnswersJson, storedAnswer, success } from './stored-answer.ts'

/** `Retry-After` of a 503 answer. */
const retryAfterSeconds = 5

/** Errors are lines of plain text, as in RudderStack. */
const statusTexts = {
  400: 'The body or one of its events is invalid. No event is accepted.',
  401: 'The write key is missing or unknown.',
  404: 'The source is disabled.',
  408: 'The body arrived too slowly.',
  413: 'The body is too large, or is compressed and inflates to more than 200 times its size.',
  415: 'The body is not JSON but of another type, or its content encoding is not supported.',
  503: 'Overloaded; send again later.',
} as const satisfies Record<(typeof ingestStatus)[IngestErrorCode], string>

/** Returns the description of refusals, for the given statuses or all. */
export function refusals(
  statuses: readonly (keyof typeof statusTexts)[] = [400, 401, 404, 408, 413, 415, 503],
): Readonly<Record<number, ResponseDescription>> {
  const line = (status: keyof typeof statusTexts): ResponseDescription => ({
    description: statusTexts[status],
    schema: Type.String(),
    contentType: 'text/plain',
    headers: { Link: 'Path of the page that explains the refusal, as `rel="help"`.' },
  })
  return Object.fromEntries(statuses.map((status) => [status, line(status)]))
}

const identifier = {
  anyOf: [{ type: 'string', pattern: '\\S', maxLength: 1_000 }, { type: 'number' }],
}
/** One event: any object that says whose it is. */
export const eventSchema = Type.Unsafe<JsonObject>({
  type: 'object',
  description: 'An event, with a userId or anonymousId that is not blank.',
  anyOf: ['userId', 'anonymousId'].map((name) => ({ properties: { [name]: identifier }, required: [name] })),
})
export const batchSchema = Type.Object({ batch: Type.Array(eventSchema, { minItems: 1 }) })
/** The write key in the query. */
export const writeKeyQuery = Type.Object({ writeKey: Type.String({ description: 'The write key of a source.' }) })

interface IngestRoute {
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly writeKeyIn: WriteKeyPlace
  readonly body?: TSchema
  readonly query?: TObject
  readonly method?: 'get'
  readonly answersJson?: AnswersJson
  take(c: Context): Promise<Taken>
}

/** Creates a route that answers `ok` or `{"success":true}`, or a line of text with the reason. */
export function ingestRoute({ writeKeyIn, take, method, answersJson, ...route }: IngestRoute): Route {
  return {
    ...route,
    method: method ?? 'post',
    area: 'Ingestion',
    credential: `write-key-in-${writeKeyIn}`,
    responses: {
      ...refusals(),
      200:
        answersJson === 'always'
          ? { description: 'The events are stored.', schema: success }
          : {
              description:
                'The events are stored. JSON for callers that accept it before text, or when events were refused.',
              schema: Type.Literal('ok'),
              contentType: 'text/plain',
              asJson: success,
            },
    },
    handle: async (c) => {
      const taken = await take(c)
      if (!taken.ok) return refuse(c, taken)
      return stored(c, storedAnswer(taken.rejected, c.req.raw.headers.get('accept'), answersJson))
    },
  }
}

/** Answers a call whose events are stored. */
export function stored(c: Context, { contentType, body }: PlainAnswer): Response {
  return c.body(body, 200, { 'Content-Type': contentType })
}

/** Answers a refusal. */
export function refuse(c: Context, refused: Pick<Refused, 'code' | 'detail' | 'outcome'>): Response {
  if (refused.outcome !== undefined) c.header(...unknownOutcome)
  if (refused.code === 'unavailable') c.header('Retry-After', String(retryAfterSeconds))
  c.header('Link', `<${errorPagePath(`ingest.${refused.code}`)}>; rel="help"`)
  return c.text(`${refusalText(refused)}\n`, ingestStatus[refused.code])
}

/** Returns the text of a refusal, without a line break. */
export function refusalText({ code, detail }: Pick<Refused, 'code' | 'detail'>): string {
  return `${ingestErrors[code]}${detail === undefined ? '' : ` (${detail})`}`
}
