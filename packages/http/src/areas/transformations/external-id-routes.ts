import type { Workspace } from '@sluice/core'
import type { CodeKind, Transformations, VersionedCode } from '@sluice/transformations'
import type { TObject } from 'typebox'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import { ExternalIdBody } from '../../routing/external-id.ts'
import type { Route } from '../../routing/route.ts'
import { toAnswer } from './to-answer.ts'
import { libraryRecord, transformationRecord } from './transformation-record.ts'
import { area, LibraryRecord, TransformationRecord } from './transformations-schemas.ts'

/** Creates the routes that give a transformation or library an id of the caller's own. It makes no version. */
export function externalIdRoutes(gate: TokenGate, service: Transformations): readonly Route[] {
  const route = (
    kind: CodeKind,
    plural: string,
    noun: string,
    schema: TObject,
    toRecord: (code: VersionedCode, workspace: Workspace) => object,
  ): Route =>
    gate.route({
      method: 'put',
      path: `/${plural}/{id}/external-id`,
      operationId: `set${noun}ExternalId`,
      summary: `Give a ${kind} an external id`,
      area,
      scopes: ['write'],
      body: ExternalIdBody,
      responses: { 200: { description: `The ${kind}.`, schema } },
      errors: ['externalIdTaken', `${kind}Unknown`],
      handle: async ({ workspace, param, body }) =>
        toAnswer(await service.setExternalId(workspace.id, kind, param('id'), body.externalId), (code) =>
          toRecord(code, workspace),
        ),
    })
  return [
    route('transformation', 'transformations', 'Transformation', TransformationRecord, transformationRecord),
    route('library', 'libraries', 'Library', LibraryRecord, libraryRecord),
  ]
}
