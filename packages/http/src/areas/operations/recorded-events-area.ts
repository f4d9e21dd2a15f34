import type { RecordedEvents, RecordedPlace, RecordedQuery } from '@sluice/pipeline'
import Type from 'typebox'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import { answer, problem } from '../../gate/answer.ts'
import type { SearchTurns } from '../../gate/search-turns.ts'
import { type Area, createArea } from '../../routing/area.ts'
import { missingSource } from '../missing-destination.ts'

export interface RecordedEventsAreaOptions {
  readonly gate: TokenGate
  readonly searches: SearchTurns
  recordedEvents(query: RecordedQuery): Promise<RecordedEvents>
}

const closed = { additionalProperties: false }
const limitUsual = 100
const limitMax = 500

const query = Type.Object({
  destinationId: Type.Optional(Type.String({ description: 'only events that were accepted for this destination' })),
  sourceId: Type.Optional(Type.String({ description: 'only events of this source' })),
  event: Type.Optional(Type.String({ description: 'only events of this name' })),
  from: Type.Optional(
    Type.String({ format: 'date-time', description: 'ISO 8601: only events received at this time or later' }),
  ),
  to: Type.Optional(
    Type.String({ format: 'date-time', description: 'ISO 8601: only events received before this time' }),
  ),
  after: Type.Optional(
    Type.String({ description: '`next` of the previous page, with the same filters; left out: the newest events' }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: limitMax, description: `1 to ${limitMax}; default ${limitUsual}` }),
  ),
})
const schema = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          sourceId: Type.String(),
          acceptedAt: Type.Optional(Type.String({ description: 'Time of acceptance, ISO 8601.' })),
          event: Type.Record(Type.String(), Type.Unknown(), {
            description: 'As it was accepted, personal data masked.',
          }),
        },
        closed,
      ),
      { description: 'The newest first.' },
    ),
    isCut: Type.Boolean({ description: 'Whether the log may have more that match.' }),
    next: Type.Optional(Type.String({ description: 'Value for `after` of the next page. Absent on the last page.' })),
  },
  closed,
)

/** `GET /v2/recorded-events`: what code may be tried with. Source: packages/docs/api/operations.md#recorded-events. */
export function createRecordedEventsArea({ gate, searches, recordedEvents }: RecordedEventsAreaOptions): Area {
  return createArea([
    gate.route({
      method: 'get',
      path: '/v2/recorded-events',
      operationId: 'listRecordedEvents',
      summary: 'List the newest events of the log, personal data masked, those of suppressed users left out',
      area: 'Operations',
      scopes: ['operate'],
      query,
      errors: ['destinationMissing', 'sourceMissing', 'recordedCursorInvalid', 'searchesTooMany'],
      responses: { 200: { description: 'The events.', schema } },
      handle: ({ workspace, query: { limit = limitUsual, from, to, after, ...filter } }) => {
        const { destinationId, sourceId } = filter
        if (destinationId !== undefined && !workspace.destinations.some(({ id }) => id === destinationId))
          return problem(
            'destinationMissing',
            `there is no destination ${destinationId}; GET /v2/destinations lists them`,
          )
        const missing = missingSource(workspace, sourceId)
        if (missing) return missing
        const place = after === undefined ? undefined : placeOf(after)
        if (place === 'unknown')
          return problem(
            'recordedCursorInvalid',
            'unknown `after`: pass the `next` of the previous page, or leave it out to start',
          )
        return searches(workspace.id, async () => {
          const { events, isCut, next } = await recordedEvents({
            ...filter,
            workspaceId: workspace.id,
            from: from === undefined ? undefined : Date.parse(from),
            to: to === undefined ? undefined : Date.parse(to),
            after: place,
            limit,
          })
          return answer({
            data: events.map(({ acceptedAt, ...event }) => ({
              ...event,
              acceptedAt: acceptedAt === undefined ? undefined : new Date(acceptedAt).toISOString(),
            })),
            isCut,
            next: next && cursorOf(next),
          })
        })
      },
    }),
  ])
}

function cursorOf({ position, index }: RecordedPlace): string {
  return index === undefined ? String(position) : `${position}.${index}`
}

function placeOf(cursor: string): RecordedPlace | 'unknown' {
  const [, position, index] = /^(\d{1,15})(?:\.(\d{1,9}))?$/.exec(cursor) ?? []
  if (position === undefined) return 'unknown'
  return { position: Number(position), ...(index === undefined ? {} : { index: Number(index) }) }
}
