import type { Route } from '../../routing/route.ts'
import { type EventCall, takeEvents } from './event-call.ts'
import { batchSchema, eventSchema, refusals, refuse, stored } from './ingest-route.ts'
import type { Intake } from './intake.ts'
import { storedAnswer, success } from './stored-answer.ts'

/** The calls of browsers' and phones' SDKs of Segment, in the order of the event types. */
export const segmentCalls: readonly EventCall[] = [
  { path: '/v1/i', type: 'identify', answersJson: 'always' },
  { path: '/v1/t', type: 'track', answersJson: 'always' },
  { path: '/v1/p', type: 'page', answersJson: 'always' },
  { path: '/v1/s', type: 'screen', answersJson: 'always' },
  { path: '/v1/g', type: 'group', answersJson: 'always' },
  { path: '/v1/a', type: 'alias', answersJson: 'always' },
  { path: '/v1/b', type: 'batch', answersJson: 'always' },
]

/** Where the SDKs report how they do. */
const segmentMetricsPaths = ['/v1/m', '/v1/metrics'] as const

/**
 * The routes of Segment's SDKs: `POST /v1/{i,t,p,s,g,a,b}`, with the write key as user name or in the body, and
 * `POST /v1/{m,metrics}`, which stores nothing. Source: packages/docs/api/ingestion.md#segments-sdks.
 */
export function createSegmentRoutes(intake: Intake): readonly Route[] {
  const events = segmentCalls.map(
    ({ path, type, answersJson }): Route => ({
      method: 'post',
      path,
      operationId: `segment${type.charAt(0).toUpperCase()}${type.slice(1)}`,
      summary:
        type === 'batch'
          ? 'Send several events with an SDK of Segment'
          : `Send one ${type} event with an SDK of Segment`,
      area: 'Ingestion',
      credential: 'write-key-in-header-or-body',
      body: type === 'batch' ? batchSchema : eventSchema,
      responses: { ...refusals(), 200: { description: 'The events are stored.', schema: success } },
      handle: async (c) => {
        const taken = await takeEvents(intake, c.req.raw, c.env, type)
        return taken.ok ? stored(c, storedAnswer(taken.rejected, null, answersJson)) : refuse(c, taken)
      },
    }),
  )
  const metrics = segmentMetricsPaths.map(
    (path, index): Route => ({
      method: 'post',
      path,
      operationId: index === 0 ? 'segmentMetricsShort' : 'segmentMetrics',
      summary: "Discard measurements of Segment's SDKs",
      area: 'Ingestion',
      credential: 'open',
      responses: { 200: { description: 'Nothing is stored.', schema: success } },
      handle: (c) => c.json({ success: true }),
    }),
  )
  return [...events, ...metrics]
}
