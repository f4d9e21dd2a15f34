import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock, systemRandom } from '@sluice/core'
import type { Transport } from '@sluice/delivery'
import { openSqliteStore } from '@sluice/storage'
import type { Sluice } from 'sluice'
import { describe, expect, it } from 'vitest'
import { type ApiAnswer, type ApiClient, hashOf } from '../support/http/api-client.ts'
import { shop } from '../support/scenes/shop.ts'
import { type ServeOptions, serveWorkspaces } from '../support/served-workspace.ts'

const ofFile = { name: 'of the file', code: `export const transformEvent = (e) => ({ ...e, mark: 'file' })` }
const workspace = (transformation?: typeof ofFile) =>
  shop('', {
    destinations: [
      {
        id: 'hook',
        type: 'WEBHOOK',
        settings: { webhookUrl: 'http://hook.test/' },
        transformation,
      },
    ],
    accessTokens: [{ name: 'ci', token: hashOf('token') }],
  })

/** Records the marks of what was sent; a test can block it. */
function recorder() {
  const marks: unknown[] = []
  let held: Promise<void> = Promise.resolve()
  let begun = (): void => {}
  const transport: Transport = {
    send: async ({ body }) => {
      begun()
      await held
      marks.push(body.JSON['mark'])
      return { kind: 'reply', status: 200, headers: {}, body: '' }
    },
  }
  return {
    marks,
    transport,
    /** From now on requests wait until `release`; `sending` resolves when the first one has arrived. */
    hold: () => {
      let release = (): void => {}
      held = new Promise((resolve) => {
        release = resolve
      })
      const sending = new Promise<void>((resolve) => {
        begun = resolve
      })
      return { release: () => release(), sending }
    },
  }
}

let sluice: Sluice
let api: ApiClient
let sent: ReturnType<typeof recorder>

const serve = serveWorkspaces()

async function start(options: ServeOptions = {}): Promise<void> {
  sent = recorder()
  const served = await serve({ workspace: workspace(), transport: sent.transport, ...options })
  sluice = served.sluice
  api = await served.api('Bearer token')
}

const marking = (mark: string): string => `export const transformEvent = (e) => ({ ...e, mark: '${mark}' })`
const ingest = (messageId: string) => sluice.ingest('web-key', [{ type: 'track', userId: 'u1', messageId }])
async function send(messageId: string): Promise<void> {
  await ingest(messageId)
  await sluice.settled()
}
async function ok(answer: Promise<ApiAnswer>): Promise<ApiAnswer['body']> {
  const { status, body } = await answer
  expect([status, body]).toEqual([200, expect.anything()])
  return body
}
const create = (more: object = {}) =>
  ok(
    api.post('/transformations', {
      name: 'T',
      code: marking('one'),
      publish: true,
      destinationIds: ['hook'],
      ...more,
    }),
  )
const publish = (body: object) => ok(api.post('/transformations/libraries/publish', body))
const versionThatRan = async (messageId: string) => (await sluice.receipts(messageId))[0]?.versionId

describe('published code', () => {
  it('runs from the next batch on, and an older revision runs when it is published again', async () => {
    await start()
    await send('m0')
    const first = await create()
    await send('m1')
    const second = await ok(api.post(`/transformations/${first.id}`, { code: marking('two') }))
    await send('m2')
    await publish({ transformations: [{ versionId: second.versionId }] })
    await send('m3')
    await publish({ transformations: [{ versionId: first.versionId }] })
    await send('m4')
    expect(sent.marks).toEqual([undefined, 'one', 'one', 'two', 'one'])
    const ran = await Promise.all(['m0', 'm1', 'm2', 'm3', 'm4'].map(versionThatRan))
    const [one, two] = [first.versionId, second.versionId]
    expect(ran).toEqual([undefined, one, one, two, one])
  })

  it('does not change batches under way, which keep the version they began with', async () => {
    await start()
    const first = await create()
    const { release, sending } = sent.hold()
    await ingest('m1')
    await sending
    const second = await ok(api.post(`/transformations/${first.id}`, { code: marking('two'), publish: true }))
    await ingest('m2')
    release()
    await sluice.settled()
    expect(sent.marks).toEqual(['one', 'two'])
    expect([await versionThatRan('m1'), await versionThatRan('m2')]).toEqual([first.versionId, second.versionId])
  })

  it('of a library runs at once in every transformation that imports it', async () => {
    await start()
    const library = await ok(
      api.post('/libraries', { name: 'Marks', code: `export const mark = 'one'`, publish: true }),
    )
    const code = `import { mark } from 'marks'\nexport const transformEvent = (e) => ({ ...e, mark })`
    const { versionId } = await create({ code })
    await send('m1')
    await ok(api.post(`/libraries/${library.id}`, { code: `export const mark = 'two'`, publish: true }))
    await send('m2')
    await publish({ libraries: [{ versionId: library.versionId }] })
    await send('m3')
    expect(sent.marks).toEqual(['one', 'two', 'one'])
    expect(await versionThatRan('m2')).toBe(versionId)
  })

  it('can read its own transformation and version', async () => {
    await start()
    const code = `export const transformEvent = (e, metadata) => {
      const { transformationId, transformationVersionId } = metadata(e)
      return { ...e, mark: [transformationId, transformationVersionId] }
    }`
    const { id, versionId } = await create({ code })
    await send('m1')
    expect(sent.marks).toEqual([[id, versionId]])
  })

  it('no longer runs once it is disconnected or deleted', async () => {
    await start()
    const { id } = await create()
    await send('m1')
    await ok(api.post(`/transformations/${id}`, { publish: true, destinationIds: [] }))
    await send('m2')
    await ok(api.post(`/transformations/${id}`, { publish: true, destinationIds: ['hook'] }))
    await send('m3')
    await ok(api.delete(`/transformations/${id}`))
    await send('m4')
    expect(sent.marks).toEqual(['one', undefined, 'one', undefined])
  })

  it('is recorded with its version for events that failed in it, too', async () => {
    await start()
    const code = `export const transformEvent = (e) => { if (e.messageId === 'm1') throw new Error('no') ; return e }`
    const { versionId } = await create({ code })
    await send('m1')
    expect(await sluice.receipts('m1')).toMatchObject([{ outcome: 'failed', code: 'transform.threw', versionId }])
  })

  it('runs again after a restart, and no version is lost', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-publish-'))
    const open = () =>
      openSqliteStore({
        path: join(folder, 'sluice.db'),
        clock: systemClock,
        random: systemRandom,
        synchronous: 'normal',
      })
    await start({ store: await open() })
    const created = await create()
    const path = `/transformations/${created.id}`
    const names = Array.from({ length: 10 }, (_, index) => `name ${index}`)
    await Promise.all(names.map((name, index) => ok(api.post(path, { name, publish: index === 5 }))))
    const before = [await ok(api.get(path)), await ok(api.get(`${path}/versions`))]
    expect(before[1]?.['TransformationVersions']).toHaveLength(12)
    await sluice.stop()
    await start({ store: await open() })
    await send('m1')
    expect(sent.marks).toEqual(['one'])
    expect(await versionThatRan('m1')).toBe(before[0]?.['publishedVersionId'])
    expect([await ok(api.get(path)), await ok(api.get(`${path}/versions`))]).toEqual(before)
    await sluice.stop()
    rmSync(folder, { recursive: true })
  })

  it('is shown in the list of destinations', async () => {
    await start()
    const { id, versionId } = await create()
    expect(await ok(api.get('/v2/destinations'))).toMatchObject({
      destinations: [{ id: 'hook', transformation: { id, name: 'T', versionId } }],
    })
  })
})

describe('a connection made through the API', () => {
  it('overrides the workspace file, is reported once, and gives way when it ends', async () => {
    const conflicts: string[] = []
    await start({ workspace: workspace(ofFile), onConflict: (text) => conflicts.push(text) })
    await send('m1')
    expect(conflicts).toEqual([])
    const { id } = await create()
    await send('m2')
    expect(conflicts).toEqual([expect.stringMatching(/hook.* T, .*of the file/)])
    await sluice.updateWorkspace(workspace(ofFile))
    await send('m3')
    expect(conflicts).toHaveLength(1)
    await ok(api.delete(`/transformations/${id}`))
    await send('m4')
    expect(sent.marks).toEqual(['file', 'one', 'one', 'file'])
  })

  it('survives an update of the workspace that removes its destination for a while', async () => {
    await start()
    const { id } = await create()
    await sluice.updateWorkspace({ ...workspace(), destinations: [], connections: [] })
    expect(await ok(api.get(`/transformations/${id}`))).toMatchObject({ destinations: [] })
    await sluice.updateWorkspace(workspace())
    await send('m1')
    expect(sent.marks).toEqual(['one'])
  })
})
