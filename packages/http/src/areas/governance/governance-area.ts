import { systemClock, type Workspace } from '@sluice/core'
import type { Catalogue, EventModel } from '@sluice/schema'
import { type Context, Hono } from 'hono'
import { type AccessAttempts, createAccessAttempts } from '../../gate/access/access-attempts.ts'
import { parseAuthorization } from '../../gate/access/authorization.ts'
import { isSameSecret } from '../../gate/access/same-secret.ts'
import { type Area, createArea } from '../../routing/area.ts'
import type { Route } from '../../routing/route.ts'
import { governanceLookups, type Ids, type Lookup } from './governance-lookups.ts'
import { modelRecord } from './governance-records.ts'
import { boundsSchema, modelsQuery, modelsSchema, refusal } from './governance-schemas.ts'

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
    const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
    if (!isRead && !strictCompatibility) {
      await next()
      // Errors of this area have a shape of their own.
      if (c.res.status === 405) c.res = problem(c, 405, 'Only HTTP GET method is supported')
      return
    }
    const given = parseAuthorization(c.req.header('authorization'))
    if (given === undefined || given.user === '') return problem(c, 400, 'Basic auth credentials missing')
    const attempt = await attempts.enter(c, given.user, () => {
      const userMatches = isSameSecret(given.user, admin.user)
      const passwordMatches = isSameSecret(given.secret, admin.password)
      return userMatches && passwordMatches ? true : undefined
    })
    if (!attempt.ok) {
      if (attempt.retryAfterSeconds !== undefined) c.header('Retry-After', String(attempt.retryAfterSeconds))
      return problem(c, 400, 'Invalid admin credentials')
    }
    if (!isRead) return problem(c, 400, 'Only HTTP GET method is supported')
    const [, blank] = withoutId.exec(c.req.path) ?? []
    if (blank === undefined) return next()
    return problem(c, 400, `Mandatory field: ${blank === 'model' ? 'EventID' : 'VersionID'} missing`)
  })

  const answer = async (c: Context, lookup: Lookup) => {
    const ids = idsOf(c)
    const blank = lookup.ids.find((name) => ids[name] === '')
    if (blank !== undefined) return problem(c, 400, `Mandatory field: ${blank} missing`)
    for (const { id } of workspaces()) {
      const found = await lookup.find(catalogue, id, ids)
      if (found !== undefined) return c.json(found)
    }
    const { unknown, strict } = lookup
    if (!strictCompatibility) return problem(c, 404, unknown(ids))
    return 'body' in strict ? c.json(strict.body) : problem(c, strict.status, (strict.text ?? unknown)(ids))
  }
  /** Returns what `ask` finds in all workspaces, limited to the source that the query names. */
  const findAll = async <Found>(
    c: Context,
    ask: (workspaceId: string, writeKey?: string) => Promise<readonly Found[]>,
  ): Promise<Found[]> => {
    const writeKey = c.req.query('WriteKey') || undefined
    return (await Promise.all(workspaces().map(({ id }) => ask(id, writeKey)))).flat()
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
      handle: async (c) =>
        c.json((await findAll(c, (...query) => catalogue.models(...query))).sort(byId).map(modelRecord)),
    },
    ...governanceLookups.map(
      (lookup): Route => ({
        ...shared,
        path: lookup.path,
        operationId: lookup.operationId,
        summary: lookup.summary,
        query: lookup.query,
        responses: { 200: lookup.found, 400: refusal, 404: refusal },
        handle: (c) => answer(c, lookup),
      }),
    ),
    {
      ...shared,
      path: '/schemas/limits',
      operationId: 'listSchemaLimits',
      summary: 'Count how often limits prevented the catalogue from learning something',
      query: modelsQuery,
      responses: { 200: { description: 'Counters. Those at zero are absent.', schema: boundsSchema }, 400: refusal },
      handle: async (c) => {
        const bounds = await findAll(c, (...query) => catalogue.bounds(...query))
        return c.json(bounds.map((each) => ({ WriteKey: each.writeKey, Limit: each.bound, Count: each.count })))
      },
    },
  ]
  return createArea(routes, app)
}

/** Matches a path with an empty id, which no route matches. */
const withoutId = /\/schemas\/event-(model|version)\/\//

function idsOf(c: Context): Ids {
  const parameter = (name: keyof Ids): string => c.req.param(name) ?? c.req.query(name) ?? ''
  return {
    EventID: parameter('EventID'),
    VersionID: parameter('VersionID'),
    from: parameter('from'),
    to: parameter('to'),
  }
}

function problem(c: Context, status: 400 | 404 | 405 | 500, msg: string): Response {
  return c.text(`${JSON.stringify({ msg })}\n`, status)
}

const byId = (a: EventModel, b: EventModel): number => a.id - b.id
