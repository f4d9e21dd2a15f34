import type { Configuration } from '@sluice/configuration'
import Type from 'typebox'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import { answer, problem } from '../../gate/answer.ts'
import type { Route } from '../../routing/route.ts'
import { area } from './configuration-schemas.ts'
import { toAnswer } from './to-answer.ts'

const Pause = Type.Object(
  {
    destinationId: Type.String(),
    pausedAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'When it was paused; left out when it is not.' }),
    ),
  },
  { additionalProperties: false },
)

/** Creates the routes that pause and resume a destination, also one that the workspace file defines. */
export function pauseRoutes(gate: TokenGate, configuration: Configuration): readonly Route[] {
  const route = (action: 'pause' | 'resume', summary: string): Route =>
    gate.route({
      method: 'post',
      path: `/v2/destinations/{id}/${action}`,
      operationId: `${action}Destination`,
      summary,
      area,
      scopes: ['operate'],
      responses: { 200: { description: 'How it is now, in every process.', schema: Pause } },
      errors: ['destinationMissing', 'configurationBusy', 'configurationFull'],
      handle: async ({ workspace, param }) => {
        const id = param('id')
        if (!workspace.destinations.some((destination) => destination.id === id))
          return problem('destinationMissing', `there is no destination ${id}; GET /v2/destinations lists them`)
        return toAnswer(await configuration.setPaused(workspace.id, id, action === 'pause'), (pausedAt) =>
          answer({
            destinationId: id,
            pausedAt: pausedAt === undefined ? undefined : new Date(pausedAt).toISOString(),
          }),
        )
      },
    })
  return [
    route('pause', 'Pause a destination: its events are accepted and wait; one that is paused stays so'),
    route('resume', 'Resume a destination: events that wait are sent; one that is not paused stays so'),
  ]
}
