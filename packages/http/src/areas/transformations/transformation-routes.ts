import type { Transformations } from '@sluice/transformations'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import { listAnswer } from '../../gate/answer.ts'
import type { Route } from '../../routing/route.ts'
import { readRoutes } from './read-routes.ts'
import { saveCode } from './save-code.ts'
import { toAnswer } from './to-answer.ts'
import { transformationRecord, transformationVersion } from './transformation-record.ts'
import { connectErrors, publishErrors, saveErrors } from './transformations-errors.ts'
import {
  area,
  Deleted,
  DeleteQuery,
  listOf,
  NewTransformation,
  PublishQuery,
  TransformationChange,
  TransformationRecord,
  TransformationVersion,
} from './transformations-schemas.ts'
import { updateCode } from './update-code.ts'
import type { FindLives } from './version-life.ts'

export function transformationRoutes(
  gate: TokenGate,
  service: Transformations,
  findLives: FindLives,
): readonly Route[] {
  const kind = 'transformation'
  return [
    gate.route({
      method: 'post',
      path: '/transformations',
      operationId: 'createTransformation',
      summary: 'Create a transformation',
      area,
      scopes: ['write'],
      query: PublishQuery,
      body: NewTransformation,
      responses: { 200: { description: 'The transformation.', schema: TransformationRecord } },
      errors: [...saveErrors, ...publishErrors, ...connectErrors, 'externalIdTaken'],
      handle: (call) =>
        saveCode(
          call,
          (publish) => service.create(call.workspace.id, kind, { ...call.body, publish }),
          transformationRecord,
        ),
    }),
    gate.route({
      method: 'get',
      path: '/transformations',
      operationId: 'listTransformations',
      summary: 'List transformations with their newest versions',
      area,
      scopes: ['read'],
      responses: {
        200: { description: 'In order of creation.', schema: listOf('transformations', TransformationRecord) },
      },
      errors: [],
      handle: async ({ workspace }) => {
        const listed = await service.list(workspace.id, kind)
        return listAnswer('transformations', listed, (code) => transformationRecord(code, workspace))
      },
    }),
    gate.route({
      method: 'post',
      path: '/transformations/{id}',
      operationId: 'updateTransformation',
      summary: 'Save a new version of a transformation',
      area,
      scopes: ['write'],
      query: PublishQuery,
      body: TransformationChange,
      responses: { 200: { description: 'The transformation.', schema: TransformationRecord } },
      errors: [...saveErrors, ...publishErrors, ...connectErrors, 'memberReadOnly', 'transformationUnknown'],
      handle: (call) => updateCode(call, service, kind, transformationRecord),
    }),
    ...readRoutes(gate, service, kind, {
      path: '/transformations',
      noun: 'Transformation',
      record: transformationRecord,
      recordSchema: TransformationRecord,
      version: transformationVersion,
      versionSchema: TransformationVersion,
      versions: 'TransformationVersions',
      findLives,
    }),
    gate.route({
      method: 'delete',
      path: '/transformations/{id}',
      operationId: 'deleteTransformation',
      summary: 'Disconnect and delete a transformation',
      area,
      scopes: ['write', 'operate'],
      query: DeleteQuery,
      responses: { 200: { description: 'Deleted.', schema: Deleted } },
      errors: ['transformationUnknown', 'transformationInUse', 'changedMeanwhile', 'busy'],
      handle: async ({ workspace, query, param }) =>
        toAnswer(await service.remove(workspace.id, kind, param('id'), { ifUnused: query.ifUnused === true }), () => ({
          success: true,
        })),
    }),
  ]
}
