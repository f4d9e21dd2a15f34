import { systemClock, type Workspace } from '@sluice/core'
import type { Catalogue, EventModel } from '@sluice/schema'
import { type Context, Hono } from 'hono'
import { type AccessAttempts, createAccessAttempts } from '../../gate/access-attempts.ts'
import { parseAuthorization } from '../../gate/authorization.ts'
import { isSameSecret } from '../../gate/same-secret.ts'
import { apiError } from '../../routing/api-errors.ts'
import { type Area, createArea, type Route } from '../../routing/route.ts'
import { withSafeHeaders } from '../../routing/safe-headers.ts'
import { metadataRecord, modelRecord, versionRecord } from './governance-records.ts'
import {
  boundsSchema,
  diffSchema,
  jsonSchemaSchema,
  keyCountsSchema,
  metadataSchema,
  missingKeysSchema,
  modelsQuery,
  modelsSchema,
  refusal,
  versionsQuery,
  versionsSchema,
} from './governance-schemas.ts'

export interface GovernanceOptions {
  readonly catalogue: Catalogue
  readonly workspaces: () => readonly Workspace[]
  /** See `TokenGateOptions.attempts`. */
  readonly attempts?: AccessAttempts
  /** Admin credentials of the data plane. They give access to every workspace it serves. Both must be non-blank. */
  readonly admin: { readonly user: string; readonly password: string }
  /**
   * Answers exactly like RudderStack: unknown ids give empty lists and objects, or 400 and 500 instead of 404, and
   * methods other than GET give 400 instead of 405. Default false.
   */
  readonly strictCompatibility?: boolean
}

/**
 * Data Governance API: `GET /schemas/…`, with the admin credentials of the data plane. Records are sorted by ID, keys
 * in byte order. RudderStack has no routes for JSON Schema, differences and limits. Source:
 * packages/docs/api/governance.md (failed authentication is 400: #errors).
 *
 * @throws RangeError when a credential is blank: the area does not start unprotected.
 */
export function createGovernanceArea(options: GovernanceOptions): Area {
  const { catalogue, workspaces, admin, strictCompatibility = false } = options
  const { attempts = createAccessAttempts({ clock: systemClock }) } = options
  if (admin.user === '' || admin.password === '')
    throw new RangeError(
      'the Data Governance API needs an admin user and password; set SERVICE_ADMIN_USER and SERVICE_ADMIN_PASSWORD',
    )
  const app = new Hono()
  app.use('/schemas/*', async (c, next) => {
    const given = parseAuthorization(c.req.header('authorization'))
    if (given === undefined || given.user === '') return problem(c, 400, 'Basic auth credentials missing')
    const attempt = attempts.enter(c, given.user, () => {
      const userMatches = isSameSecret(given.user, admin.user)
      const passwordMatches = isSameSecret(given.secret, admin.password)
      return userMatches && passwordMatches ? true : undefined
    })
    if (!attempt.ok) {
      if (attempt.retryAfterSeconds === undefined) return problem(c, 400, 'Invalid admin credentials')
      c.header('Retry-After', String(attempt.retryAfterSeconds))
      return problem(c, 429, apiError('attemptsTooMany').summary)
    }
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') {
      c.header('allow', 'GET')
      return problem(c, strictCompatibility ? 400 : 405, 'Only HTTP GET method is supported')
    }
    const [, blank] = withoutId.exec(c.req.path) ?? []
    if (blank === undefined) return next()
    return problem(c, 400, `Mandatory field: ${blank === 'model' ? 'EventID' : 'VersionID'} missing`)
  })

  /** Returns the result of the first workspace that has the record. */
  const find = async <Found>(ask: (workspaceId: string) => Promise<Found | undefined>): Promise<Found | undefined> => {
    for (const { id } of workspaces()) {
      const found = await ask(id)
      if (found !== undefined) return found
    }
    return undefined
  }
  /** @param strict RudderStack's answer when the record is unknown. */
  const answer = <Found>(
    c: Context,
    found: Found | undefined,
    text: string,
    strict: Strict,
    shown: (found: Found) => unknown,
  ) => {
    if (found !== undefined) return c.json(shown(found) as object)
    if (!strictCompatibility) return problem(c, 404, text)
    return 'body' in strict ? c.json(strict.body) : problem(c, strict.status, strict.text ?? text)
  }
  const noModel = (eventId: string): string => `No EventModel found for given EventID : ${shownId(eventId)}`
  const noVersion = (versionId: string): string => `No SchemaVersion found for given VersionID : ${shownId(versionId)}`
  const noMetadata = (kind: string, id: string): string => `No Metadata found for given ${kind} : ${shownId(id)}`
  const same = <Value>(value: Value): Value => value

  const missingKeys = async (c: Context) => {
    const versionId = c.req.param('VersionID') ?? ''
    const keys = await find((id) => catalogue.missingKeys(id, versionId))
    return answer(c, keys, noVersion(versionId), { status: 500 }, same)
  }

  const shared = { method: 'get', area: 'Data Governance', credential: 'admin' } as const
  const routes: readonly Route[] = [
    {
      ...shared,
      path: '/schemas/event-models',
      operationId: 'listEventModels',
      summary: 'List the events that were received',
      query: modelsQuery,
      responses: { 200: { description: 'All event models.', schema: modelsSchema }, 400: refusal },
      handle: async (c) => {
        const writeKey = c.req.query('WriteKey') || undefined
        const perWorkspace = await Promise.all(workspaces().map(({ id }) => catalogue.models(id, writeKey)))
        return c.json(perWorkspace.flat().sort(byId).map(modelRecord))
      },
    },
    {
      ...shared,
      path: '/schemas/event-versions',
      operationId: 'listEventVersions',
      summary: 'List the shapes of an event',
      query: versionsQuery,
      responses: {
        200: { description: 'All versions of the model.', schema: versionsSchema },
        400: refusal,
        404: refusal,
      },
      handle: async (c) => {
        const eventId = c.req.query('EventID')
        if (!eventId) return problem(c, 400, 'Mandatory field: EventID missing')
        const versions = await find((id) => catalogue.versions(id, eventId))
        return answer(c, versions, noModel(eventId), { body: [] }, (found) => found.map(versionRecord))
      },
    },
    {
      ...shared,
      path: '/schemas/event-model/{EventID}/metadata',
      operationId: 'getEventModelMetadata',
      summary: 'Get samples and frequent values of an event',
      responses: {
        200: { description: 'Metadata of all versions.', schema: metadataSchema },
        400: refusal,
        404: refusal,
      },
      handle: async (c) => {
        const eventId = c.req.param('EventID') ?? ''
        const metadata = await find((id) => catalogue.modelMetadata(id, eventId))
        // RudderStack's text names the wrong parameter.
        const strict = { status: 400, text: noMetadata('VersionID', eventId) } as const
        return answer(c, metadata, noMetadata('EventID', eventId), strict, metadataRecord)
      },
    },
    {
      ...shared,
      path: '/schemas/event-version/{VersionID}/metadata',
      operationId: 'getEventVersionMetadata',
      summary: 'Get samples and frequent values of a version',
      responses: {
        200: { description: 'Metadata of the version.', schema: metadataSchema },
        400: refusal,
        404: refusal,
      },
      handle: async (c) => {
        const versionId = c.req.param('VersionID') ?? ''
        const metadata = await find((id) => catalogue.versionMetadata(id, versionId))
        return answer(c, metadata, noMetadata('VersionID', versionId), { status: 400 }, metadataRecord)
      },
    },
    {
      ...shared,
      path: '/schemas/event-model/{EventID}/key-counts',
      operationId: 'getKeyCounts',
      summary: 'Count the events that had each key',
      responses: { 200: { description: 'Count by key path.', schema: keyCountsSchema }, 400: refusal, 404: refusal },
      handle: async (c) => {
        const eventId = c.req.param('EventID') ?? ''
        const counts = await find((id) => catalogue.keyCounts(id, eventId))
        return answer(c, counts, noModel(eventId), { body: {} }, same)
      },
    },
    {
      ...shared,
      path: '/schemas/event-version/{VersionID}/missing-keys',
      operationId: 'getMissingKeys',
      summary: 'List the keys of the event that a version lacks',
      responses: { 200: { description: 'Key paths.', schema: missingKeysSchema }, 400: refusal, 404: refusal },
      handle: missingKeys,
    },
    {
      ...shared,
      path: '/schemas/{VersionID}/missing-keys',
      operationId: 'getMissingKeysOfVersion',
      summary: 'List the keys of the event that a version lacks, at an alternative path',
      responses: { 200: { description: 'Key paths.', schema: missingKeysSchema }, 400: refusal, 404: refusal },
      handle: missingKeys,
    },
    {
      ...shared,
      path: '/schemas/event-model/{EventID}/json-schema',
      operationId: 'getEventModelJsonSchema',
      summary: 'Get a JSON Schema that accepts every event of the model',
      responses: {
        200: { description: 'JSON Schema, draft 2020-12.', schema: jsonSchemaSchema },
        400: refusal,
        404: refusal,
      },
      handle: async (c) => {
        const eventId = c.req.param('EventID') ?? ''
        const schema = await find((id) => catalogue.jsonSchema(id, eventId))
        return answer(c, schema, noModel(eventId), { status: 404 }, same)
      },
    },
    {
      ...shared,
      path: '/schemas/event-model/{EventID}/diff',
      operationId: 'diffEventVersions',
      summary: 'Compare two versions of an event',
      query: diffSchema.query,
      responses: { 200: { description: 'Key paths.', schema: diffSchema.answer }, 400: refusal, 404: refusal },
      handle: async (c) => {
        const eventId = c.req.param('EventID') ?? ''
        const { from, to } = c.req.query()
        if (!from || !to) return problem(c, 400, `Mandatory field: ${from ? 'to' : 'from'} missing`)
        const diff = await find((id) => catalogue.diff(id, eventId, from, to))
        const text = `${noModel(eventId)} with the versions ${shownId(from)} and ${shownId(to)}`
        return answer(c, diff, text, { status: 404 }, same)
      },
    },
    {
      ...shared,
      path: '/schemas/limits',
      operationId: 'listSchemaLimits',
      summary: 'Count how often limits prevented the catalogue from learning something',
      query: modelsQuery,
      responses: { 200: { description: 'Counters. Those at zero are absent.', schema: boundsSchema }, 400: refusal },
      handle: async (c) => {
        const writeKey = c.req.query('WriteKey') || undefined
        const perWorkspace = await Promise.all(workspaces().map(({ id }) => catalogue.bounds(id, writeKey)))
        return c.json(
          perWorkspace.flat().map((each) => ({ WriteKey: each.writeKey, Limit: each.bound, Count: each.count })),
        )
      },
    },
  ]
  const described = routes.map((route) => ({ ...route, responses: { ...route.responses, 429: refusal } }))
  return createArea(described, app)
}

/** Matches a path with an empty id, which no route matches. */
const withoutId = /\/schemas\/event-(model|version)\/\//

type Strict = { readonly body: object } | { readonly status: 400 | 404 | 500; readonly text?: string }

function problem(c: Context, status: 400 | 404 | 405 | 429 | 500, msg: string): Response {
  return withSafeHeaders(c.text(`${JSON.stringify({ msg })}\n`, status))
}

const shownId = (id: string): string => id.slice(0, 100)

const byId = (a: EventModel, b: EventModel): number => a.id - b.id
