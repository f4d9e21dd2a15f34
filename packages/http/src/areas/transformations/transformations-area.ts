import type { Workspace } from '@sluice/core'
import type { CodeKind, Result, Transformations, VersionedCode } from '@sluice/transformations'
import type { TObject } from 'typebox'
import { type Answer, answer, type Call, problem, scopeMissing, type TokenGate } from '../../gate/token-gate.ts'
import { type Area, createArea, type Route } from '../../routing/route.ts'
import {
  libraryRecord,
  libraryVersion,
  passedTest,
  retested,
  testResult,
  transformationRecord,
  transformationVersion,
} from './transformation-record.ts'
import {
  Deleted,
  DeleteQuery,
  DetailQuery,
  LibraryChange,
  LibraryRecord,
  LibraryVersion,
  listOf,
  NewLibrary,
  NewTransformation,
  Published,
  PublishPayload,
  PublishQuery,
  TestResult,
  TransformationChange,
  TransformationRecord,
  TransformationVersion,
  VersionsQuery,
} from './transformations-schemas.ts'

export interface TransformationsAreaOptions {
  readonly gate: TokenGate
  readonly transformations: Transformations
}

const area = 'Transformations'
const saveErrors = [
  'codeTooLarge',
  'codeInvalid',
  'nameMissing',
  'languageUnknown',
  'publishContradicts',
  'storageFull',
] as const
const publishErrors = ['testsFailed', 'publishBreaks', 'changedMeanwhile', 'busy'] as const
const connectErrors = ['destinationsNeedPublish', 'destinationUnknown', 'destinationTaken'] as const
const payloadErrors = ['publishEmpty', 'publishTwice', 'versionUnknown', 'testInputInvalid'] as const

/** Transformations API. Source: packages/docs/api/transformations.md. */
export function createTransformationsArea({ gate, transformations }: TransformationsAreaOptions): Area {
  return createArea([
    ...transformationRoutes(gate, transformations),
    ...libraryRoutes(gate, transformations),
    ...publishRoutes(gate, transformations),
  ])
}

function transformationRoutes(gate: TokenGate, service: Transformations): readonly Route[] {
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
      errors: [...saveErrors, ...publishErrors, ...connectErrors],
      handle: (call) =>
        save(
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
        return answer({ transformations: listed.map((code) => transformationRecord(code, workspace)) })
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
      errors: [...saveErrors, ...publishErrors, ...connectErrors, 'transformationUnknown'],
      handle: (call) =>
        save(
          call,
          (publish) => service.update(call.workspace.id, kind, call.param('id'), { ...call.body, publish }),
          transformationRecord,
        ),
    }),
    ...readRoutes(gate, service, kind, {
      path: '/transformations',
      noun: 'Transformation',
      record: transformationRecord,
      recordSchema: TransformationRecord,
      version: transformationVersion,
      versionSchema: TransformationVersion,
      versions: 'TransformationVersions',
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

function libraryRoutes(gate: TokenGate, service: Transformations): readonly Route[] {
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
      errors: [...saveErrors, ...publishErrors, 'importNameInvalid', 'importNameTaken'],
      handle: (call) =>
        save(call, (publish) => service.create(call.workspace.id, kind, { ...call.body, publish }), libraryRecord),
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
        answer({ libraries: (await service.list(workspace.id, kind)).map((code) => libraryRecord(code)) }),
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
      errors: [...saveErrors, ...publishErrors, 'libraryUnknown'],
      handle: (call) =>
        save(
          call,
          (publish) => service.update(call.workspace.id, kind, call.param('id'), { ...call.body, publish }),
          libraryRecord,
        ),
    }),
    ...readRoutes(gate, service, kind, {
      path: '/libraries',
      noun: 'Library',
      record: libraryRecord,
      recordSchema: LibraryRecord,
      version: libraryVersion,
      versionSchema: LibraryVersion,
      versions: 'libraryVersions',
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

/** Returns the read routes of transformations or libraries. */
function readRoutes(
  gate: TokenGate,
  service: Transformations,
  kind: CodeKind,
  shapes: {
    readonly path: string
    readonly noun: string
    record(code: VersionedCode, workspace: Workspace): object
    readonly recordSchema: TObject
    version(code: VersionedCode): object
    readonly versionSchema: TObject
    readonly versions: string
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
        const page = { order: orderBy, ...(count === undefined ? {} : { limit: count }) }
        const found = await service.versions(workspace.id, kind, param('id'), page)
        return toAnswer(found, (codes) => ({ [shapes.versions]: codes.map((code) => shapes.version(code)) }))
      },
    }),
    gate.route({
      ...shared,
      path: `${path}/{id}/versions/{versionId}`,
      operationId: `get${noun}Version`,
      summary: `Get one version of a ${kind}`,
      responses: { 200: { description: 'The version.', schema: shapes.versionSchema } },
      errors: [unknown, 'versionUnknown'],
      handle: async ({ workspace, param }) =>
        toAnswer(await service.version(workspace.id, kind, param('id'), param('versionId')), shapes.version),
    }),
  ]
}

function publishRoutes(gate: TokenGate, service: Transformations): readonly Route[] {
  return [
    gate.route({
      method: 'post',
      path: '/transformations/libraries/publish',
      operationId: 'publish',
      summary: 'Test versions and publish them, all or none',
      area,
      scopes: ['operate'],
      query: DetailQuery,
      body: PublishPayload,
      responses: { 200: { description: 'The versions are live.', schema: Published } },
      errors: [...payloadErrors, ...publishErrors],
      handle: async ({ workspace, body, query }) =>
        toAnswer(await service.publish(workspace.id, body), (report) => ({
          published: true,
          ...(query.detail
            ? {
                transformations: report.transformations.map(passedTest),
                libraries: report.libraries.map(passedTest),
                retested: report.retested.map(retested),
              }
            : {}),
        })),
    }),
    gate.route({
      method: 'post',
      path: '/transformations/libraries/test',
      operationId: 'test',
      summary: 'Test versions without publishing them; failed tests are part of the result',
      area,
      scopes: ['operate'],
      body: PublishPayload,
      responses: { 200: { description: 'Passed and failed tests.', schema: TestResult } },
      errors: [...payloadErrors, 'busy'],
      handle: async ({ workspace, body }) => toAnswer(await service.test(workspace.id, body), testResult),
    }),
  ]
}

/** Creates or updates. `publish` may be in the body or in the query, and requires the scope `operate` too. */
async function save(
  call: Call<typeof PublishQuery, typeof TransformationChange>,
  saveAs: (publish: boolean) => Promise<Result<VersionedCode>>,
  toRecord: (code: VersionedCode, workspace: Workspace) => object,
): Promise<Answer> {
  const { query, body, workspace } = call
  if (query.publish !== undefined && body.publish !== undefined && query.publish !== body.publish)
    return problem(
      'publishContradicts',
      `publish is ${body.publish} in the body and ${query.publish} in the query; give it once`,
    )
  const publish = query.publish ?? body.publish ?? false
  if (publish && !call.allows('operate')) return scopeMissing('operate')
  return toAnswer(await saveAs(publish), (code) => toRecord(code, workspace))
}

function toAnswer<T>(result: Result<T>, toBody: (value: T) => object): Answer {
  if (result.ok) return answer(toBody(result.value))
  const { code, message, details } = result.error
  return problem(code, message, details)
}
