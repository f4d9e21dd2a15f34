import { beforeEach, describe, expect, it } from 'vitest'
import { type ApiAnswer, type ApiClient, basic, hashOf } from '../support/http/api-client.ts'
import { shop } from '../support/scenes/shop.ts'
import { serveWorkspaces } from '../support/served-workspace.ts'

/** What rudder-transformation-action and rudder-cli send besides the versions that they publish. */
let api: ApiClient
const serve = serveWorkspaces({
  workspace: shop('', {
    destinations: [{ id: 'd1', type: 'WEBHOOK', settings: { webhookUrl: 'http://hook.test/' } }],
    connections: [],
    accessTokens: [{ name: 'ci', token: hashOf('token'), scopes: ['read', 'write', 'operate', 'admin'] }],
  }),
})
beforeEach(async () => {
  api = await (await serve()).api(basic('ada@mail.test', 'token'))
})

async function ok(answer: Promise<ApiAnswer>): Promise<ApiAnswer['body']> {
  const { status, body } = await answer
  expect([status, body]).toEqual([200, expect.anything()])
  return body
}
const identity = 'export function transformEvent(event) { return event }'
const create = (more: object = {}) =>
  ok(api.post('/transformations?publish=false', { name: 'T', code: identity, externalId: 'ext-t', ...more }))

describe('a publication from a repository', () => {
  for (const path of ['/transformations/libraries/publish', '/transformations/publish'])
    it(`keeps the commit it came from in the version and in the audit log: ${path}`, async () => {
      const { id, versionId } = await create()
      const commitId = '8d1479ad1a2b'
      await ok(api.post(path, { transformations: [{ versionId }], libraries: [], commitId }))
      expect(await ok(api.get(`/transformations/${id}/versions/${versionId}`))).toMatchObject({
        commitId,
        externalId: 'ext-t',
        imports: [],
        workspaceId: 'shop',
      })
      const { data } = await ok(api.get('/v2/audit?limit=1'))
      expect(data).toMatchObject([{ path: `${path} (commit ${commitId})` }])
    })

  it('tests with the commit, and keeps no note of it', async () => {
    const { id, versionId } = await create()
    for (const path of ['/transformations/libraries/test', '/transformations/tests/run'])
      await ok(api.post(path, { transformations: [{ versionId }], commitId: 'c' }))
    expect(await ok(api.get(`/transformations/${id}/versions/${versionId}`))).not.toHaveProperty('commitId')
  })

  it('succeeds without versions, as a test of none does', async () => {
    const nothing = { transformations: [], libraries: [], commitId: 'c' }
    for (const path of ['/transformations/libraries/publish', '/transformations/publish'])
      expect(await ok(api.post(path, nothing))).toMatchObject({ published: true })
  })
})

describe('test cases from files', () => {
  it('are run, and shown with their files, the record, and the place of each failing event', async () => {
    const library = await ok(
      api.post('/libraries', { name: 'My Lib', code: 'export const f = () => 1', externalId: 'ext-l' }),
    )
    const code = `import { f } from 'myLib'
export function transformEvent(event) { if (event.bad) throw new Error('bad'); return { ...event, f: f() } }`
    const { versionId } = await create({ code })
    const files = { inputFile: 'input/a.json', outputFile: 'output/a.json', filename: 'a.json' }
    const { validationOutput } = await ok(
      api.post('/transformations/tests/run', {
        transformations: [{ versionId, testSuite: [{ name: 'case', ...files, input: [{ a: 1 }, { bad: true }] }] }],
        libraries: [{ versionId: library.versionId }],
      }),
    )
    expect(validationOutput).toMatchObject({
      transformations: [
        {
          externalId: 'ext-t',
          name: 'T',
          imports: ['myLib'],
          testResult: { results: [{ ...files, status: 'error', errors: [{ event: { bad: true }, eventIndex: 1 }] }] },
        },
      ],
      libraries: [{ id: library.id, name: 'My Lib', handleName: 'myLib', externalId: 'ext-l', pass: true }],
    })
  })
})

describe('a transformation that is linked before it is published', () => {
  it('runs at its destination as soon as it is published, and not before', async () => {
    const { id, versionId } = await create({ code: `${identity} // one` })
    const path = '/v2/destinations/d1/transformation'
    expect(await ok(api.put(path, { transformationId: id }))).toMatchObject({ transformationId: id })
    expect(await ok(api.get(path))).toMatchObject({ transformationId: id })
    const shown = async () => (await ok(api.get('/v2/destinations/d1')))['destination']
    expect(await shown()).not.toHaveProperty('transformation')
    await ok(api.post('/transformations/publish', { transformations: [{ versionId }], libraries: [] }))
    expect(await shown()).toMatchObject({ transformation: { id, versionId } })
  })

  it('gives way to another one, and can be unlinked', async () => {
    const draft = await create()
    const other = await create({ name: 'Other', externalId: 'ext-o' })
    const path = '/v2/destinations/d1/transformation'
    await ok(api.put(path, { transformationId: draft.id }))
    await ok(api.put(path, { transformationId: other.id }))
    await ok(
      api.post('/transformations/publish', {
        transformations: [{ versionId: draft.versionId }, { versionId: other.versionId }],
      }),
    )
    expect(await ok(api.get(path))).toMatchObject({ transformationId: other.id })
    await ok(api.delete(path))
    expect((await api.get(path)).status).toBe(404)
  })

  it('keeps its destination from one that is published with it', async () => {
    const draft = await create()
    await ok(api.put('/v2/destinations/d1/transformation', { transformationId: draft.id }))
    const refused = await api.post('/transformations', {
      name: 'N',
      code: identity,
      publish: true,
      destinationIds: ['d1'],
    })
    expect(refused).toMatchObject({ status: 409, body: { code: 'destinationTaken' } })
  })
})
