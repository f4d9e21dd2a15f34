import type { Sluice } from 'sluice'
import { beforeEach, describe, expect, it } from 'vitest'
import { type ApiAnswer, type ApiClient, basic, hashOf } from '../support/http/api-client.ts'
import { shop } from '../support/scenes/shop.ts'
import { type ServeOptions, serveWorkspaces } from '../support/served-workspace.ts'
import { conformanceJson, hasConformance } from '../support/texts/conformance.ts'

let sluice: Sluice
let api: ApiClient

const webhook = (id: string) => ({ id, type: 'WEBHOOK' as const, settings: { webhookUrl: 'http://hook.test/' } })

const serve = serveWorkspaces({
  workspace: shop('', {
    destinations: [webhook('d1'), { ...webhook('d2'), name: 'Second', enabled: false }],
    connections: [],
    accessTokens: [{ name: 'ci', token: hashOf('token') }],
  }),
})

async function start(options: ServeOptions = {}): Promise<void> {
  const served = await serve(options)
  sluice = served.sluice
  api = await served.api(basic('ada@mail.test', 'token'))
}
beforeEach(() => start())

const identity = 'export function transformEvent(event) { return event }'
const throwing = `export function transformEvent(event) {\n  throw new Error('always')\n}`
const importing = (name: string) =>
  `import { f } from '${name}'\nexport function transformEvent(event) { return { ...event, f: f(event) } }`
const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const id = expect.stringMatching(/^[0-9a-f-]{36}$/)

/** The body of a response that must be a success. */
async function ok(answer: Promise<ApiAnswer>): Promise<ApiAnswer['body']> {
  const { status, body } = await answer
  expect([status, body]).toEqual([200, expect.anything()])
  return body
}
const create = (more: object = {}) => ok(api.post('/transformations', { name: 'T', code: identity, ...more }))
const createLibrary = (more: object = {}) =>
  ok(api.post('/libraries', { name: 'My lib', code: 'export const f = () => 1', ...more }))
const publish = (body: object) => api.post('/transformations/libraries/publish', body)

/** Everything stored: a refused request must not change it. */
async function everything(): Promise<readonly unknown[]> {
  const { transformations } = await ok(api.get('/transformations'))
  const { libraries } = await ok(api.get('/libraries'))
  const paths = [
    ...transformations.map((each) => `/transformations/${each.id}/versions`),
    ...libraries.map((each) => `/libraries/${each.id}/versions`),
  ]
  return [transformations, libraries, ...(await Promise.all(paths.map((path) => ok(api.get(path)))))]
}

describe('a transformation', () => {
  it('created without publishing is a revision, and has no destinations', async () => {
    const created = await create({ description: 'Some Description' })
    expect(created).toEqual({
      id,
      versionId: id,
      name: 'T',
      description: 'Some Description',
      code: identity,
      language: 'javascript',
      imports: [],
      codeVersion: '1',
      createdAt: iso,
      updatedAt: created['createdAt'],
      workspaceId: 'shop',
      publishedVersionId: null,
    })
    expect(await ok(api.get(`/transformations/${created.id}`))).toEqual(created)
    expect(await ok(api.get('/transformations'))).toEqual({ transformations: [created] })
  })

  it('created with publishing is live, and has its destinations', async () => {
    const created = await create({ publish: true, destinationIds: ['d1', 'd2', 'd1'] })
    expect(created).toMatchObject({
      publishedVersionId: created.versionId,
      destinations: [
        { id: 'd1', name: 'd1', enabled: true },
        { id: 'd2', name: 'Second', enabled: false },
      ],
    })
    expect(await create({ publish: true })).toMatchObject({ destinations: [] })
  })

  it('reads publish from the query as well, and refuses a contradiction', async () => {
    const published = await ok(api.post('/transformations?publish=true', { name: 'T', code: identity }))
    expect(published['publishedVersionId']).toBe(published.versionId)
    const draft = await ok(api.post('/transformations?publish=false', { name: 'T', code: throwing }))
    expect(draft['publishedVersionId']).toBeNull()
    const updated = await ok(api.post(`/transformations/${draft.id}?publish=true`, { code: identity }))
    expect(updated['publishedVersionId']).toBe(updated.versionId)
    expect(await api.post('/transformations?publish=false', { name: 'T', publish: true })).toMatchObject({
      status: 400,
      body: { code: 'publishContradicts' },
    })
  })

  it('may be created with the version of code that it has anyway, and with no other', async () => {
    expect(await create({ codeVersion: '1' })).toMatchObject({ codeVersion: '1' })
    for (const codeVersion of ['2', 1, null])
      expect(await api.post('/transformations', { name: 'T', code: identity, codeVersion })).toMatchObject({
        status: 400,
        body: { code: 'bodyInvalid', message: expect.stringContaining('"1", which is the version of all code') },
      })
  })

  it('is shown with its newest version and the live one', async () => {
    const first = await create({ publish: true })
    const second = await ok(api.post(`/transformations/${first.id}`, { description: 'draft', code: throwing }))
    expect(second).toMatchObject({ id: first.id, name: 'T', code: throwing, publishedVersionId: first.versionId })
    expect(second.versionId).not.toBe(first.versionId)
    expect(await ok(api.get('/transformations'))).toEqual({ transformations: [second] })
  })

  it('keeps every version in its history, unchanged, numbered and in order', async () => {
    const first = await create({ publish: true })
    for (const description of ['two', 'three']) await ok(api.post(`/transformations/${first.id}`, { description }))
    const path = `/transformations/${first.id}/versions`
    const versions = async (query: string) =>
      (await ok(api.get(path + query)))['TransformationVersions'] as ApiAnswer['body'][]
    const all = await versions('')
    const { publishedVersionId, destinations, ...version } = first
    expect([version['workspaceId'], publishedVersionId, destinations]).toEqual(['shop', first.versionId, []])
    const published = { number: 2, publishedAt: expect.any(String), publishedBy: 'ada@mail.test' }
    expect(all[1]).toEqual({ ...version, ...published })
    expect(all.map(({ number }) => number)).toEqual([1, 2, 3, 4])
    expect(all.map(({ description }) => description)).toEqual(['', '', 'two', 'three'])
    expect(await versions('?orderBy=DESC')).toEqual([...all].reverse())
    expect(await versions('?count=2')).toEqual(all.slice(0, 2))
    expect(await versions('?count=1&orderBy=DESC')).toEqual(all.slice(3))
    expect(await ok(api.get(`${path}/${all[1]?.versionId}`))).toEqual(all[1])
  })

  it('can be sent back whole as it was read; a read-only member that differs from what is stored is refused', async () => {
    const library = await createLibrary()
    const written = await create({ code: identity, publish: true, destinationIds: ['d1'] })
    for (const { path, record } of [
      { path: `/libraries/${library.id}`, record: library },
      { path: `/transformations/${written.id}`, record: written },
    ]) {
      const saved = await ok(api.post(path, { ...record, description: 'changed' }))
      expect(saved).toMatchObject({ name: record.name, description: 'changed' })
      const before = await everything()
      for (const [member, value] of Object.entries({
        id: 'other',
        versionId: record.versionId,
        createdAt: '2020-01-01T00:00:00.000Z',
        ...(record === written ? { publishedVersionId: null, destinations: [], workspaceId: 'other' } : {}),
      })) {
        const refused = await api.post(path, { description: 'again', [member]: value })
        expect(refused).toMatchObject({ status: 400, body: { code: 'memberReadOnly' } })
        expect(refused.body.message).toContain(`body.${member} is read-only`)
      }
      expect(await everything()).toEqual(before)
      const misspelt = await api.post(path, { versionID: record.versionId })
      expect(misspelt.body.message).not.toContain('versionId')
    }
    expect(await api.post('/transformations/none', { id: 'none' })).toMatchObject({ status: 404 })
  })

  it('written in TypeScript runs without its types and is returned as written', async () => {
    const code = `interface Seen { n: number }\nexport function transformEvent(event: Seen): Seen { return { n: event.n + 1 } }`
    const created = await create({ code, language: 'typescript', publish: true })
    expect(created).toMatchObject({ code, language: 'typescript' })
    const payload = { transformations: [{ versionId: created.versionId, testInput: [{ n: 1 }] }] }
    expect(await ok(api.post('/transformations/libraries/publish?detail=true', payload))).toMatchObject({
      transformations: [{ transformedEvents: [{ n: 2 }] }],
    })
    expect(await create({})).toMatchObject({ language: 'javascript' })
  })

  it('is kept twice when it is created and published: as a revision, and as the published version', async () => {
    for (const [path, list] of [
      ['/transformations', 'TransformationVersions'],
      ['/libraries', 'libraryVersions'],
    ] as const) {
      const body = { name: `twice ${list}`, code: 'export const transformEvent = (e) => e', description: 'd' }
      const record = await ok(api.post(path, { ...body, publish: true }))
      const versions = (await ok(api.get(`${path}/${record.id}/versions`)))[list] as ApiAnswer['body'][]
      const [revision, published] = versions
      expect(versions).toHaveLength(2)
      expect(published?.versionId).toBe(record.versionId)
      expect(revision).toMatchObject({ code: body.code, description: 'd' })
      expect(revision?.versionId).not.toBe(record.versionId)
      const draft = await ok(api.post(path, { ...body, name: `once ${list}` }))
      expect((await ok(api.get(`${path}/${draft.id}/versions`)))[list]).toHaveLength(1)
    }
  })

  it('is saved as a revision although it cannot be parsed, and refused when it is to be published', async () => {
    for (const [path, body] of [
      ['/transformations', { name: 'unfinished', code: 'export function (' }],
      ['/transformations', { name: 'TypeScript', code: 'enum A { B }', language: 'typescript' }],
      ['/libraries', { name: 'unfinishedLibrary', code: 'export function (' }],
    ] as const) {
      const saved = await ok(api.post(path, body))
      expect(saved.code).toBe(body.code)
      expect(await api.post(path, { ...body, name: 'x', publish: true })).toMatchObject({
        status: 400,
        body: { code: 'codeInvalid' },
      })
      const list = path === '/libraries' ? 'libraries' : 'transformations'
      const payload = { [list]: [{ versionId: saved.versionId }] }
      expect(await publish(payload)).toMatchObject({ status: 400, body: { code: 'testsFailed' } })
      const { result } = (await ok(api.post('/transformations/libraries/test', payload))) as unknown as {
        result: { failedTestResults: { result: { errors: { error: string }[] } }[] }
      }
      expect(result.failedTestResults[0]?.result.errors[0]?.error).toMatch(/SyntaxError/)
    }
  })

  it('is tested with the events of the request when it is published', async () => {
    const code = "export function transformEvent(e) { if (e.n !== 7) throw new Error('n is ' + e.n); return e }"
    const created = await create({ code, publish: true, events: [{ n: 7 }] })
    const path = `/transformations/${created.id}`
    for (const events of [[{ n: 8 }], '[{"n":8}]', []])
      expect((await api.post(path, { code, publish: true, events })).body).toMatchObject({ code: 'testsFailed' })
    await ok(api.post(path, { code, publish: true, events: '[{"n":7}]' }))
    expect((await api.post(path, { code, publish: true, events: 7 })).body).toMatchObject({
      code: 'testInputInvalid',
      message: expect.stringContaining('events is not an array'),
    })
    expect((await api.post(path, { code, events: [{ n: 7 }] })).body).toMatchObject({ code: 'eventsNeedPublish' })
  })

  it('keeps every version when many are saved at the same time', async () => {
    const { id: transformationId } = await create({ publish: true })
    const path = `/transformations/${transformationId}`
    const names = Array.from({ length: 25 }, (_, index) => `name ${index}`)
    const saved = await Promise.all(names.map((name, index) => ok(api.post(path, { name, publish: index % 5 === 0 }))))
    expect(saved.map(({ name }) => name)).toEqual(names)
    const listed = (await ok(api.get(`${path}/versions`)))['TransformationVersions'] as ApiAnswer['body'][]
    expect(new Set(listed.map(({ name }) => name))).toEqual(new Set(['T', ...names]))
    expect(listed).toHaveLength(27)
  })
})

describe('a library', () => {
  it('has an import name: the given one, or its name in camel case', async () => {
    const created = await createLibrary({ name: 'User Defined Library4' })
    expect(created).toEqual({
      id,
      versionId: id,
      name: 'User Defined Library4',
      description: '',
      code: 'export const f = () => 1',
      language: 'javascript',
      workspaceId: 'shop',
      createdAt: iso,
      updatedAt: iso,
      importName: 'userDefinedLibrary4',
    })
    expect(await createLibrary({ importName: 'short' })).toMatchObject({ importName: 'short' })
    const renamed = await ok(api.post(`/libraries/${created.id}`, { name: 'Other' }))
    expect(renamed).toMatchObject({ name: 'Other', importName: 'userDefinedLibrary4' })
    expect(await ok(api.get(`/libraries/${created.id}`))).toEqual(renamed)
  })

  it('has versions with the import name, and says which one is live', async () => {
    const first = await createLibrary({ publish: true })
    const second = await ok(api.post(`/libraries/${first.id}`, { code: 'export const f = () => 2' }))
    const path = `/libraries/${first.id}/versions`
    const libraryVersions = (await ok(api.get(path)))['libraryVersions'] as ApiAnswer['body'][]
    expect(libraryVersions).toMatchObject([
      { name: 'myLib', isPublished: false },
      { versionId: first.versionId, name: 'myLib', isPublished: true },
      { versionId: second.versionId, name: 'myLib', isPublished: false },
    ])
    expect(libraryVersions.slice(1)).toEqual(
      await Promise.all([first, second].map(({ versionId }) => ok(api.get(`${path}/${versionId}`)))),
    )
  })

  it('keeps its import name: an update may repeat it, and is refused with another', async () => {
    const { id: libraryId, importName } = await createLibrary({ name: 'Kept name' })
    expect(await ok(api.post(`/libraries/${libraryId}`, { importName, description: 'd' }))).toMatchObject({
      importName,
    })
    const refused = await api.post(`/libraries/${libraryId}`, { importName: 'other' })
    expect(refused).toMatchObject({ status: 400, body: { code: 'importNameFixed' } })
    expect(refused.body.message).toContain('keptName')
  })

  it('can be deleted, but not while a published transformation imports it', async () => {
    const library = await createLibrary({ publish: true })
    const transformation = await create({ code: importing('myLib'), publish: true })
    expect(await api.delete(`/libraries/${library.id}`)).toMatchObject({
      status: 409,
      body: { code: 'libraryInUse', details: { transformationIds: [transformation.id] } },
    })
    await ok(api.post(`/transformations/${transformation.id}`, { code: identity, publish: true }))
    expect(await ok(api.delete(`/libraries/${library.id}`))).toEqual({ success: true })
    expect(await api.get(`/libraries/${library.id}`)).toMatchObject({ status: 404, body: { code: 'libraryUnknown' } })
  })
})

describe('publishing', () => {
  it('makes a revision live, also repeatedly and also an older one', async () => {
    const first = await create({ publish: true })
    const second = await ok(api.post(`/transformations/${first.id}`, { description: 'two' }))
    for (const { versionId } of [second, second, first]) {
      expect(await ok(publish({ transformations: [{ versionId }] }))).toEqual({ published: true })
      const shown = await ok(api.get(`/transformations/${first.id}`))
      expect([shown.versionId, shown['publishedVersionId']]).toEqual([second.versionId, versionId])
    }
  })

  it('reads test input as a list and as text, and returns outputs and timings on request', async () => {
    const { versionId } = await create({ code: `export const transformEvent = (e) => (log('n', e.n), { n: e.n + 1 })` })
    for (const testInput of [[{ n: 1 }], '[{"n":1}]'])
      expect(
        await ok(
          api.post('/transformations/libraries/publish?detail=true', { transformations: [{ versionId, testInput }] }),
        ),
      ).toEqual({
        published: true,
        transformations: [
          {
            id,
            versionId,
            name: 'T',
            transformedEvents: [{ n: 2 }],
            log: ['n 1'],
            timeMs: expect.any(Number),
          },
        ],
        libraries: [],
        retested: [],
      })
  })

  it('reports the event, error, line and log of a failure, and changes nothing', async () => {
    const good = await create({ publish: true, destinationIds: ['d1'] })
    const code = `export function transformEvent(event) {\n  log('at', event.n)\n  if (event.n) throw new Error('no n')\n  return event\n}`
    const bad = await create({ code })
    const library = await createLibrary({ code: 'oops()' })
    const better = await ok(api.post(`/transformations/${good.id}`, { description: 'better' }))
    const before = await everything()
    const answer = await publish({
      transformations: [{ versionId: better.versionId }, { versionId: bad.versionId, testInput: [{ n: 0 }, { n: 1 }] }],
      libraries: [{ versionId: library.versionId }],
    })
    expect(answer).toMatchObject({
      status: 400,
      body: {
        message: expect.stringContaining('no n'),
        code: 'testsFailed',
        details: {
          transformations: [
            {
              kind: 'transformation',
              id: bad.id,
              versionId: bad.versionId,
              name: 'T',
              errors: [{ event: { n: 1 }, error: expect.stringMatching(/^Error: no n/), line: 3, module: 'T' }],
              log: ['at 0', 'at 1'],
            },
          ],
          libraries: [
            expect.objectContaining({
              id: library.id,
              errors: [{ error: expect.stringContaining('oops'), line: 1, module: 'library myLib' }],
            }),
          ],
          breaks: [],
        },
      },
    })
    expect(await everything()).toEqual(before)
  })

  it('on create or update runs the same tests, and stores nothing when they fail', async () => {
    const live = await create({ publish: true, destinationIds: ['d1'] })
    await createLibrary({ publish: true })
    const before = await everything()
    const failing = [
      api.post('/transformations', { name: 'X', code: throwing, publish: true, destinationIds: ['d2'] }),
      api.post('/transformations?publish=true', { name: 'X', code: importing('nowhere') }),
      api.post(`/transformations/${live.id}`, { code: throwing, publish: true, destinationIds: [] }),
      api.post('/libraries', { name: 'Other', code: 'throw new Error("x")', publish: true }),
    ]
    for (const answer of await Promise.all(failing))
      expect(answer).toMatchObject({ status: 400, body: { code: 'testsFailed', details: expect.anything() } })
    expect(await everything()).toEqual(before)
  })

  it('tests and publishes transformations together with the libraries they import', async () => {
    const library = await createLibrary()
    const transformation = await create({ code: importing('myLib') })
    const transformations = [{ versionId: transformation.versionId }]
    expect(await publish({ transformations })).toMatchObject({ status: 400, body: { code: 'testsFailed' } })
    await ok(publish({ transformations, libraries: [{ versionId: library.versionId }] }))
    expect(await ok(publish({ transformations }))).toEqual({ published: true })
  })

  it('of a library tests again what imports it, and refuses a breaking change', async () => {
    const library = await createLibrary({ publish: true })
    const middle = `import { f as g } from 'myLib'\nexport const f = () => g()`
    await createLibrary({ name: 'Middle', code: middle, publish: true })
    const importer = await create({ name: 'Importer', code: importing('middle'), publish: true })
    await create({ name: 'Other', publish: true })
    await create({ name: 'Draft', code: importing('myLib') })
    const path = `/libraries/${library.id}`
    const without = await ok(api.post(path, { code: 'export const renamed = 1' }))
    const libraries = [{ versionId: without.versionId }]
    const before = await everything()
    expect(await publish({ libraries })).toMatchObject({
      status: 400,
      body: {
        code: 'publishBreaks',
        message: expect.stringContaining('Importer'),
        details: { transformations: [], libraries: [], breaks: [{ id: importer.id, errors: [expect.anything()] }] },
      },
    })
    expect(await api.post(path, { code: 'export const renamed = 1', publish: true })).toMatchObject({ status: 400 })
    expect(await everything()).toEqual(before)

    const fitting = await ok(api.post(`/transformations/${importer.id}`, { code: identity }))
    await ok(publish({ libraries, transformations: [{ versionId: fitting.versionId }] }))
  })

  it('tests importers again with the events they were published with', async () => {
    const library = await createLibrary({ code: 'export const f = (e) => e.only.here', publish: true })
    const { versionId } = await create({ code: importing('myLib') })
    const testInput = [{ only: { here: 1 } }]
    await ok(publish({ transformations: [{ versionId, testInput }] }))
    const next = await ok(api.post(`/libraries/${library.id}`, { code: 'export const f = (e) => e.only.here + 1' }))
    const detailed = '/transformations/libraries/publish?detail=true'
    expect(await ok(api.post(detailed, { libraries: [{ versionId: next.versionId }] }))).toMatchObject({
      retested: [{ versionId, name: 'T', timeMs: expect.any(Number) }],
    })
  })
})

describe('connections', () => {
  it('are replaced by an update that publishes, and stay unchanged without destinationIds', async () => {
    const { id: transformationId } = await create({ publish: true, destinationIds: ['d1'] })
    const update = async (more: object) =>
      (await ok(api.post(`/transformations/${transformationId}`, { publish: true, ...more })))['destinations']
    expect(await update({})).toMatchObject([{ id: 'd1' }])
    expect(await update({ destinationIds: ['d2'] })).toMatchObject([{ id: 'd2' }])
    expect(await update({ destinationIds: [] })).toEqual([])
  })

  it('are limited to one per destination: the refusal of a second transformation names the first', async () => {
    const first = await create({ name: 'First', publish: true, destinationIds: ['d1'] })
    const second = await create({ publish: true })
    const before = await everything()
    const rivals = [
      api.post('/transformations', { name: 'X', code: identity, publish: true, destinationIds: ['d1'] }),
      api.post(`/transformations/${second.id}`, { publish: true, destinationIds: ['d2', 'd1'] }),
    ]
    for (const answer of await Promise.all(rivals))
      expect(answer).toMatchObject({
        status: 409,
        body: {
          code: 'destinationTaken',
          message: expect.stringContaining('First'),
          details: { destinationId: 'd1', transformation: { id: first.id, name: 'First' } },
        },
      })
    expect(await everything()).toEqual(before)
  })

  it('end when the transformation is deleted, unless the request refuses that', async () => {
    const { id: first } = await create({ publish: true, destinationIds: ['d1'] })
    expect(await api.delete(`/transformations/${first}?ifUnused=true`)).toMatchObject({
      status: 409,
      body: { code: 'transformationInUse', details: { destinationIds: ['d1'] } },
    })
    expect(await ok(api.delete(`/transformations/${first}`))).toEqual({ success: true })
    expect(await api.get(`/transformations/${first}`)).toMatchObject({ status: 404 })
    const { id: second } = await create({ publish: true, destinationIds: ['d1'] })
    await ok(api.post(`/transformations/${second}`, { publish: true, destinationIds: [] }))
    expect(await ok(api.delete(`/transformations/${second}?ifUnused=true`))).toEqual({ success: true })
    expect(await ok(api.get('/transformations'))).toEqual({ transformations: [] })
  })
})

describe('the public CI action', () => {
  it('finds all fields it needs in its sequence of calls, and passing and failing tests in one response', async () => {
    expect(await ok(api.get('/transformations'))).toEqual({ transformations: [] })
    expect(await ok(api.get('/libraries'))).toEqual({ libraries: [] })
    const language = 'javascript'
    const transformation = await ok(
      api.post('/transformations?publish=false', { name: 'CI', description: '', code: importing('myLib'), language }),
    )
    const broken = await ok(api.post('/transformations?publish=false', { name: 'Broken', code: throwing, language }))
    const library = await ok(
      api.post('/libraries?publish=false', {
        name: 'my lib',
        description: '',
        code: 'export const f = () => 1',
        language,
      }),
    )
    const libraries = [{ versionId: library.versionId }]
    const passing = { versionId: transformation.versionId, testInput: [{ type: 'track' }] }
    const test = await ok(
      api.post('/transformations/libraries/test', {
        transformations: [passing, { versionId: broken.versionId, testInput: [{ type: 'track' }] }],
        libraries,
      }),
    )
    expect(test).toEqual({
      result: {
        successTestResults: [
          {
            transformerVersionID: transformation.versionId,
            result: { output: { transformedEvents: [{ type: 'track', f: 1 }], logs: [] } },
          },
        ],
        failedTestResults: [
          {
            id: broken.id,
            name: 'Broken',
            versionId: broken.versionId,
            result: {
              output: { transformedEvents: [{ error: expect.stringContaining('always') }], logs: [] },
              errors: [expect.objectContaining({ event: { type: 'track' }, line: 2 })],
            },
          },
        ],
      },
    })
    expect((await ok(api.get(`/transformations/${transformation.id}`)))['publishedVersionId']).toBeNull()
    expect(await ok(publish({ transformations: [passing], libraries }))).toEqual({ published: true })
  })
})

describe('testing without publishing', () => {
  it('of empty lists passes with empty results, as the public action expects of a project without changes', async () => {
    const nothing = { result: { successTestResults: [], failedTestResults: [] } }
    for (const body of [{ transformations: [], libraries: [] }, { transformations: [] }, { libraries: [] }])
      expect(await ok(api.post('/transformations/libraries/test', body))).toEqual(nothing)
  })

  it('reports libraries that cannot be loaded, also without a transformation, and changes nothing', async () => {
    const [good, bad] = [await createLibrary(), await createLibrary({ name: 'Bad', code: 'oops()' })]
    const before = await everything()
    const libraries = [{ versionId: good.versionId }, { versionId: bad.versionId }]
    expect(await ok(api.post('/transformations/libraries/test', { libraries }))).toEqual({
      result: {
        successTestResults: [],
        failedTestResults: [
          expect.objectContaining({
            id: bad.id,
            name: 'bad',
            result: expect.objectContaining({ errors: [expect.objectContaining({ line: 1, module: 'library bad' })] }),
          }),
        ],
      },
    })
    expect(await everything()).toEqual(before)
  })
})

describe('a request that is wrong', () => {
  const text = (length: number): string => 'x'.repeat(length)
  interface Wrong {
    readonly name: string
    readonly path?: string
    readonly body?: unknown
    readonly status?: number
    readonly code: string
  }
  const cases: readonly Wrong[] = [
    { name: 'no name', body: { code: identity }, code: 'nameMissing' },
    { name: 'no body', code: 'nameMissing' },
    { name: 'a blank name', body: { name: ' ' }, code: 'nameMissing' },
    { name: 'a name that is too long', body: { name: text(5_000) }, code: 'nameTooLong' },
    { name: 'a name that no store can hold', body: { name: 'a\ud800' }, code: 'bodyInvalid' },
    { name: 'a library without a name', path: '/libraries', body: {}, code: 'nameMissing' },
    { name: 'a description that is not text', body: { name: 'T', description: 7 }, code: 'bodyInvalid' },
    { name: 'code that is not text', body: { name: 'T', code: {} }, code: 'bodyInvalid' },
    { name: 'code that no store can hold', body: { name: 'T', code: '"\ud800"' }, code: 'bodyInvalid' },
    { name: 'a body that is a list', body: [], code: 'bodyInvalid' },
    { name: 'publish that is not a boolean', body: { name: 'T', publish: 'yes' }, code: 'bodyInvalid' },
    {
      name: 'publish in the query that is not a boolean',
      path: '/transformations?publish=maybe',
      body: { name: 'T' },
      code: 'queryInvalid',
    },
    { name: 'another language', body: { name: 'T', language: 'pythonfaas' }, code: 'languageUnknown' },
    {
      name: 'code to publish that cannot be parsed',
      body: { name: 'T', code: 'export function (', publish: true },
      code: 'codeInvalid',
    },
    {
      name: 'TypeScript to publish that cannot be stripped',
      body: { name: 'T', code: 'enum A { B }', language: 'typescript', publish: true },
      code: 'codeInvalid',
    },
    { name: 'code over 1 MB', body: { name: 'T', code: `//${text(999_999)}` }, status: 413, code: 'codeTooLarge' },
    {
      name: 'code over 1 MB in UTF-8',
      body: { name: 'T', code: `//${'ü'.repeat(500_000)}` },
      status: 413,
      code: 'codeTooLarge',
    },
    { name: 'a body over 8 MiB', body: { name: 'T', code: text(9_000_000) }, status: 413, code: 'bodyTooLarge' },
    {
      name: 'destinations without publish',
      body: { name: 'T', destinationIds: ['d1'] },
      code: 'destinationsNeedPublish',
    },
    {
      name: 'a destination that does not exist',
      body: { name: 'T', code: identity, publish: true, destinationIds: ['d1', 'dx'] },
      code: 'destinationUnknown',
    },
    {
      name: 'destinations that are not a list',
      body: { name: 'T', publish: true, destinationIds: 'd1' },
      code: 'bodyInvalid',
    },
    {
      name: 'an invalid import name',
      path: '/libraries',
      body: { name: 'L', importName: 'a b' },
      code: 'importNameInvalid',
    },
    {
      name: 'a name without a valid import name',
      path: '/libraries',
      body: { name: '!!!' },
      code: 'importNameInvalid',
    },
    {
      name: 'an import name that is taken',
      path: '/libraries',
      body: { name: 'taken' },
      status: 409,
      code: 'importNameTaken',
    },
    {
      name: 'an import name that is taken after conversion to camel case',
      path: '/libraries',
      body: { name: 'L', importName: 'Taken' },
      status: 409,
      code: 'importNameTaken',
    },
    {
      name: 'an import name that is taken, when published',
      path: '/libraries',
      body: { name: 'taken', publish: true },
      status: 409,
      code: 'importNameTaken',
    },
    {
      name: 'an update of an unknown transformation',
      path: '/transformations/none',
      body: {},
      status: 404,
      code: 'transformationUnknown',
    },
    {
      name: 'an update of an unknown library',
      path: '/libraries/none',
      body: {},
      status: 404,
      code: 'libraryUnknown',
    },
    { name: 'nothing to publish', path: '/transformations/libraries/publish', body: {}, code: 'publishEmpty' },
    { name: 'nothing to test', path: '/transformations/libraries/test', body: {}, code: 'publishEmpty' },
    { name: 'a misspelt publish', body: { name: 'T', publsh: true }, code: 'bodyUnknownMember' },
    { name: 'a misspelt list', body: { name: 'T', publish: true, destinationID: ['d1'] }, code: 'bodyUnknownMember' },
    {
      name: 'a misspelt member of a version to publish',
      path: '/transformations/libraries/publish',
      body: { transformations: [{ versionId: 'none', testInputs: [] }] },
      code: 'bodyUnknownMember',
    },
    {
      name: 'destinations of a library',
      path: '/libraries',
      body: { name: 'L', destinationIds: [] },
      code: 'bodyUnknownMember',
    },
    {
      name: 'a version that does not exist',
      path: '/transformations/libraries/publish',
      body: { transformations: [{ versionId: 'none' }] },
      status: 404,
      code: 'versionUnknown',
    },
    {
      name: 'a version of the other kind',
      path: '/transformations/libraries/publish',
      body: { transformations: [{ versionId: 'LIBRARY' }] },
      status: 404,
      code: 'versionUnknown',
    },
    {
      name: 'an unknown library version',
      path: '/transformations/libraries/test',
      body: { libraries: [{ versionId: 'none' }] },
      status: 404,
      code: 'versionUnknown',
    },
    {
      name: 'a version without its id',
      path: '/transformations/libraries/publish',
      body: { transformations: [{}] },
      code: 'bodyInvalid',
    },
    {
      name: 'the same version twice',
      path: '/transformations/libraries/publish',
      body: { transformations: [{ versionId: 'SECOND' }, { versionId: 'SECOND' }] },
      code: 'publishTwice',
    },
    {
      name: 'two versions of one transformation',
      path: '/transformations/libraries/publish',
      body: { transformations: [{ versionId: 'FIRST' }, { versionId: 'SECOND' }] },
      code: 'publishTwice',
    },
    {
      name: 'the same library twice',
      path: '/transformations/libraries/publish',
      body: { libraries: [{ versionId: 'LIBRARY' }, { versionId: 'LIBRARY' }] },
      code: 'publishTwice',
    },
    {
      name: 'test input that is not a list of events',
      path: '/transformations/libraries/publish',
      body: { transformations: [{ versionId: 'FIRST', testInput: '{' }] },
      code: 'testInputInvalid',
    },
    {
      name: 'more versions than can be tested at once',
      path: '/transformations/libraries/test',
      body: { libraries: Array.from({ length: 101 }, () => ({ versionId: 'x' })) },
      code: 'bodyInvalid',
    },
  ]

  for (const { name, path = '/transformations', body, status = 400, code } of cases) {
    it(`is refused with ${code}, and changes nothing: ${name}`, async () => {
      const library = await createLibrary({ name: 'taken' })
      const first = await create()
      const second = await ok(api.post(`/transformations/${first.id}`, {}))
      const before = await everything()
      const text = JSON.stringify(body)
        ?.replaceAll('LIBRARY', library.versionId)
        .replaceAll('FIRST', first.versionId)
        .replaceAll('SECOND', second.versionId)
      const answer = await api.post(path, text === undefined ? undefined : JSON.parse(text))
      expect(answer).toMatchObject({ status, body: { code, message: expect.stringMatching(/.{20}/) } })
      expect(answer.body.message.length).toBeLessThan(600)
      expect(await everything()).toEqual(before)
    })
  }

  const paths = [
    ['/transformations/none', 404, 'transformationUnknown'],
    ['/transformations/none/versions', 404, 'transformationUnknown'],
    ['/transformations/none/versions/v', 404, 'transformationUnknown'],
    ['/transformations/ID/versions/none', 404, 'versionUnknown'],
    ['/libraries/none', 404, 'libraryUnknown'],
    ['/libraries/ID', 404, 'libraryUnknown'],
    ['/libraries/none/versions', 404, 'libraryUnknown'],
    ['/libraries/none/versions/v', 404, 'libraryUnknown'],
    ['/transformations/ID/versions?count=0', 400, 'queryInvalid'],
    ['/transformations/ID/versions?count=many', 400, 'queryInvalid'],
    ['/transformations/ID/versions?count=99999999999999999999', 400, 'queryInvalid'],
    ['/libraries/ID/versions?count=99999999999999999999', 400, 'queryInvalid'],
    ['/transformations/ID/versions?orderBy=UP', 400, 'queryInvalid'],
  ] as const
  for (const [path, status, code] of paths)
    it(`is refused with ${code}: GET ${path}`, async () => {
      const { id: transformationId } = await create()
      expect(await api.get(path.replace('ID', transformationId))).toMatchObject({ status, body: { code } })
    })

  it('is refused when its body is not JSON or is nested too deeply', async () => {
    const send = (body: string) =>
      sluice.fetch(
        new Request('http://sluice.test/transformations', {
          method: 'POST',
          headers: { authorization: basic('', 'token') },
          body,
        }),
      )
    const notJson = await send('{"name":')
    expect([notJson.status, await notJson.json()]).toMatchObject([
      400,
      { code: 'bodyInvalidJson', message: expect.any(String) },
    ])
    const { versionId } = await create()
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
    for (const testInput of [`[${deep}]`, JSON.stringify(`[${deep}]`)]) {
      const answer = await sluice.fetch(
        new Request('http://sluice.test/transformations/libraries/publish', {
          method: 'POST',
          headers: { authorization: basic('', 'token') },
          body: `{"transformations":[{"versionId":"${versionId}","testInput":${testInput}}]}`,
        }),
      )
      expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'testInputInvalid' }])
    }
  })
})

describe.skipIf(!hasConformance)('the documented examples', () => {
  const example = (name: string) => conformanceJson(`governance/docs-examples/transformation-${name}.json`)
  /**
   * Names of the members of an example, through lists and objects; the first element represents its list, an empty list
   * matches any.
   */
  const shape = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.length === 0 ? expect.any(Array) : [shape(value[0])]
    if (typeof value !== 'object' || value === null) return typeof value
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shape(member)]))
  }

  it('have the same members as the responses', async () => {
    const published = await create({ publish: true, destinationIds: ['d1'] })
    const draft = await create()
    const library = await createLibrary()
    const answers: Readonly<Record<string, Promise<ApiAnswer['body']>>> = {
      '01-create-a-transformation-publish-true': Promise.resolve(published),
      '04-list-all-the-transformations': ok(api.get('/transformations')),
      '05-retrieve-a-single-transformation': ok(api.get(`/transformations/${published.id}`)),
      '06-update-a-transformation': ok(api.post(`/transformations/${draft.id}`, { description: 'Hey I am updated' })),
      '08-list-all-transformation-versions': ok(api.get(`/transformations/${draft.id}/versions`)),
      '09-retrieve-a-single-transformation-version': ok(
        api.get(`/transformations/${draft.id}/versions/${draft.versionId}`),
      ),
      '10-create-a-library': Promise.resolve(library),
      '11-list-all-libraries': ok(api.get('/libraries')),
      '12-retrieve-a-library': ok(api.get(`/libraries/${library.id}`)),
      '13-list-all-library-versions': ok(api.get(`/libraries/${library.id}/versions`)),
      '14-retrieve-a-single-library-version': ok(api.get(`/libraries/${library.id}/versions/${library.versionId}`)),
    }
    for (const [name, answer] of Object.entries(answers))
      expect([name, shape(await answer)]).toMatchObject([name, shape(example(name))])
    expect(await ok(publish({ libraries: [{ versionId: library.versionId }] }))).toEqual(
      example('15-publish-a-transformation-or-library'),
    )
    expect(await ok(api.delete(`/transformations/${draft.id}`))).toEqual(example('07-delete-a-transformation'))
  })

  it('can be sent: their code is saved, their events are test input', async () => {
    const draft = example('02-create-a-transformation-publish-false') as {
      name: string
      description: string
      code: string
    }
    const { name, description, code } = draft
    expect(await ok(api.post('/transformations', { name, description, code }))).toMatchObject({
      name: draft.name,
      description: draft.description,
      code: draft.code,
    })
    const events = example('03-create-a-transformation')
    const { versionId } = await create()
    await ok(publish({ transformations: [{ versionId, testInput: JSON.stringify(events) }] }))
    const library = example('10-create-a-library') as { name: string; description: string; code: string }
    const { name: libraryName, ...rest } = library
    expect(
      await ok(api.post('/libraries', { name: libraryName, description: rest.description, code: rest.code })),
    ).toMatchObject({ importName: 'userDefinedLibrary4' })
  })
})
