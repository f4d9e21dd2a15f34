import type { ShownDelivery } from '@sluice/pipeline'
import Type from 'typebox'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import { answer, problem } from '../../gate/answer.ts'
import { isRevealed, revealQuery } from '../../gate/reveal-query.ts'
import { type Area, createArea } from '../../routing/area.ts'

export interface DeliveriesAreaOptions {
  readonly gate: TokenGate
  /** Returns the last requests that a destination accepted, the newest first. */
  readDeliveries(workspaceId: string, destinationId: string, isMasked: boolean): Promise<readonly ShownDelivery[]>
}

const closed = { additionalProperties: false }

const deliverySchema = Type.Object(
  {
    messageId: Type.String(),
    sourceId: Type.String(),
    at: Type.String({ description: 'Time of the answer, ISO 8601.' }),
    status: Type.Optional(Type.Integer()),
    attempts: Type.Integer(),
    request: Type.Unknown({ description: 'The request, secrets masked.' }),
    reply: Type.Optional(Type.Unknown({ description: 'Beginning of the reply.' })),
    steps: Type.Optional(Type.Unknown({ description: 'The HTTP requests of an action.' })),
  },
  closed,
)

/** `GET /v1/destinations/{id}/deliveries`. Source: packages/docs/api/operations.md#last-deliveries. */
export function createDeliveriesArea({ gate, readDeliveries }: DeliveriesAreaOptions): Area {
  return createArea([
    gate.route({
      method: 'get',
      path: '/v1/destinations/{id}/deliveries',
      operationId: 'listDeliveries',
      summary: 'List the last requests that a destination accepted, with their answers',
      area: 'Operations',
      scopes: ['operate'],
      query: revealQuery,
      errors: ['destinationMissing'],
      responses: {
        200: {
          description: 'The newest first. Kept in the memory of this process, for at most 15 minutes.',
          schema: Type.Object(
            {
              destinationId: Type.String(),
              workspaceId: Type.String(),
              masked: Type.Boolean({ description: 'Whether personal data is masked.' }),
              deliveries: Type.Array(deliverySchema),
            },
            closed,
          ),
        },
      },
      reveals: isRevealed,
      handle: async ({ workspace, param, query: { reveal = false } }) => {
        const destinationId = param('id')
        if (!workspace.destinations.some(({ id }) => id === destinationId))
          return problem('destinationMissing', `there is no destination ${destinationId}`)
        const deliveries = await readDeliveries(workspace.id, destinationId, !reveal)
        return answer({
          destinationId,
          workspaceId: workspace.id,
          masked: !reveal,
          deliveries: deliveries.map(({ at, ...rest }) => ({ at: new Date(at).toISOString(), ...rest })),
        })
      },
    }),
  ])
}
