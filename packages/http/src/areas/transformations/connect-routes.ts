import type { Transformations } from '@sluice/transformations'
import Type from 'typebox'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import { answer } from '../../gate/answer.ts'
import type { Route } from '../../routing/route.ts'
import { toAnswer } from './to-answer.ts'
import { transformationRecord } from './transformation-record.ts'
import { area, TransformationRecord } from './transformations-schemas.ts'

const DestinationBody = Type.Object({
  destinationId: Type.String({ format: 'text', description: 'the id of a destination' }),
})

/** Creates the routes that connect a published transformation with one destination, and disconnect it. */
export function connectRoutes(gate: TokenGate, service: Transformations): readonly Route[] {
  const shared = {
    method: 'post',
    area,
    scopes: ['operate'],
    body: DestinationBody,
    responses: { 200: { description: 'The transformation.', schema: TransformationRecord } },
    errors: ['transformationUnknown', 'destinationUnknown', 'destinationsNeedPublish', 'changedMeanwhile', 'busy'],
  } as const
  return [
    gate.route({
      ...shared,
      path: '/transformations/{id}/connectToDestination',
      operationId: 'connectToDestination',
      summary: 'Connect a published transformation with a destination, instead of the one it has',
      handle: async ({ workspace, param, body }) => {
        const connected = await service.connect(workspace.id, body.destinationId, param('id'))
        return connected.ok ? recordOf(workspace, param('id')) : toAnswer(connected, () => ({}))
      },
    }),
    gate.route({
      ...shared,
      path: '/transformations/{id}/disconnectFromDestination',
      operationId: 'disconnectFromDestination',
      summary: 'Disconnect a transformation from a destination; one that is not connected is fine',
      handle: async ({ workspace, param, body }) => {
        const found = await service.find(workspace.id, 'transformation', param('id'))
        if (!found.ok) return toAnswer(found, () => ({}))
        if (found.value.record.destinationIds.includes(body.destinationId)) {
          const disconnected = await service.connect(workspace.id, body.destinationId, undefined)
          if (!disconnected.ok) return toAnswer(disconnected, () => ({}))
        }
        return recordOf(workspace, param('id'))
      },
    }),
  ]

  async function recordOf(workspace: Parameters<typeof transformationRecord>[1], id: string) {
    const found = await service.find(workspace.id, 'transformation', id)
    return found.ok ? answer(transformationRecord(found.value, workspace)) : toAnswer(found, () => ({}))
  }
}
