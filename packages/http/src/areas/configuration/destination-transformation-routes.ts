import type { Transformations, VersionedCode } from '@sluice/transformations'
import Type from 'typebox'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import { answer, problem } from '../../gate/answer.ts'
import type { Route } from '../../routing/route.ts'
import { area, ValidateQuery } from './configuration-schemas.ts'

const path = '/v2/destinations/{id}/transformation'
const nullable = (type: Type.TSchema) => Type.Union([type, Type.Null()])
const time = Type.String({ format: 'date-time' })
const Link = Type.Object(
  {
    destinationId: Type.String(),
    transformationId: nullable(Type.String()),
    createdAt: nullable(time),
    updatedAt: nullable(time),
  },
  { additionalProperties: false },
)
const LinkBody = Type.Object({
  transformationId: Type.String({ format: 'text', description: 'the id of a transformation' }),
})

/** Creates the routes that show, connect and disconnect the transformation of a destination. */
export function destinationTransformationRoutes(gate: TokenGate, transformations: Transformations): readonly Route[] {
  const connected = async (workspaceId: string, destinationId: string): Promise<VersionedCode | undefined> => {
    const all = await transformations.list(workspaceId, 'transformation')
    return all.find(({ record }) => record.destinationIds.includes(destinationId))
  }
  const errors = ['destinationUnknown', 'changedMeanwhile', 'busy'] as const
  return [
    gate.route({
      method: 'get',
      path,
      operationId: 'getDestinationTransformation',
      summary: 'The transformation that the API connected with a destination',
      area,
      scopes: ['read'],
      responses: { 200: { description: 'The connection.', schema: Link } },
      errors: ['destinationMissing', 'recordUnknown'],
      handle: async ({ workspace, param }) => {
        const id = param('id')
        if (!workspace.destinations.some((destination) => destination.id === id))
          return problem('destinationMissing', `there is no destination ${id}; GET /v2/destinations lists them`)
        const code = await connected(workspace.id, id)
        return code
          ? answer(linkOf(id, code))
          : problem('recordUnknown', `no transformation is connected with destination ${id}; PUT connects one`)
      },
    }),
    gate.route({
      method: 'put',
      path,
      operationId: 'connectDestinationTransformation',
      summary:
        'Connect a transformation with a destination, instead of the one it has; a draft runs once it is published',
      area,
      scopes: ['operate'],
      query: ValidateQuery,
      body: LinkBody,
      responses: { 200: { description: 'The connection.', schema: Link } },
      errors: [...errors, 'transformationUnknown'],
      handle: async ({ workspace, param, query, body }) => {
        const result = await transformations.connect(workspace.id, param('id'), body.transformationId, {
          validateOnly: query.validate === true,
          acceptDraft: true,
        })
        if (!result.ok) return problem(result.error.code, result.error.message)
        return answer(linkOf(param('id'), result.value))
      },
    }),
    gate.route({
      method: 'delete',
      path,
      operationId: 'disconnectDestinationTransformation',
      summary: 'Disconnect the transformation of a destination; without one, nothing happens',
      area,
      scopes: ['operate'],
      query: ValidateQuery,
      responses: { 200: { description: 'The connection that ended.', schema: Link } },
      errors,
      handle: async ({ workspace, param, query }) => {
        const result = await transformations.connect(workspace.id, param('id'), undefined, {
          validateOnly: query.validate === true,
        })
        if (!result.ok) return problem(result.error.code, result.error.message)
        return answer(linkOf(param('id'), result.value))
      },
    }),
  ]
}

function linkOf(destinationId: string, code: VersionedCode | undefined) {
  const iso = (time: number): string => new Date(time).toISOString()
  return {
    destinationId,
    transformationId: code?.record.id ?? null,
    createdAt: code ? iso(code.record.createdAt) : null,
    updatedAt: code ? iso(code.record.updatedAt) : null,
  }
}
