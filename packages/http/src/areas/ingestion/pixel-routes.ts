import Type from 'typebox'
import type { Route } from '../../routing/route.ts'
import { unknownOutcome } from '../../routing/unknown-outcome.ts'
import { refusalText } from './ingest-route.ts'
import type { Intake } from './intake.ts'
import { queryEvent } from './query-event.ts'

/** A transparent image of one pixel. */
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

const query = Type.Object({
  writeKey: Type.String({ minLength: 1, description: 'The write key of a source.' }),
  anonymousId: Type.Optional(Type.String()),
  userId: Type.Optional(Type.String({ description: 'This or `anonymousId` is required.' })),
})

/**
 * `GET /pixel/v1/{page,track}`: one event in the query. The answer is an image with status 200 in any case, as in
 * RudderStack; `Sluice-Refused` says why an event was refused. HEAD stores nothing.
 * Source: packages/docs/api/ingestion.md#pixels.
 */
export function createPixelRoutes(intake: Intake): readonly Route[] {
  return (['page', 'track'] as const).map((type) => ({
    method: 'get',
    path: `/pixel/v1/${type}`,
    operationId: `pixel${type === 'page' ? 'Page' : 'Track'}`,
    summary: `Send one ${type} event by loading an image`,
    area: 'Ingestion',
    credential: 'open',
    query: type === 'page' ? query : Type.Object({ ...query.properties, event: Type.String({ minLength: 1 }) }),
    responses: {
      200: {
        description: 'An image. The event is stored, unless the header `Sluice-Refused` says why it was refused.',
        schema: Type.String(),
        contentType: 'image/gif',
      },
    },
    handle: async (c) => {
      if (c.req.method !== 'HEAD') {
        const taken = await intake.takeQuery(c.req.raw, c.env, {
          writeKeyIn: 'query',
          toEvents: (params) => {
            const [, name] = params.find(([parameter]) => parameter === 'event') ?? []
            const payload = type === 'track' && !name ? undefined : queryEvent(params)
            return payload && { type, payload }
          },
        })
        if (!taken.ok) c.header('Sluice-Refused', refusalText(taken))
        if (!taken.ok && taken.outcome !== undefined) c.header(...unknownOutcome)
      }
      return c.body(Uint8Array.from(gif), 200, { 'Content-Type': 'image/gif' })
    },
  }))
}
