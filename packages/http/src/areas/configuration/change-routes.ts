import type {
  Configuration,
  ConfigurationChange,
  ConfigurationEntry,
  ConfigurationError,
  RecordKind,
} from '@sluice/configuration'
import type { JsonObject } from '@sluice/core'
import Type from 'typebox'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import { type Answer, problem, scopeMissing } from '../../gate/answer.ts'
import type { Route } from '../../routing/route.ts'
import { deferredKeyword, privateKeyword } from '../../routing/validator.ts'
import { area, DeleteQuery } from './configuration-schemas.ts'
import { shownEntry, shownSource, type Viewer } from './shown-entry.ts'
import { toAnswer } from './to-answer.ts'

const kinds = ['source', 'destination', 'connection', 'credential', 'token'] as const
const closed = { additionalProperties: false }
/** Most changes that an audit entry names. */
const auditedMax = 20
/** Most changes of a request, which are applied together: other changes wait for a second. Its body has a limit, too. */
const changesMax = 5_000

const ChangesBody = Type.Object({
  changes: Type.Array(
    Type.Object(
      {
        action: Type.Enum(['create', 'update', 'put', 'delete'], {
          type: 'string',
          description: 'create, update (what is there), put (create or update) or delete',
        }),
        kind: Type.Enum([...kinds], { type: 'string', description: `one of ${kinds.join(', ')}` }),
        id: Type.Optional(
          Type.String({ format: 'text', maxLength: 1_000, description: 'the id; the name of a credential' }),
        ),
        ifRevision: Type.Optional(Type.Integer({ minimum: 1, description: 'the revision it must have' })),
        externalId: Type.Optional(Type.String({ format: 'text', minLength: 1, maxLength: 200 })),
        body: Type.Optional(
          Type.Record(Type.String(), Type.Unknown(), {
            [privateKeyword]: true,
            description: 'members as in a workspace file, without the id; null removes one; a credential is {value}',
          }),
        ),
      },
      {
        // Only what is created may have none.
        anyOf: [{ properties: { action: { const: 'create' } } }, { required: ['id'] }],
        [deferredKeyword]: ['anyOf'],
      },
    ),
    { maxItems: changesMax, description: `a list of at most ${changesMax} changes` },
  ),
})
const Part = Type.Object(
  {
    kind: Type.String(),
    id: Type.String(),
    body: Type.Record(Type.String(), Type.Unknown(), { description: 'As in a workspace file, secrets masked.' }),
    workspaceId: Type.String(),
    managedBy: Type.String(),
    revision: Type.Optional(Type.Integer()),
    createdAt: Type.Optional(Type.String({ format: 'date-time' })),
    updatedAt: Type.Optional(Type.String({ format: 'date-time' })),
    externalId: Type.Optional(Type.String()),
    problems: Type.Optional(Type.Array(Type.Unknown())),
  },
  closed,
)
const Parts = Type.Object({ parts: Type.Array(Part) }, closed)

/** Creates the routes for programs that manage a whole workspace: all of it at once, and many changes as one. */
export function changeRoutes(gate: TokenGate, configuration: Configuration): readonly Route[] {
  return [
    gate.route({
      method: 'get',
      path: '/v2/configuration',
      operationId: 'getConfiguration',
      summary: 'Everything that is configured, in the members of a workspace file',
      area,
      scopes: ['read'],
      responses: { 200: { description: 'All parts; tokens need the scope admin.', schema: Parts } },
      errors: [],
      handle: (call) => {
        const shown = (['workspace', ...kinds] as const).filter((kind) => kind !== 'token' || call.allows('admin'))
        const entries = shown.flatMap((kind) => configuration.list(call.workspace.id, kind))
        return { status: 200, list: { member: 'parts', elements: partsOf(entries, call) } }
      },
    }),
    gate.route({
      method: 'post',
      path: '/v2/configuration',
      operationId: 'changeConfiguration',
      summary: 'Apply many changes, all or none',
      area,
      scopes: ['write', 'operate'],
      query: DeleteQuery,
      body: ChangesBody,
      responses: { 200: { description: 'The parts that exist after the changes, in their order.', schema: Parts } },
      errors: [
        'recordUnknown',
        'recordTaken',
        'recordChanged',
        'recordConnected',
        'externalIdTaken',
        'managedByFile',
        'configurationInvalid',
        'configurationFull',
        'configurationBusy',
        'eventsWaiting',
      ],
      handle: async (call) => {
        const nameless = call.body.changes.findIndex(({ action, id }) => action !== 'create' && id === undefined)
        if (nameless >= 0)
          return problem('bodyInvalid', `body.changes.${nameless}.id is missing; only what is created may have none`)
        const changes = call.body.changes.map(toChange)
        if (changes.some(({ kind }) => kind === 'token') && !call.allows('admin')) return scopeMissing('admin')
        const { validate, force } = call.query
        const changed = await configuration.change(call.workspace.id, changes, {
          validateOnly: validate === true,
          force: force === true,
        })
        if (!changed.ok && changed.error.problems) return invalid(changed.error)
        return toAnswer(changed, (entries) => ({
          status: 200,
          list: { member: 'parts', elements: partsOf(entries, call) },
          audited: auditText(changes),
        }))
      },
    }),
  ]
}

interface GivenChange {
  readonly action: 'create' | 'update' | 'put' | 'delete'
  readonly kind: RecordKind
  readonly id?: string
  readonly ifRevision?: number
  readonly externalId?: string
  readonly body?: object
}

function toChange({ action, kind, id, ifRevision, externalId, body = {} }: GivenChange): ConfigurationChange {
  const condition = ifRevision === undefined ? {} : { ifRevision }
  const external = externalId === undefined ? {} : { externalId }
  if (action === 'create') return { action, kind, id, ...external, body: body as JsonObject }
  if (action === 'delete') return { action, kind, id: id ?? '', ...condition }
  return { action, kind, id: id ?? '', ...condition, ...external, body: body as JsonObject }
}

/** Lists all problems with their places in the request. The message has the names of the parts. */
function invalid({ code, message, details, problems = [] }: ConfigurationError): Answer {
  const listed = problems.map(({ change, path, value, allowed }) => {
    const member = path === 'id' ? path : path === '' ? 'body' : `body.${path}`
    return { path: `changes[${change}].${member}`, value, allowed }
  })
  return problem(code, message, { ...details, problems: listed })
}

/** Returns what is changed, for the audit log. */
function auditText(changes: readonly ConfigurationChange[]): string {
  const named = changes.slice(0, auditedMax).map((change) => {
    const { source, destination, name } = change.action === 'delete' ? {} : change.body
    const ends = source === undefined ? name : `${source} → ${destination}`
    return `${change.action} ${change.kind} ${change.id ?? ends ?? ''}`.trim()
  })
  const more = changes.length - named.length
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ')
}

function* partsOf(entries: readonly ConfigurationEntry[], viewer: Viewer): Iterable<object> {
  for (const entry of entries) yield partOf(entry, viewer)
}

function partOf(entry: ConfigurationEntry, viewer: Viewer): JsonObject {
  const { id, ...members } = shownEntry(entry, {})
  const isVisible = entry.kind !== 'source' || viewer.allows('write')
  const body = isVisible ? entry.body : withoutKeys(entry, viewer)
  return { kind: entry.kind, id, body, ...members }
}

/** Returns the body of a source with masked write keys. */
function withoutKeys(entry: ConfigurationEntry, viewer: Viewer): JsonObject {
  const { writeKey, formerWriteKey } = shownSource(entry, viewer)
  return {
    ...entry.body,
    ...(writeKey === undefined ? {} : { writeKey }),
    ...(formerWriteKey === undefined ? {} : { formerWriteKey }),
  }
}
