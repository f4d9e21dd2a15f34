import type { JsonObject } from '@sluice/core'
import { type IngestErrorCode, ingestErrors } from '@sluice/pipeline'
import type { Context } from 'hono'
import { parseAccept } from 'hono/utils/accept'
import Type, { type Static, type TObject, type TSchema } from 'typebox'
import type { ResponseDescription, Route, WriteKeyPlace } from '../../routing/route.ts'
import { ingestStatus } from '../../routing/statuses.ts'
import { unknownOutcome } from '../../routing/unknown-outcome.ts'
import type { Refused, RejectedEvent, Taken } from './intake.ts'

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
  /** When it answers with JSON. Default: when the caller asks for JSON before text. */
  readonly answersJson?: 'always'
  take(c: Context): Promise<Taken>
}

/** What clients of Segment expect, with the events that were refused, if any. */
export const success = Type.Object(
  {
    success: Type.Literal(true),
    rejected: Type.Optional(
      Type.Array(
        Type.Object(
          { index: Type.Integer({ description: 'Its place in the batch, from 0.' }), reason: Type.String() },
          { additionalProperties: false },
        ),
        { description: 'Malformed events, where these refuse only themselves. The others are stored.' },
      ),
    ),
  },
  { additionalProperties: false },
)

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
      const isJson = answersJson === 'always' || taken.rejected.length > 0 || prefersJson(c.req.header('accept'))
      return isJson ? c.json(successOf(taken.rejected)) : c.text('ok')
    },
  }
}

/** The answer to a call whose events are stored, but for those that were refused. */
export function successOf(rejected: readonly RejectedEvent[]): Static<typeof success> {
  return { success: true, rejected: rejected.length > 0 ? [...rejected] : undefined }
}

/**
 * Whether a caller names JSON before text, or alone; `application/*` names it too, where JSON itself is not named. Who
 * names neither gets text, as from RudderStack.
 */
function prefersJson(accept = ''): boolean {
  const named = parseAccept(accept.toLowerCase())
  const json = named.some(({ type }) => type === 'application/json') ? 'application/json' : 'application/*'
  const [first] = named
    .filter(({ type, q }) => q > 0 && (type === json || type.startsWith('text/')))
    .toSorted((a, b) => b.q - a.q)
  return first?.type === json
}

/** Answers a refusal. */
export function refuse(c: Context, refused: Pick<Refused, 'code' | 'detail' | 'outcome'>): Response {
  if (refused.outcome !== undefined) c.header(...unknownOutcome)
  if (refused.code === 'unavailable') c.header('Retry-After', String(retryAfterSeconds))
  return c.text(`${refusalText(refused)}\n`, ingestStatus[refused.code])
}

/** Returns the text of a refusal, without a line break. */
export function refusalText({ code, detail }: Pick<Refused, 'code' | 'detail'>): string {
  return `${ingestErrors[code]}${detail === undefined ? '' : ` (${detail})`}`
}
