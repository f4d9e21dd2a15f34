import { Validator } from '@seriousme/openapi-schema-validator'
import { createSluice, type Sluice } from 'sluice'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { documented } from '../support/http/documented.ts'
import { shop } from '../support/scenes/shop.ts'

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly security: readonly object[]
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly responses: Readonly<Record<string, { readonly description: string }>>
}

let sluice: Sluice
let text: string
let operations: readonly { readonly path: string; readonly method: string; readonly operation: Operation }[]

beforeAll(async () => {
  sluice = await createSluice({
    workspace: shop('http://x.test'),
    admin: { user: 'a', password: 'b' },
    sandbox: { mode: 'in-process' },
  })
  text = await (await sluice.fetch(new Request('http://sluice.test/openapi.json'))).text()
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, Operation>> }
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
})
afterAll(() => sluice.stop())

describe('/openapi.json', () => {
  it('is a valid OpenAPI 3.1 document', async () => {
    const validator = new Validator()
    const result = await validator.validate(JSON.parse(text))
    expect([result.valid, result.errors, validator.version]).toEqual([true, undefined, '3.1'])
  })

  it('depends only on which areas there are, so that tests may compare with the document of another pipeline', async () => {
    const other = await createSluice({
      workspace: { workspaces: [{ ...shop('http://y.test'), id: 'other' }] },
      admin: { user: 'c', password: 'd' },
      sandbox: { mode: 'in-process' },
      deduplication: { windowMs: 1_000 },
    })
    const found = await other.fetch(new Request('http://sluice.test/openapi.json'))
    expect(Object.keys(other.areas)).toEqual(Object.keys(sluice.areas))
    expect(await found.text()).toBe(text)
    await other.stop()
  })

  it('gives every operation a unique id, a summary and its security requirements', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { path, operation } of operations) {
      expect([path, operation.summary.length]).toEqual([path, expect.any(Number)])
      expect(operation.summary).not.toBe('')
      expect(Array.isArray(operation.security)).toBe(true)
    }
  })

  it('declares exactly the parameters of each path', () => {
    for (const { path, operation } of operations) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')
      expect([path, declared.map(({ name }) => name)]).toEqual([path, inPath])
    }
  })

  it('has the scopes that a token needs, and the headers with the revision of a record', () => {
    const update = operations.find(({ operation }) => operation.operationId === 'updateSource')?.operation
    expect(update).toMatchObject({
      security: [{ bearer: ['write', 'operate'] }, { basic: ['write', 'operate'] }],
      parameters: expect.arrayContaining([
        expect.objectContaining({ name: 'If-Match', in: 'header', required: false }),
      ]),
      responses: { 200: { headers: { ETag: { schema: { type: 'string' } } } } },
    })
  })

  it('documents a success of every operation, and the refusals of those with credentials', () => {
    for (const { path, operation } of operations) {
      const statuses = Object.keys(operation.responses)
      // What Sluice has no counterpart of is documented as refused.
      const isRefused = operation.summary.startsWith('Refused: ')
      expect([path, statuses.some((status) => status.startsWith('2'))]).toEqual([path, !isRefused])
      const isGuarded = operation.security.length > 0
      const hasRefusals = statuses.some((status) => status.startsWith('4'))
      expect([path, hasRefusals || !isGuarded]).toEqual([path, true])
    }
  })

  it('covers every route', () => {
    const covered = operations.map(({ method, path }) => `${method} ${path}`)
    for (const route of [
      'post /transformations',
      'get /transformations',
      'get /transformations/{id}',
      'post /transformations/{id}',
      'delete /transformations/{id}',
      'get /transformations/{id}/versions',
      'get /transformations/{id}/versions/{versionId}',
      'post /libraries',
      'get /libraries',
      'get /libraries/{id}',
      'post /libraries/{id}',
      'delete /libraries/{id}',
      'get /libraries/{id}/versions',
      'get /libraries/{id}/versions/{versionId}',
      'post /transformations/libraries/publish',
      'post /transformations/libraries/test',
      'post /v0/testDestination/{id}',
      'post /v0/testSource/{id}',
      'post /v2/regulations',
      'get /v2/regulations',
      'delete /v2/regulations/{id}',
      'get /v2/regulations/{id}/deletions',
      'get /v2/regulations/suppressions',
      'get /v2/sources',
      'get /v2/destinations',
      'post /v2/destinations/{id}/check',
      'get /destination-definitions',
      'get /schemas/event-models',
      'get /schemas/event-versions',
      'get /schemas/event-model/{EventID}/metadata',
      'get /schemas/event-version/{VersionID}/metadata',
      'get /schemas/event-model/{EventID}/key-counts',
      'get /schemas/event-version/{VersionID}/missing-keys',
      'get /schemas/{VersionID}/missing-keys',
      'get /schemas/event-model/{EventID}/json-schema',
      'get /schemas/event-model/{EventID}/diff',
      'get /schemas/limits',
      'post /v1/batch',
      'post /v1/track',
      'post /v1/merge',
      'post /v1/import',
      'post /v1/webhook',
      'get /v1/webhook',
      'post /beacon/v1/batch',
      'get /pixel/v1/page',
      'get /pixel/v1/track',
      'get /sourceConfig',
      'post /v1/b',
      'get /v1/projects/{writeKey}/settings',
      'post /v2/replays',
      'get /v2/warehouses',
      'get /v2/warehouses/{id}/loads',
      'post /v2/warehouses/{id}/sync',
      'get /metrics',
      'get /v1/stats',
      'get /v1/events/{messageId}',
      'get /v1/tap',
      'get /health',
      'get /openapi.json',
    ])
      expect(covered).toContain(route)
  })

  it('is checked against every response in tests: the check fails for anything else', async () => {
    const lying = (status: number, body: string, type = 'application/json') => ({
      fetch: async () => new Response(body, { status, headers: { 'content-type': type } }),
    })
    const ask = async (handler: ReturnType<typeof lying>, path = '/health') =>
      (await documented(handler, sluice)).fetch(new Request(`http://sluice.test${path}`))
    expect((await ask(lying(200, '{"status":"ok"}'))).status).toBe(200)
    await expect(ask(lying(200, '{"status":"ok","more":1}'))).rejects.toThrow('not as documented')
    await expect(ask(lying(200, '{}'))).rejects.toThrow('not as documented')
    await expect(ask(lying(201, '{"status":"ok"}'))).rejects.toThrow('status that is not documented')
    await expect(ask(lying(200, 'ok', 'text/plain'))).rejects.toThrow('content type')
    await expect(ask(lying(200, '{}'), '/nowhere')).rejects.toThrow('not documented')
  })
})
