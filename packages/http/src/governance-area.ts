import type { Workspace } from '@sluice/core'
import type { EventModel, EventVersion, SchemaStore } from '@sluice/schema'
import { type Context, Hono } from 'hono'
import { parseAuthorization } from './authorization.ts'
import { isSameSecret } from './same-secret.ts'

export interface GovernanceOptions {
  readonly schema: SchemaStore
  readonly workspaces: () => readonly Workspace[]
  /** Of the whole data plane: they open every workspace it serves. Neither may be blank. */
  readonly admin: { readonly user: string; readonly password: string }
}

/**
 * Data Governance API, the lists: `GET /schemas/event-models` and `GET /schemas/event-versions`, with the admin
 * credentials of the data plane. Sources: interface spec 2.7, 4.4, 5 and 7 (failed authentication is 400).
 *
 * @throws RangeError when a credential is blank: the area does not start unprotected.
 */
export function createGovernanceArea({ schema, workspaces, admin }: GovernanceOptions): Hono {
  if (admin.user === '' || admin.password === '')
    throw new RangeError(
      'the Data Governance API needs an admin user and password; set SERVICE_ADMIN_USER and SERVICE_ADMIN_PASSWORD',
    )
  const area = new Hono()

  area.use('/schemas/*', async (c, next) => {
    const given = parseAuthorization(c.req.header('authorization'))
    if (given === undefined || given.user === '') return problem(c, 'Basic auth credentials missing')
    const userMatches = isSameSecret(given.user, admin.user)
    const passwordMatches = isSameSecret(given.secret, admin.password)
    return userMatches && passwordMatches ? next() : problem(c, 'Invalid admin credentials')
  })

  area.get('/schemas/event-models', async (c) => {
    const writeKey = c.req.query('WriteKey')
    const perWorkspace = await Promise.all(workspaces().map(({ id }) => schema.models(id, writeKey)))
    return c.json(perWorkspace.flat().map(modelRecord))
  })

  area.get('/schemas/event-versions', async (c) => {
    const eventId = c.req.query('EventID')
    if (!eventId) return problem(c, 'Mandatory field: EventID missing')
    const perWorkspace = await Promise.all(workspaces().map(({ id }) => schema.versions(id, eventId)))
    return c.json(perWorkspace.flat().map(versionRecord))
  })
  return area
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
