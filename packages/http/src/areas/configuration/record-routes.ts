import type { Configuration, ConfigurationEntry, RecordKind } from '@sluice/configuration'
import type { JsonObject } from '@sluice/core'
import type { TObject } from 'typebox'
import type { Call, TokenGate } from '../../gate/access/token-gate.ts'
import { type Answer, noContent, problem } from '../../gate/answer.ts'
import type { ApiErrorCode } from '../../routing/api-errors.ts'
import { ExternalIdBody } from '../../routing/external-id.ts'
import type { Route } from '../../routing/route.ts'
import { area, DeleteQuery, etag, ifMatch, listOf, one, PageQuery, ValidateQuery } from './configuration-schemas.ts'
import { pageOf } from './page.ts'
import type { Viewer } from './shown-entry.ts'
import { parseIfMatch, recordAnswer, toAnswer } from './to-answer.ts'

/** What the routes of a kind differ in. */
export interface RecordResource {
  readonly kind: RecordKind
  /** Name of the list in paths and answers, such as `sources`. */
  readonly plural: string
  readonly noun: string
  readonly unknown: ApiErrorCode
  readonly body: TObject
  /** The same for what is created. */
  readonly creation: TObject
  readonly record: TObject
  /** Returns the members of a request with the names of a workspace file. */
  toBody(body: JsonObject): JsonObject
  shown(entry: ConfigurationEntry, viewer: Viewer): JsonObject
}

type ViewerCall = Pick<Call<never, never>, 'workspace' | 'allows' | 'isPrivate'>

/** Returns how records are shown to a caller: with secrets where the workspace, the token and the way of the answer allow it. */
function viewerOf(call: ViewerCall, kind: RecordKind, configuration: Configuration): Viewer {
  const { workspace, isPrivate } = call
  const allows: Viewer['allows'] = (scope) => call.allows(scope)
  if (kind !== 'destination' || workspace.showSecrets !== true || !isPrivate || !allows('secrets'))
    return { workspace, allows }
  return { workspace, allows, sentSettings: (id) => configuration.sentSettings(workspace.id, id) }
}

/** What the audit log adds to calls that were shown secrets. */
function audited({ sentSettings }: Viewer): { readonly audited?: string } {
  return sentSettings ? { audited: 'with secrets' } : {}
}

const changeErrors = [
  'recordChanged',
  'recordConnected',
  'managedByFile',
  'configurationInvalid',
  'configurationFull',
  'configurationBusy',
  'ifMatchInvalid',
] as const

/** Creates the routes that list, create, return, change and delete the records of a kind. */
export function recordRoutes(
  gate: TokenGate,
  configuration: Configuration,
  { kind, plural, noun, unknown, body: bodySchema, creation, record, toBody, shown }: RecordResource,
): readonly Route[] {
  const path = `/v2/${plural}`
  const Noun = `${noun[0]?.toUpperCase()}${noun.slice(1)}`
  const single = { description: `The ${noun}.`, headers: etag, schema: one(noun, record) }
  const missing = (id: string): Answer => problem(unknown, `there is no ${noun} ${id}; GET ${path} lists them`)
  const answerWith = (call: ViewerCall, status?: 200 | 201) => (entries: readonly ConfigurationEntry[]) => {
    const viewer = viewerOf(call, kind, configuration)
    const [entry] = entries
    return entry ? { ...recordAnswer(entry, { [noun]: shown(entry, viewer) }, status), ...audited(viewer) } : noContent
  }
  return [
    gate.route({
      method: 'get',
      path,
      operationId: `list${Noun}s`,
      summary: `The ${plural} of the workspace`,
      area,
      scopes: ['read'],
      query: PageQuery,
      responses: {
        200: {
          description: 'In order: those of the workspace file, then others by creation.',
          schema: listOf(plural, record),
        },
      },
      errors: [],
      handle: (call) => {
        const viewer = viewerOf(call, kind, configuration)
        const { entries, paging } = pageOf(path, configuration.list(call.workspace.id, kind), call.query)
        return {
          status: 200,
          body: { [plural]: entries.map((entry) => shown(entry, viewer)), paging },
          ...audited(viewer),
        }
      },
    }),
    gate.route({
      method: 'post',
      path,
      operationId: `create${Noun}`,
      summary: `Create a ${noun}`,
      area,
      scopes: ['write', 'operate'],
      query: ValidateQuery,
      body: creation,
      responses: { 200: { ...single, description: 'What would be created, with validate=true.' }, 201: single },
      errors: [...changeErrors, 'recordTaken', 'externalIdTaken'],
      handle: async (call) => {
        const { id, externalId, ...body } = call.body as { id?: string; externalId?: string } & JsonObject
        const validateOnly = call.query.validate === true
        const created = await configuration.change(
          call.workspace.id,
          [
            {
              action: 'create',
              kind,
              id,
              externalId,
              body: toBody(body),
            },
          ],
          { validateOnly },
        )
        return toAnswer(created, answerWith(call, validateOnly ? 200 : 201))
      },
    }),
    gate.route({
      method: 'get',
      path: `${path}/{id}`,
      operationId: `get${Noun}`,
      summary: `A ${noun}`,
      area,
      scopes: ['read'],
      responses: { 200: single },
      errors: [unknown],
      handle: (call) => {
        const entry = configuration.find(call.workspace.id, kind, call.param('id'))
        return entry ? answerWith(call)([entry]) : missing(call.param('id'))
      },
    }),
    gate.route({
      method: 'put',
      path: `${path}/{id}`,
      operationId: `update${Noun}`,
      summary: `Change a ${noun}: members that are left out stay as they are, null removes one`,
      area,
      scopes: ['write', 'operate'],
      query: ValidateQuery,
      headers: ifMatch,
      body: bodySchema,
      responses: { 200: single },
      errors: [...changeErrors, 'recordTaken', 'externalIdTaken', 'recordUnknown'],
      handle: async (call) => {
        const condition = parseIfMatch(call.header('if-match'))
        if ('status' in condition) return condition
        const { id: _, externalId, ...body } = call.body as { id?: string; externalId?: string } & JsonObject
        const changed = await configuration.change(
          call.workspace.id,
          [
            {
              action: 'update',
              kind,
              id: call.param('id'),
              ...condition,
              externalId,
              body: toBody(body),
            },
          ],
          { validateOnly: call.query.validate === true },
        )
        return toAnswer(changed, answerWith(call))
      },
    }),
    gate.route({
      method: 'put',
      path: `${path}/{id}/external-id`,
      operationId: `set${Noun}ExternalId`,
      summary: `Give a ${noun} an external id`,
      area,
      scopes: ['write'],
      query: ValidateQuery,
      headers: ifMatch,
      body: ExternalIdBody,
      responses: { 200: single },
      errors: [...changeErrors, 'externalIdTaken', 'recordUnknown'],
      handle: async (call) => {
        const condition = parseIfMatch(call.header('if-match'))
        if ('status' in condition) return condition
        const { externalId } = call.body
        const changed = await configuration.change(
          call.workspace.id,
          [{ action: 'update', kind, id: call.param('id'), ...condition, externalId, body: {} }],
          { validateOnly: call.query.validate === true },
        )
        return toAnswer(changed, answerWith(call))
      },
    }),
    gate.route({
      method: 'delete',
      path: `${path}/{id}`,
      operationId: `delete${Noun}`,
      summary: `Delete a ${noun}; one that is gone already is fine`,
      area,
      scopes: ['write', 'operate'],
      query: DeleteQuery,
      headers: ifMatch,
      responses: { 204: { description: 'It is gone.' } },
      errors: changeErrors,
      handle: async (call) => {
        const condition = parseIfMatch(call.header('if-match'))
        if ('status' in condition) return condition
        const { validate } = call.query
        const deleted = await configuration.change(
          call.workspace.id,
          [{ action: 'delete', kind, id: call.param('id'), ...condition }],
          // Events that wait become dead letters, so nothing is lost.
          { validateOnly: validate === true, force: true },
        )
        return toAnswer(deleted, () => noContent)
      },
    }),
  ]
}
