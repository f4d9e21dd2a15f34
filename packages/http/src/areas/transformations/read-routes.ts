import type { Workspace } from '@sluice/core'
import type { CodeKind, Transformations, VersionedCode } from '@sluice/transformations'
import type { TObject } from 'typebox'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import type { Route } from '../../routing/route.ts'
import { toAnswer, toListAnswer } from './to-answer.ts'
import { area, listOf, VersionsQuery } from './transformations-schemas.ts'
import type { FindLives, VersionLife } from './version-life.ts'

/** Returns the read routes of transformations or libraries. */
export function readRoutes(
  gate: TokenGate,
  service: Transformations,
  kind: CodeKind,
  shapes: {
    readonly path: string
    readonly noun: string
    record(code: VersionedCode, workspace: Workspace): object
    readonly recordSchema: TObject
    version(code: VersionedCode, life: VersionLife): object
    readonly versionSchema: TObject
    readonly versions: string
    readonly findLives: FindLives
  },
): readonly Route[] {
  const { path, noun } = shapes
  const shared = { method: 'get', area, scopes: ['read'] } as const
  const unknown = `${kind}Unknown` as const
  return [
    gate.route({
      ...shared,
      path: `${path}/{id}`,
      operationId: `get${noun}`,
      summary: `Get a ${kind} with its newest version`,
      responses: { 200: { description: `The ${kind}.`, schema: shapes.recordSchema } },
      errors: [unknown],
      handle: async ({ workspace, param }) =>
        toAnswer(await service.find(workspace.id, kind, param('id')), (code) => shapes.record(code, workspace)),
    }),
    gate.route({
      ...shared,
      path: `${path}/{id}/versions`,
      operationId: `list${noun}Versions`,
      summary: `List the versions of a ${kind}`,
      query: VersionsQuery,
      responses: {
        200: { description: 'In order of creation.', schema: listOf(shapes.versions, shapes.versionSchema) },
      },
      errors: [unknown],
      handle: async ({ workspace, param, query: { count, orderBy = 'ASC' } }) => {
        const page = { order: orderBy, limit: count }
        const found = await service.versions(workspace.id, kind, param('id'), page)
        const lifeOf = await shapes.findLives(workspace.id, param('id'))
        return toListAnswer(found, shapes.versions, (code) => shapes.version(code, lifeOf(code)))
      },
    }),
    gate.route({
      ...shared,
      path: `${path}/{id}/versions/{versionId}`,
      operationId: `get${noun}Version`,
      summary: `Get one version of a ${kind}`,
      responses: { 200: { description: 'The version.', schema: shapes.versionSchema } },
      errors: [unknown, 'versionUnknown'],
      handle: async ({ workspace, param }) => {
        const lifeOf = await shapes.findLives(workspace.id, param('id'))
        const found = await service.version(workspace.id, kind, param('id'), param('versionId'))
        return toAnswer(found, (code) => shapes.version(code, lifeOf(code)))
      },
    }),
  ]
}
