import { eventTypes } from '@sluice/core'
import type { IngestType } from '@sluice/pipeline'
import type { Route } from '../../routing/route.ts'
import { type EventCall, takeEvents } from './event-call.ts'
import { batchSchema, eventSchema, ingestRoute, writeKeyQuery } from './ingest-route.ts'
import type { Intake } from './intake.ts'

const pathOf = (type: IngestType): EventCall => ({ path: `/v1/${type}`, type })

/** The calls of RudderStack's SDKs. */
export const eventCalls: readonly EventCall[] = [
  ...eventTypes.map(pathOf),
  pathOf('merge'),
  pathOf('batch'),
  { path: '/v1/import', type: 'batch', answersJson: 'always' },
]

/**
 * `POST /v1/{identify,track,page,screen,group,alias,merge,batch,import}`, with the write key as user name or in the body, and
 * `POST /beacon/v1/batch` with the write key in the query, where browsers put it that send when a page ends. Source:
 * packages/docs/api/ingestion.md.
 */
export function createEventRoutes(intake: Intake): readonly Route[] {
  return [
    ...eventCalls.map(({ path, type, answersJson }) =>
      ingestRoute({
        path,
        operationId: operationOf(path),
        summary: summaryOf(path, type),
        writeKeyIn: 'header-or-body',
        body: type === 'batch' ? batchSchema : eventSchema,
        answersJson,
        take: ({ req, env }) => takeEvents(intake, req.raw, env, type),
      }),
    ),
    ingestRoute({
      path: '/beacon/v1/batch',
      operationId: 'ingestBeacon',
      summary: 'Send several events when a page ends',
      writeKeyIn: 'query',
      query: writeKeyQuery,
      body: batchSchema,
      take: ({ req, env }) => takeEvents(intake, req.raw, env, 'batch', 'query'),
    }),
  ]
}

/** Returns `ingestTrack` for `/v1/track`. */
function operationOf(path: string): string {
  const name = path.slice('/v1/'.length)
  return `ingest${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

function summaryOf(path: string, type: IngestType): string {
  if (path === '/v1/import') return 'Send events of the past'
  return type === 'batch' ? 'Send several events' : `Send one ${type} event`
}
