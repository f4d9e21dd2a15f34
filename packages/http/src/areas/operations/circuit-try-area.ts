import type { DestinationCircuit } from '@sluice/pipeline'
import Type from 'typebox'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import { answer, problem } from '../../gate/answer.ts'
import { type Area, createArea } from '../../routing/area.ts'
import { missingDestination } from '../missing-destination.ts'

export interface CircuitTryAreaOptions {
  readonly gate: TokenGate
  /** Returns the circuits of the enabled destinations. */
  circuits(workspaceId: string): Promise<readonly DestinationCircuit[]>
  /** Lets one event go to a destination whose circuit is open, in every process. */
  tryNow(workspaceId: string, destinationId: string): Promise<void>
  /** Returns the current time in milliseconds since the epoch. */
  now(): number
}

const triedSchema = Type.Object(
  {
    destinationId: Type.String(),
    state: Type.Literal('open', { description: 'It stays open until the try succeeds.' }),
    failingSince: Type.Optional(Type.String({ description: 'Since when requests fail, ISO 8601.' })),
    nextTryAt: Type.String({ description: 'When one event may go: now. Without an event that waits, the next one.' }),
  },
  { additionalProperties: false },
)

/** `POST /v1/circuits/{destinationId}/try`. Source: packages/docs/api/operations.md#circuits-and-pauses. */
export function createCircuitTryArea({ gate, circuits, tryNow, now }: CircuitTryAreaOptions): Area {
  return createArea([
    gate.route({
      method: 'post',
      path: '/v1/circuits/{destinationId}/try',
      operationId: 'tryDestination',
      summary: 'Let one event go to a destination whose circuit is open, before its time',
      area: 'Operations',
      scopes: ['operate'],
      errors: ['destinationMissing', 'circuitNotOpen'],
      responses: { 200: { description: 'The circuit, whose next try is now.', schema: triedSchema } },
      handle: async ({ workspace, param }) => {
        const destinationId = param('destinationId')
        const missing = missingDestination(workspace, destinationId)
        if (missing) return missing
        const circuit = (await circuits(workspace.id)).find((each) => each.destinationId === destinationId)
        if (circuit?.state !== 'open')
          return problem('circuitNotOpen', `destination ${destinationId} ${whyNot(circuit?.state)}`)
        await tryNow(workspace.id, destinationId)
        const { failingSince } = circuit
        return answer({
          destinationId,
          state: 'open',
          failingSince: failingSince === undefined ? undefined : new Date(failingSince).toISOString(),
          nextTryAt: new Date(now()).toISOString(),
        })
      },
    }),
  ])
}

function whyNot(state: 'closed' | 'paused' | undefined): string {
  if (state === 'closed') return 'takes events: its circuit is closed'
  if (state === 'paused') return 'is paused; resume it, and events are sent at once'
  return 'is disabled; enable it, and events are sent again'
}
