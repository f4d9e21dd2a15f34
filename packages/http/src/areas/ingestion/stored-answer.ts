import { parseAccept } from 'hono/utils/accept'
import Type, { type Static } from 'typebox'
import type { PlainAnswer } from '../../routing/node-fetch.ts'
import type { RejectedEvent } from './intake.ts'

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

/** When a call is answered with JSON. Default: when the caller asks for JSON before text. */
export type AnswersJson = 'always' | undefined

const ok: PlainAnswer = { contentType: 'text/plain; charset=UTF-8', body: 'ok' }

/** Returns the answer to a call whose events are stored, but for those that were refused. */
export function storedAnswer(
  rejected: readonly RejectedEvent[],
  accept: string | null,
  answersJson: AnswersJson,
): PlainAnswer {
  const isJson = answersJson === 'always' || rejected.length > 0 || prefersJson(accept)
  if (!isJson) return ok
  const body: Static<typeof success> = { success: true, rejected: rejected.length > 0 ? [...rejected] : undefined }
  return { contentType: 'application/json', body: JSON.stringify(body) }
}

/**
 * Whether a caller names JSON before text, or alone; `application/*` names it too, where JSON itself is not named. Who
 * names neither gets text, as from RudderStack.
 */
function prefersJson(accept: string | null): boolean {
  if (accept === null) return false
  const named = parseAccept(accept.toLowerCase())
  const json = named.some(({ type }) => type === 'application/json') ? 'application/json' : 'application/*'
  const [first] = named
    .filter(({ type, q }) => q > 0 && (type === json || type.startsWith('text/')))
    .toSorted((a, b) => b.q - a.q)
  return first?.type === json
}
