import type { AccessScope, JsonObject } from '@sluice/core'
import { Hono } from 'hono'
import Type, { type TSchema } from 'typebox'
import { browserAccess } from '../../gate/access/browser-access.ts'
import { problemSchema } from '../../gate/problem-responses.ts'
import { type Area, createArea } from '../../routing/area.ts'
import { productVersion } from '../../routing/product-version.ts'
import type { Credential, ResponseDescription, Route, RouteDescription } from '../../routing/route.ts'
import { smallPage } from '../../routing/small-page.ts'
import { openapiHtml } from './openapi-html.ts'

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'An access token.' },
  basic: { type: 'http', scheme: 'basic', description: 'An access token as password; any user name.' },
  writeKey: { type: 'http', scheme: 'basic', description: 'The write key of a source as user name, no password.' },
  writeKeyInQuery: { type: 'apiKey', in: 'query', name: 'writeKey', description: 'The write key of a source.' },
  admin: { type: 'http', scheme: 'basic', description: 'The admin credentials of the data plane.' },
} as const

/** @param scopes that an access token needs: roles, as OpenAPI calls them. */
function securityOf(credential: Credential, scopes: readonly AccessScope[]): readonly JsonObject[] {
  const token = [{ bearer: [...scopes] }, { basic: [...scopes] }]
  const all: Readonly<Record<Credential, readonly JsonObject[]>> = {
    open: [],
    'write-key-in-header': [{ writeKey: [] }],
    'write-key-in-query': [{ writeKeyInQuery: [] }],
    'write-key-in-path': [{}],
    'write-key-in-header-or-query': [{ writeKey: [] }, { writeKeyInQuery: [] }],
    'write-key-in-header-or-body': [{ writeKey: [] }, {}],
    token,
    admin: [{ admin: [] }],
    'token-or-admin': [...token, { admin: [] }],
  }
  return all[credential]
}

const description: RouteDescription = {
  method: 'get',
  path: '/openapi.json',
  operationId: 'getOpenapi',
  summary: 'Get this document',
  area: 'Service',
  credential: 'open',
  responses: {
    200: { description: 'An OpenAPI 3.1 document.', schema: Type.Object({ openapi: Type.String() }) },
  },
}

const pageDescription: RouteDescription = {
  method: 'get',
  path: '/openapi',
  operationId: 'getOpenapiPage',
  summary: 'Show this document to people',
  area: 'Service',
  credential: 'open',
  responses: { 200: { description: 'A page with all routes.', schema: Type.String(), contentType: 'text/html' } },
}

/**
 * `GET /openapi.json`: an OpenAPI document of the given routes, from the schemas that also validate. Needs no
 * credential. Pages of any origin may read it, because tools that show such documents run in browsers.
 * `GET /openapi`: the same as a page for people.
 */
export function createOpenapiArea(routes: readonly RouteDescription[]): Area {
  // Made by the first request: it takes 20 ms, and most servers are never asked for it.
  let made: { readonly text: string; readonly html: string } | undefined
  const document = (): { readonly text: string; readonly html: string } => {
    if (made) return made
    const all = openapiDocument([...routes, description, pageDescription])
    made = { text: JSON.stringify(all), html: openapiHtml(all) }
    return made
  }
  const app = new Hono().use(description.path, browserAccess('*'))
  const handle: Route['handle'] = (context) =>
    context.body(document().text, 200, { 'content-type': 'application/json' })
  const handlePage: Route['handle'] = (context) => smallPage(context, 'Sluice: API', document().html)
  return createArea(
    [
      { ...description, handle },
      { ...pageDescription, handle: handlePage },
    ],
    app,
  )
}

/** Creates an OpenAPI 3.1 document. Routes with the same path may be in any order. */
export function openapiDocument(routes: readonly RouteDescription[]): JsonObject {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) paths[route.path] = { ...paths[route.path], [route.method]: operationOf(route) }
  const areas = [...new Set(routes.map(({ area }) => area))]
  return plain({
    openapi: '3.1.0',
    info: { title: 'Sluice', version: productVersion, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    tags: areas.map((name) => ({ name })),
    paths,
    components: { securitySchemes, schemas: { Problem: problemSchema } },
  })
}

const problemReference = { $ref: '#/components/schemas/Problem' }

function operationOf(route: RouteDescription) {
  const { operationId, summary, area, credential, scopes = [], path, query, headers = {}, body, responses } = route
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const inQuery = Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: query?.required?.includes(name) ?? false,
    schema,
  }))
  const inHeader = Object.entries(headers).map(([name, schema]) => ({ name, in: 'header', required: false, schema }))
  const parameters = [...inPath, ...inQuery, ...inHeader]
  const needed = `${scopes.length > 1 ? 'scopes' : 'scope'} ${scopes.join(' and ')}`
  return {
    operationId,
    summary,
    tags: [area],
    description: scopes.length > 0 ? `An access token needs the ${needed}.` : undefined,
    security: securityOf(credential, scopes),
    parameters: parameters.length > 0 ? parameters : undefined,
    requestBody: body ? { required: needsMembers(body), content: { 'application/json': { schema: body } } } : undefined,
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [status, responseOf(response)]),
    ),
  }
}

/** Returns whether a body must be there: a missing one counts as an object without members. */
function needsMembers(body: TSchema): boolean {
  const {
    type,
    required = [],
    anyOf,
  } = body as {
    readonly type?: string
    readonly required?: readonly string[]
    readonly anyOf?: readonly object[]
  }
  return type !== 'object' || required.length > 0 || anyOf !== undefined
}

function responseOf(response: ResponseDescription) {
  const { description: text, schema, headers, contentType = 'application/json', asJson } = response
  const described = Object.entries(headers ?? {}).map(([name, what]) => [
    name,
    { description: what, schema: { type: 'string' } },
  ])
  return {
    description: text,
    headers: described.length > 0 ? Object.fromEntries(described) : undefined,
    ...(schema
      ? {
          content: {
            [contentType]: { schema: schema === problemSchema ? problemReference : schema },
            ...(asJson ? { 'application/json': { schema: asJson } } : {}),
          },
        }
      : {}),
  }
}

/** Converts to JSON and back, which removes the internal properties of the schema library. */
function plain(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value))
}
