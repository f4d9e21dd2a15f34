import type { Workspace } from '@sluice/core'
import type { EventModel, EventVersion, SchemaStore } from '@sluice/schema'
import { type Context, Hono } from 'hono'
import Type from 'typebox'
import { parseAuthorization } from './authorization.ts'
import { type Area, createArea, type ResponseDescription, type Route } from './route.ts'
import { isSameSecret } from './same-secret.ts'

export interface GovernanceOptions {
  readonly schema: SchemaStore
  readonly workspaces: () => readonly Workspace[]
  /** Of the whole data plane: they open every workspace it serves. Neither may be blank. */
  readonly admin: { readonly user: string; readonly password: string }
}

const closed = { additionalProperties: false }
const time = Type.String({ format: 'date-time' })
const schemaOfEvents = Type.Record(Type.String(), Type.String(), { description: 'Dotted key path to type name.' })
const modelsSchema = Type.Array(
  Type.Object(
    {
      ID: Type.Integer(),
      EventID: Type.String(),
      WriteKey: Type.String(),
      EventType: Type.String(),
      EventIdentifier: Type.String(),
      CreatedAt: time,
      Schema: schemaOfEvents,
      LastSeen: time,
      TotalCount: Type.Integer(),
    },
    closed,
  ),
)
const versionsSchema = Type.Array(
  Type.Object(
    {
      ID: Type.Integer(),
      VersionID: Type.String(),
      EventModelID: Type.String(),
      Schema: schemaOfEvents,
      FirstSeen: time,
      LastSeen: time,
      TotalCount: Type.Integer(),
    },
    closed,
  ),
)
const refusal: ResponseDescription = {
  description: 'Failed authentication, or a parameter that is missing.',
  schema: Type.String({ description: 'A line of JSON: {"msg": …}' }),
  contentType: 'text/plain',
}

/**
 * Data Governance API, the lists: `GET /schemas/event-models` and `GET /schemas/event-versions`, with the admin
 * credentials of the data plane. Sources: interface spec 2.7, 4.4, 5 and 7 (failed authentication is 400).
 *
 * @throws RangeError when a credential is blank: the area does not start unprotected.
 */
export function createGovernanceArea({ schema, workspaces, admin }: GovernanceOptions): Area {
  if (admin.user === '' || admin.password === '')
    throw new RangeError(
      'the Data Governance API needs an admin user and password; set SERVICE_ADMIN_USER and SERVICE_ADMIN_PASSWORD',
    )
  const app = new Hono()
  app.use('/schemas/*', async (c, next) => {
    const given = parseAuthorization(c.req.header('authorization'))
    if (given === undefined || given.user === '') return problem(c, 'Basic auth credentials missing')
    const userMatches = isSameSecret(given.user, admin.user)
    const passwordMatches = isSameSecret(given.secret, admin.password)
    return userMatches && passwordMatches ? next() : problem(c, 'Invalid admin credentials')
  })
  const shared = { method: 'get', area: 'Data Governance', credential: 'admin' } as const
  const routes: readonly Route[] = [
    {
      ...shared,
      path: '/schemas/event-models',
      operationId: 'listEventModels',
      summary: 'The events that were seen',
      query: Type.Object({ WriteKey: Type.Optional(Type.String({ description: 'Of one source only.' })) }),
      responses: { 200: { description: 'All event models.', schema: modelsSchema }, 400: refusal },
      handle: async (c) => {
        const writeKey = c.req.query('WriteKey')
        const perWorkspace = await Promise.all(workspaces().map(({ id }) => schema.models(id, writeKey)))
        return c.json(perWorkspace.flat().map(modelRecord))
      },
    },
    {
      ...shared,
      path: '/schemas/event-versions',
      operationId: 'listEventVersions',
      summary: 'The shapes an event was seen with',
      query: Type.Object({ EventID: Type.String({ description: 'Of an event model.' }) }),
      responses: { 200: { description: 'All versions of the model.', schema: versionsSchema }, 400: refusal },
      handle: async (c) => {
        const eventId = c.req.query('EventID')
        if (!eventId) return problem(c, 'Mandatory field: EventID missing')
        const perWorkspace = await Promise.all(workspaces().map(({ id }) => schema.versions(id, eventId)))
        return c.json(perWorkspace.flat().map(versionRecord))
      },
    },
  ]
  return createArea(routes, app)
}

function problem(c: Context, msg: string): Response {
  return c.text(`${JSON.stringify({ msg })}\n`, 400)
}

function modelRecord(model: EventModel) {
  return {
    ID: model.id,
    EventID: model.eventId,
    WriteKey: model.writeKey,
    EventType: model.eventType,
    EventIdentifier: model.eventIdentifier,
    CreatedAt: new Date(model.createdAt).toISOString(),
    Schema: model.schema,
    LastSeen: new Date(model.lastSeen).toISOString(),
    TotalCount: model.totalCount,
  }
}

function versionRecord(version: EventVersion) {
  return {
    ID: version.id,
    VersionID: version.versionId,
    EventModelID: version.eventModelId,
    Schema: version.schema,
    FirstSeen: new Date(version.firstSeen).toISOString(),
    LastSeen: new Date(version.lastSeen).toISOString(),
    TotalCount: version.totalCount,
  }
}
