import type { RecordedEvents } from '@sluice/pipeline'
import Type from 'typebox'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import { answer, problem } from '../../gate/answer.ts'
import type { SearchTurns } from '../../gate/search-turns.ts'
import { type Area, createArea } from '../../routing/area.ts'

export interface RecordedEventsAreaOptions {
  readonly gate: TokenGate
  readonly searches: SearchTurns
  recordedEvents(
    workspaceId: string,
    query: { readonly destinationId?: string; readonly event?: string; readonly limit: number },
  ): Promise<RecordedEvents>
}

const closed = { additionalProperties: false }
const limitUsual = 100
const limitMax = 500

const query = Type.Object({
  destinationId: Type.Optional(Type.String({ description: 'only events that were accepted for this destination' })),
  event: Type.Optional(Type.String({ description: 'only events of this name' })),
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
      errors: ['destinationMissing', 'searchesTooMany'],
      responses: { 200: { description: 'The events.', schema } },
      handle: ({ workspace, query: { limit = limitUsual, ...filter } }) => {
        const { destinationId } = filter
        if (destinationId !== undefined && !workspace.destinations.some(({ id }) => id === destinationId))
          return problem(
            'destinationMissing',
            `there is no destination ${destinationId}; GET /v2/destinations lists them`,
          )
        return searches(workspace.id, async () => {
          const { events, isCut } = await recordedEvents(workspace.id, { ...filter, limit })
          return answer({
            data: events.map(({ acceptedAt, ...event }) => ({
              ...event,
              acceptedAt: acceptedAt === undefined ? undefined : new Date(acceptedAt).toISOString(),
            })),
            isCut,
          })
        })
      },
    }),
  ])
}
