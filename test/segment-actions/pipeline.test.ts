import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { JsonObject } from '@sluice/core'
import { segmentActions } from '@sluice/segment-actions'
import { createSluice, readWorkspaceFile, type Sluice, type SluiceOptions } from 'sluice'
import { afterEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { plainDefinition, type SmallPeer, writeSmallPeer } from '../support/faults/small-peer.ts'
import { createApiClient, hashOf } from '../support/http/api-client.ts'
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** A product whose status may depend on the call, and come later. It answers with the key that it got. */
async function startProduct(statusOf: (call: Received) => number | Promise<number> = () => 200): Promise<Receiver> {
  const product = await startReceiver(async (call, response) => {
    const status = await statusOf(call)
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify({ status, key: call.headers['x-key'] ?? null }))
  })
  cleanups.push(() => product.close())
  return product
}

const key = 'secret-key-1'
/** Sends nothing and never ends. */
const endless = `${plainDefinition}\nexports.default.actions.send.perform = () => new Promise(() => {})`
/** Looks the user up before it sends. */
const looking = `${plainDefinition}\nexports.default.actions.send.perform = async (request, { settings, payload }) => {
  const { data } = await request(settings.url + '/find', { searchParams: { user: payload.user } })
  return request(settings.url + '/events', { method: 'post', json: { ...payload, found: data.status ?? 'nothing' } })
}`

function peerWith(definitions: Readonly<Record<string, string>>): SmallPeer {
  const peer = writeSmallPeer(definitions)
  cleanups.push(() => peer.remove())
  return peer
}

interface Destination {
  readonly id: string
  readonly type: string
  readonly settings: JsonObject
  readonly transformation?: { readonly code: string }
}

const workspaceWith = (destinations: readonly Destination[]) => ({
  id: 'w1',
  accessTokens: [{ name: 'operator', token: hashOf('operate-token'), scopes: ['operate' as const] }],
  sources: [{ id: 's1', writeKey: 'k1' }],
  destinations: [...destinations],
  connections: destinations.map(({ id }) => ({ source: 's1', destination: id })),
})

async function start(
  destinations: readonly Destination[],
  options: Partial<SluiceOptions> = {},
  definitions: Readonly<Record<string, string>> = { plain: plainDefinition, endless, looking },
): Promise<Sluice> {
  const sluice = await createSluice({
    workspace: workspaceWith(destinations),
    destinations: [segmentActions(peerWith(definitions).folder)],
    allowAddresses: ['localhost'],
    delivery: { retry: { attemptsMax: 1, baseMs: 1, capMs: 1 } },
    sandbox: { mode: 'in-process' },
    ...options,
  })
  cleanups.push(() => sluice.stop(200))
  return sluice
}

const shop = (url: string, more: Partial<Destination> = {}): Destination => ({
  id: 'shop',
  type: 'segment/plain',
  settings: { url, key },
  ...more,
})
const track = (userId: string, event: string, more: JsonObject = {}) => ({
  type: 'track',
  userId,
  event,
  messageId: `${userId}-${event}`,
  ...more,
})
const eventsOf = (calls: readonly Received[]) =>
  calls.flatMap(({ path, body }) => (path === '/events' ? [JSON.parse(body) as { name: string; user: string }] : []))

describe("events that go through one of Segment's actions", () => {
  it('arrive once, and those of each user in order, also when the product answers some later', async () => {
    const { url, received: calls } = await startProduct(async ({ body }) => {
      await new Promise((answer) => setTimeout(answer, body.length % 7))
      return 200
    })
    const sluice = await start([shop(url)])
    const users = ['u1', 'user-2', 'a-third-user']
    const names = Array.from({ length: 8 }, (_, n) => 'event'.padEnd(5 + ((n * 3) % 7), '-') + n)
    for (const name of names)
      expect(
        (
          await sluice.ingest(
            'k1',
            users.map((user) => track(user, name)),
          )
        ).ok,
      ).toBe(true)
    await sluice.settled()
    for (const user of users)
      expect(eventsOf(calls).flatMap((each) => (each.user === user ? [each.name] : []))).toEqual(names)
    expect((await sluice.stats())[0]?.destinations).toMatchObject([
      { delivered: users.length * names.length, pending: 0 },
    ])
    expect(calls.every(({ headers }) => headers['x-key'] === key)).toBe(true)
  })

  it('come from the user transformation of the destination', async () => {
    const { url, received: calls } = await startProduct()
    const code = 'export const transformEvent = (event) => ({ ...event, event: event.event.toUpperCase() })'
    const sluice = await start([shop(url, { transformation: { code } })])
    await sluice.ingest('k1', [track('u1', 'order')])
    await sluice.settled()
    expect(eventsOf(calls)).toEqual([{ name: 'ORDER', user: 'u1' }])
  })

  it('arrive in time when the action of another destination never ends', async () => {
    const { url, received: calls } = await startProduct()
    const stuck = { id: 'stuck', type: 'segment/endless', settings: { url, key } }
    const sluice = await start([stuck, shop(url)])
    const names = Array.from({ length: 20 }, (_, n) => `e${n}`)
    await sluice.ingest(
      'k1',
      names.map((name) => track('u1', name)),
    )
    await eventually(() => eventsOf(calls).map(({ name }) => name)).toEqual(names)
    const [{ destinations = [] } = {}] = await sluice.stats()
    expect(destinations.find(({ destinationId }) => destinationId === 'stuck')).toMatchObject({ pending: 20 })
  })

  it('that a regulation suppresses do not reach it', async () => {
    const { url, received: calls } = await startProduct()
    const sluice = await start([shop(url)])
    await sluice.regulations.create('w1', { regulationType: 'suppress', users: [{ userId: 'gone' }] })
    await sluice.ingest('k1', [track('gone', 'order'), track('u1', 'order')])
    await sluice.settled()
    expect(calls.map(({ body }) => body)).toEqual(['{"name":"order","user":"u1"}'])
  })
})

describe('an event that a product refuses', () => {
  it('becomes a dead letter with the requests of the action and without secrets, and can be replayed', async () => {
    let status = 422
    const { url, received: calls } = await startProduct(({ path }) => (path === '/events' ? status : 200))
    const sluice = await start([shop(url, { type: 'segment/looking' })])
    await sluice.ingest('k1', [track('u1', 'order')])
    await sluice.settled()
    const letters = await sluice.deadLetters.list('w1', { limit: 10 })
    expect(letters).toMatchObject([
      {
        stage: 'deliver',
        error: {
          code: 'deliver.refused',
          message: expect.stringContaining('segment/looking/send refused the request. It answered 422.'),
          detail: {
            status: 422,
            reply: expect.stringContaining('••••••'),
            request: { type: 'ACTION', body: { JSON: { payload: { name: 'order', user: 'u1' } } } },
            steps: [
              { method: 'GET', endpoint: `${url}/find?…`, status: 200 },
              { method: 'POST', endpoint: `${url}/events`, status: 422 },
            ],
          },
        },
      },
    ])
    expect(JSON.stringify(letters)).not.toContain(key)
    status = 200
    expect(await sluice.deadLetters.replay('w1', { destinationId: 'shop' })).toBe(1)
    await sluice.settled()
    expect(await sluice.deadLetters.list('w1', { limit: 10 })).toEqual([])
    expect(eventsOf(calls)).toHaveLength(2)
    expect((await sluice.stats())[0]?.destinations).toMatchObject([{ delivered: 1, pending: 0 }])
  })

  it('does not fail others of the same batch', async () => {
    const { url } = await startProduct(({ body }) => (body.includes('bad') ? 400 : 200))
    const sluice = await start([shop(url)])
    await sluice.ingest('k1', [track('u1', 'good'), track('u2', 'bad'), track('u3', 'good')])
    await sluice.settled()
    const letters = await sluice.deadLetters.list('w1', { limit: 10 })
    expect(letters.map(({ source }) => source.event['messageId'])).toEqual(['u2-bad'])
  })
})

describe('deletion of a user', () => {
  it('runs onDelete of the definition, and is reported as complete', async () => {
    const { url, received: calls } = await startProduct()
    const sluice = await start([shop(url)])
    const [regulation] = await sluice.regulations.create('w1', {
      regulationType: 'suppress_with_delete',
      users: [{ userId: 'u1' }],
    })
    const jobs = async () =>
      (await sluice.deletions.ofRegulation('w1', regulation?.id ?? '')).flatMap(({ destinationId, status }) =>
        destinationId === 'shop' ? [status] : [],
      )
    await eventually(jobs).toEqual(['complete'])
    expect(calls).toMatchObject([{ method: 'DELETE', path: '/users/u1', headers: { 'x-key': key } }])
  })
})

describe('the Test API', () => {
  const message = track('u1', 'order')

  async function trialOf(sluice: Sluice, stage: JsonObject, more: JsonObject = {}) {
    const api = await createApiClient(sluice, 'Bearer operate-token')
    const { status, body, text } = await api.post('/v0/testDestination/shop', {
      stage: { dest_transform: true, ...stage },
      message,
      ...more,
    })
    expect(status, text).toBe(200)
    const [result = {}] = body['data'] as readonly JsonObject[]
    return { result, text }
  }

  it('shows the payload, and the requests that would be sent if each were answered with an empty object', async () => {
    const { url, received: calls } = await startProduct()
    const sluice = await start([shop(url, { type: 'segment/looking' })])
    const { result, text } = await trialOf(sluice, {})
    expect(result).toMatchObject({
      dest_transformed_payload: [
        {
          type: 'ACTION',
          endpoint: 'action:segment/looking/send',
          body: { JSON: { action: 'send', payload: { name: 'order', user: 'u1' } } },
        },
      ],
      actions: [
        {
          action: 'action:segment/looking/send',
          assumed: 'each request is answered with status 200 and the body {}',
          requests: [
            { method: 'GET', endpoint: `${url}/find?user=u1` },
            { method: 'POST', endpoint: `${url}/events`, body: { JSON: { found: 'nothing' } } },
          ],
        },
      ],
    })
    expect(result).not.toHaveProperty('destination_response')
    expect(result).not.toHaveProperty('notices')
    expect(text).not.toContain(key)
    expect(calls).toEqual([])
  })

  it('shows the real replies when it sends, and no assumed requests', async () => {
    const { url, received: calls } = await startProduct()
    const sluice = await start([shop(url, { type: 'segment/looking' })])
    const { result, text } = await trialOf(sluice, { send_to_destination: true })
    expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /find?user=u1', 'POST /events'])
    expect(result).toMatchObject({
      destination_response: [{ status: 200, key: '(hidden)' }, { status: 200 }],
      destination_response_status: [200, 200],
    })
    expect(result).not.toHaveProperty('actions')
    expect(text).not.toContain(key)
  })

  it('gives an action no stored secret when the call changes settings, and says so', async () => {
    const { url } = await startProduct()
    const elsewhere = await startProduct()
    const sluice = await start([shop(url)])
    const changed = { destinationConfig: { url: elsewhere.url } }
    const { result } = await trialOf(sluice, { send_to_destination: true }, changed)
    expect(result['notices']).toEqual([expect.stringContaining('stored secrets were left out')])
    expect(elsewhere.received).toHaveLength(1)
    expect(JSON.stringify(elsewhere.received)).not.toContain(key)
    const preview = await trialOf(sluice, {}, changed)
    expect(preview.result['notices']).toHaveLength(1)
    const own = { destinationConfig: { url: elsewhere.url, key: 'another-key' } }
    await trialOf(sluice, { send_to_destination: true }, own)
    expect(elsewhere.received[1]?.headers['x-key']).toBe('another-key')
  })
})

describe('a workspace that is wrong', () => {
  const problemsOf = (settings: JsonObject, type = 'segment/plain') =>
    start(
      [{ id: 'shop', type, settings: { url: 'https://api.test', key, ...settings } }],
      {},
      {
        plain: plainDefinition,
        broken: "throw new Error('no licence')",
      },
    ).then(
      () => 'no problem',
      (error: Error) => error.message,
    )

  it('names the types there are in place of an unknown one', async () => {
    const message = await problemsOf({}, 'segment/plai')
    expect(message).toContain('destinations[0].type: got "segment/plai"; allowed: segment/plain (similar), or one of ')
  })

  it('says why a definition cannot be loaded', async () => {
    expect(await problemsOf({}, 'segment/broken')).toContain('segment/broken')
    expect(await problemsOf({}, 'segment/broken')).toContain('does not: no licence')
  })

  it('names the setting whose directives are nested too deeply, or contain themselves', async () => {
    let deep: JsonObject = { '@path': '$.event' }
    // biome-ignore lint/suspicious/noThenProperty: it is what the directive calls it
    for (let n = 0; n < 30; n += 1) deep = { '@if': { exists: { '@path': '$.event' }, then: deep } }
    const round: { [member: string]: unknown } = {}
    round['@json'] = { mode: 'encode', value: round }
    for (const name of [deep, round as JsonObject]) {
      const message = await problemsOf({ subscriptions: [{ action: 'send', mapping: { name } }] })
      expect(message).toMatch(/settings\.subscriptions\[0\]\.mapping\.name\.@.+ levels/)
    }
  })

  it('must not let events decide settings, because actions get them as they are', async () => {
    const message = await problemsOf({
      url: '{{ event.properties.host || "https://api.test" }}',
      key: '{{ key || "k" }}',
    })
    expect(message).toContain('settings.url: got ')
    expect(message).toContain('allowed: a string without {{ … || … }}: events cannot decide this setting')
    expect(message).toContain('settings.key')
  })

  it('does not start, with one message, when the definitions are not installed beside it', async () => {
    mkdirSync(resolve('test/dist'), { recursive: true })
    const folder = mkdtempSync(resolve('test/dist/no-peer-'))
    cleanups.push(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'workspace.yaml')
    writeFileSync(file, 'id: w1\ndestinationPackages: ["@sluice/segment-actions"]\n')
    await expect(readWorkspaceFile(file)).rejects.toThrow(
      'got "@sluice/segment-actions"; allowed: a package that has all it needs; this one does not: @segment/action-destinations is not installed',
    )
    await expect(readWorkspaceFile(file)).rejects.toThrow('run npm install @segment/action-destinations there')
  })

  it('that names the package finds the definitions installed beside it', async () => {
    const { url, received: calls } = await startProduct()
    const { folder } = peerWith({ plain: plainDefinition })
    mkdirSync(join(folder, 'node_modules/@sluice'), { recursive: true })
    symlinkSync(resolve('packages/segment-actions'), join(folder, 'node_modules/@sluice/segment-actions'))
    const file = join(folder, 'workspace.json')
    const text = { ...workspaceWith([shop(url)]), destinationPackages: ['@sluice/segment-actions'] }
    writeFileSync(file, JSON.stringify(text))
    const { workspace, destinations } = await readWorkspaceFile(file)
    const sluice = await createSluice({ workspace, destinations, allowAddresses: ['localhost'] })
    cleanups.push(() => sluice.stop())
    await sluice.ingest('k1', [track('u1', 'order')])
    await sluice.settled()
    expect(eventsOf(calls)).toEqual([{ name: 'order', user: 'u1' }])
  })
})
