import type { EventPayload } from '@sluice/pipeline'
import Type from 'typebox'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import { answer, problem } from '../../gate/answer.ts'
import { isRevealed, revealQuery } from '../../gate/reveal-query.ts'
import type { SearchTurns } from '../../gate/search-turns.ts'
import { type Area, createArea } from '../../routing/area.ts'
import { eventUnknownText } from './operations-schemas.ts'

export interface PayloadAreaOptions {
  readonly gate: TokenGate
  readonly searches: SearchTurns
  readPayload(workspaceId: string, messageId: string, isMasked: boolean): Promise<EventPayload | undefined>
}

const closed = { additionalProperties: false }
const anyEvent = Type.Record(Type.String(), Type.Unknown())

const payloadSchema = Type.Object(
  {
    messageId: Type.String(),
    workspaceId: Type.String(),
    sourceId: Type.String(),
    acceptedAt: Type.Optional(Type.String({ description: 'Time of acceptance, ISO 8601.' })),
    masked: Type.Boolean({ description: 'Whether personal data is masked.' }),
    event: { ...anyEvent, description: 'The event as it was accepted.' },
    destinations: Type.Array(
      Type.Object(
        {
          destinationId: Type.String(),
          state: Type.Enum(['waiting', 'failed', 'delivered']),
          outputs: Type.Optional(
            Type.Union([Type.Array(anyEvent), Type.String()], {
              description:
                'What the user transformation made of it and is not delivered yet. `[masked]` where it may repeat a hidden value.',
            }),
          ),
          request: Type.Optional(Type.Unknown({ description: 'The last request, secrets masked.' })),
          reply: Type.Optional(Type.Unknown({ description: 'Beginning of the last reply.' })),
        },
        closed,
      ),
      { description: 'Destinations where it waits or failed, and those that accepted it in the last minutes.' },
    ),
  },
  closed,
)

/** `GET /v1/events/{messageId}/payload`. Source: packages/docs/api/operations.md#payload-of-an-event. */
export function createPayloadArea({ gate, searches, readPayload }: PayloadAreaOptions): Area {
  return createArea([
    gate.route({
      method: 'get',
      path: '/v1/events/{messageId}/payload',
      operationId: 'readPayload',
      summary: 'Get the content of an event that waits, failed, was just delivered, or is still in the log',
      area: 'Operations',
      scopes: ['operate'],
      query: revealQuery,
      errors: ['eventUnknown', 'searchesTooMany'],
      responses: { 200: { description: 'The newest event with this id.', schema: payloadSchema } },
      reveals: isRevealed,
      handle: ({ workspace, param, query: { reveal = false } }) =>
        searches(workspace.id, async () => {
          const messageId = param('messageId')
          const found = await readPayload(workspace.id, messageId, !reveal)
          if (found === undefined) return problem('eventUnknown', eventUnknownText)
          const { acceptedAt, ...payload } = found
          return answer({
            messageId,
            workspaceId: workspace.id,
            acceptedAt: acceptedAt === undefined ? undefined : new Date(acceptedAt).toISOString(),
            masked: !reveal,
            ...payload,
          })
        }),
    }),
  ])
}
