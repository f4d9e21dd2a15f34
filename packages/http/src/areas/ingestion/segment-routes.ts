import type { IngestType } from '@sluice/pipeline'
import type { Route } from '../../routing/route.ts'
import { batchSchema, eventSchema, refusals, refuse, success, successOf } from './ingest-route.ts'
import type { Intake } from './intake.ts'
import { withoutWriteKey } from './without-write-key.ts'

/** Short paths, in the order of the event types. Browsers' and phones' SDKs of Segment call them. */
export const segmentPaths = {
  '/v1/i': 'identify',
  '/v1/t': 'track',
  '/v1/p': 'page',
  '/v1/s': 'screen',
  '/v1/g': 'group',
  '/v1/a': 'alias',
  '/v1/b': 'batch',
} as const satisfies Readonly<Record<string, IngestType>>

/** Where the SDKs report how they do. */
const segmentMetricsPaths = ['/v1/m', '/v1/metrics'] as const

/**
 * The routes of Segment's SDKs: `POST /v1/{i,t,p,s,g,a,b}`, with the write key as user name or in the body, and
 * `POST /v1/{m,metrics}`, which stores nothing. Source: packages/docs/api/ingestion.md#segments-sdks.
 */
export function createSegmentRoutes(intake: Intake): readonly Route[] {
  const writeKeyIn = 'header-or-body'
  const events = Object.entries(segmentPaths).map(
    ([path, type]): Route => ({
      method: 'post',
      path,
      operationId: `segment${type.charAt(0).toUpperCase()}${type.slice(1)}`,
      summary:
        type === 'batch'
          ? 'Send several events with an SDK of Segment'
          : `Send one ${type} event with an SDK of Segment`,
      area: 'Ingestion',
      credential: `write-key-in-${writeKeyIn}`,
      body: type === 'batch' ? batchSchema : eventSchema,
      responses: { ...refusals(), 200: { description: 'The events are stored.', schema: success } },
      handle: async (c) => {
        const taken = await intake.takeBody(c, {
          writeKeyIn,
          toEvents: (body) => withoutWriteKey(type, body),
        })
        return taken.ok ? c.json(successOf(taken.rejected)) : refuse(c, taken)
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
