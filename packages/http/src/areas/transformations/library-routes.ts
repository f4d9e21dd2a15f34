import type { Transformations } from '@sluice/transformations'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import { listAnswer } from '../../gate/answer.ts'
import type { Route } from '../../routing/route.ts'
import { readRoutes } from './read-routes.ts'
import { saveCode } from './save-code.ts'
import { toAnswer } from './to-answer.ts'
import { libraryRecord, libraryVersion } from './transformation-record.ts'
import { publishErrors, saveErrors } from './transformations-errors.ts'
import {
  area,
  Deleted,
  LibraryChange,
  LibraryRecord,
  LibraryVersion,
  listOf,
  NewLibrary,
  PublishQuery,
} from './transformations-schemas.ts'
import { updateCode } from './update-code.ts'
import type { FindLives } from './version-life.ts'

export function libraryRoutes(gate: TokenGate, service: Transformations, findLives: FindLives): readonly Route[] {
  const kind = 'library'
  return [
    gate.route({
      method: 'post',
      path: '/libraries',
      operationId: 'createLibrary',
      summary: 'Create a library',
      area,
      scopes: ['write'],
      query: PublishQuery,
      body: NewLibrary,
      responses: { 200: { description: 'The library.', schema: LibraryRecord } },
      errors: [...saveErrors, ...publishErrors, 'importNameInvalid', 'importNameTaken', 'externalIdTaken'],
      handle: (call) =>
        saveCode(call, (publish) => service.create(call.workspace.id, kind, { ...call.body, publish }), libraryRecord),
    }),
    gate.route({
      method: 'get',
      path: '/libraries',
      operationId: 'listLibraries',
      summary: 'List libraries with their newest versions',
      area,
      scopes: ['read'],
      responses: { 200: { description: 'In order of creation.', schema: listOf('libraries', LibraryRecord) } },
      errors: [],
      handle: async ({ workspace }) =>
        listAnswer('libraries', await service.list(workspace.id, kind), (code) => libraryRecord(code)),
    }),
    gate.route({
      method: 'post',
      path: '/libraries/{id}',
      operationId: 'updateLibrary',
      summary: 'Save a new version of a library',
      area,
      scopes: ['write'],
      query: PublishQuery,
      body: LibraryChange,
      responses: { 200: { description: 'The library.', schema: LibraryRecord } },
      errors: [...saveErrors, ...publishErrors, 'importNameFixed', 'memberReadOnly', 'libraryUnknown'],
      handle: (call) => updateCode(call, service, kind, libraryRecord),
    }),
    ...readRoutes(gate, service, kind, {
      path: '/libraries',
      noun: 'Library',
      record: libraryRecord,
      recordSchema: LibraryRecord,
      version: libraryVersion,
      versionSchema: LibraryVersion,
      versions: 'libraryVersions',
      findLives,
    }),
    gate.route({
      method: 'delete',
      path: '/libraries/{id}',
      operationId: 'deleteLibrary',
      summary: 'Delete a library that no published transformation imports',
      area,
      scopes: ['write', 'operate'],
      responses: { 200: { description: 'Deleted.', schema: Deleted } },
      errors: ['libraryUnknown', 'libraryInUse', 'changedMeanwhile', 'busy'],
      handle: async ({ workspace, param }) =>
        toAnswer(await service.remove(workspace.id, kind, param('id'), { ifUnused: false }), () => ({ success: true })),
    }),
  ]
}
