import { eventTypes } from '@sluice/core'
import type { IngestType } from '@sluice/pipeline'
import type { Route } from '../../routing/route.ts'
import { batchSchema, eventSchema, ingestRoute, writeKeyQuery } from './ingest-route.ts'
import type { Intake } from './intake.ts'
import { withoutWriteKey } from './without-write-key.ts'

/**
 * `POST /v1/{identify,track,page,screen,group,alias,merge,batch,import}`, with the write key as user name or in the body, and
 * `POST /beacon/v1/batch` with the write key in the query, where browsers put it that send when a page ends. Source:
 * packages/docs/api/ingestion.md.
 */
export function createEventRoutes(intake: Intake): readonly Route[] {
  const taker = (type: IngestType, writeKeyIn: 'header-or-body' | 'query') => ({
    writeKeyIn,
    body: type === 'batch' ? batchSchema : eventSchema,
    take: (c: Parameters<Intake['takeBody']>[0]) =>
      intake.takeBody(c, { writeKeyIn, toEvents: (body) => withoutWriteKey(type, body) }),
  })
  const ofType = (type: IngestType): Route =>
    ingestRoute({
      ...taker(type, 'header-or-body'),
      path: `/v1/${type}`,
      operationId: `ingest${type.charAt(0).toUpperCase()}${type.slice(1)}`,
      summary: type === 'batch' ? 'Send several events' : `Send one ${type} event`,
    })
  return [
    ...eventTypes.map(ofType),
    ofType('merge'),
    ofType('batch'),
    ingestRoute({
      ...taker('batch', 'header-or-body'),
      answersJson: 'always',
      path: '/v1/import',
      operationId: 'ingestImport',
      summary: 'Send events of the past',
    }),
    ingestRoute({
      ...taker('batch', 'query'),
      query: writeKeyQuery,
      path: '/beacon/v1/batch',
      operationId: 'ingestBeacon',
      summary: 'Send several events when a page ends',
    }),
  ]
}
