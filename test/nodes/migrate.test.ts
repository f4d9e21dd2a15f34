import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock, systemRandom } from '@sluice/core'
import type { Store } from '@sluice/pipeline'
import { migrateSqliteStore, openPostgresStore } from '@sluice/postgres'
import { openSqliteStore } from '@sluice/storage'
import { createSluice, type Sluice } from 'sluice'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ask, dropSchema, freshSchema, noPostgres, postgresUrl } from '../support/databases/postgres.ts'
import { eventually } from '../support/eventually.ts'
import { basic, createApiClient, hashOf } from '../support/http/api-client.ts'
import { runCommand } from '../support/processes/command.ts'
import { runHosted } from '../support/processes/command-host.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { shop } from '../support/scenes/shop.ts'

let schema: string
let folder: string
let receiver: Receiver
/** Of requests to /slow, and how long those to /hook take. */
let slowStatus: number
let hookMs: number
const running = new Set<Sluice>()

beforeEach(async () => {
  schema = freshSchema()
  folder = mkdtempSync(join(tmpdir(), 'sluice-migrate-'))
  slowStatus = 503
  hookMs = 0
  receiver = await startReceiver(async ({ path }) => {
    if (path === '/bad') return 400
    if (path === '/slow') return slowStatus
    if (hookMs > 0) await new Promise((resolve) => setTimeout(resolve, hookMs))
    return 200
  })
})

afterEach(async () => {
  for (const sluice of running) await sluice.stop(0)
  running.clear()
  await receiver.close()
  await dropSchema(schema)
  rmSync(folder, { recursive: true })
})

const file = (): string => join(folder, 'sluice.db')
const target = (): { url: string; schema: string } => ({ url: postgresUrl, schema })

const workspace = () =>
  shop(receiver.url, {
    destinations: ['hook', 'slow', 'bad'].map((id) => ({
      id,
      type: 'WEBHOOK',
      settings: { webhookUrl: `${receiver.url}/${id}` },
    })),
    connections: ['hook', 'slow', 'bad'].map((destination) => ({ source: 'web', destination })),
    accessTokens: [{ name: 'ci', token: hashOf('token') }],
  })

async function start(store: Store): Promise<Sluice> {
  const sluice = await createSluice({
    workspace: workspace(),
    store,
    allowAddresses: ['127.0.0.1'],
    retries: { backoff: { baseMs: 50, capMs: 50 } },
    deduplication: { windowMs: 3_600_000 },
  })
  running.add(sluice)
  return sluice
}

const openSource = (path = file()): Promise<Store> =>
  openSqliteStore({ path, clock: systemClock, random: systemRandom, synchronous: 'normal', thread: 'this' })

const openTarget = (): Promise<Store> => openPostgresStore({ ...target(), clock: systemClock, random: systemRandom })

async function stop(sluice: Sluice): Promise<void> {
  running.delete(sluice)
  await sluice.stop()
}

const step = (n: number) => ({
  type: 'track',
  event: `Step ${n % 3}`,
  userId: `user ${n % 50}`,
  messageId: `message ${n}`,
  properties: { n },
})

/** Sends steps, one to a call. */
async function send(sluice: Sluice, from: number, to: number): Promise<void> {
  const calls = Array.from({ length: to - from }, (_, n) => sluice.ingest('web-key', [step(from + n)]))
  for (const answer of await Promise.all(calls)) expect(answer.ok).toBe(true)
}

/** What a store remembers that no later event changes. */
async function remembered(sluice: Sluice, store: Store) {
  return {
    regulations: await sluice.regulations.list('shop', { limit: 100 }),
    transformations: await sluice.transformations.list('shop', 'transformation'),
    libraries: await sluice.transformations.list('shop', 'library'),
    live: await store.transformations.live('shop'),
    deadLetters: await sluice.deadLetters.list('shop', { limit: 5 }),
    audit: await store.audit.list('shop', 100),
    receipts: await sluice.receipts('message 4'),
    samples: (await sluice.catalogue.models('shop')).map(({ id, eventIdentifier }) => [id, eventIdentifier]),
  }
}

/** How often each message arrived at a destination with a 200. */
function arrivals(path: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const request of receiver.received) {
    if (request.path !== path) continue
    const { messageId } = JSON.parse(request.body)
    counts.set(messageId, (counts.get(messageId) ?? 0) + 1)
  }
  return counts
}

/** Events that have ended, and all, more than one step of the migration copies. */
const first = 100
const all = 650

/** Fills a store with everything there is, and leaves a part of the log undelivered. */
async function fill(): Promise<Awaited<ReturnType<typeof remembered>>> {
  const store = await openSource()
  const sluice = await start(store)
  const api = await createApiClient(sluice, basic('me@shop.test', 'token'))
  const code =
    'import { mark } from "marks"\nexport function transformEvent(event) { event.properties.mark = mark; return event }'
  const library = await api.post('/libraries?publish=true', {
    name: 'marks',
    description: '',
    code: 'export const mark = 7',
    language: 'javascript',
  })
  const made = await api.post('/transformations?publish=true', {
    name: 'marked',
    code,
    language: 'javascript',
    destinationIds: ['hook'],
  })
  expect([library.status, made.status, made.text]).toEqual([200, 200, expect.any(String)])
  for (const userId of ['user 1', 'user 2'])
    await sluice.regulations.create('shop', { regulationType: 'suppress', users: [{ userId }] })
  const [regulation] = (await sluice.regulations.list('shop', { limit: 1 })).regulations
  await sluice.regulations.cancel('shop', regulation?.id ?? '')
  await send(sluice, 0, first)
  for (const id of ['bad', 'hook'])
    await eventually(
      async () => (await sluice.stats())[0]?.destinations.find(({ destinationId }) => destinationId === id)?.pending,
    ).toBe(0)
  await eventually(async () => (await sluice.deadLetters.usage()).letters).toBe(first - first / 50)
  await eventually(() => sluice.catalogue.models('shop')).toHaveLength(3)
  // Once before stopping, for the receipts and dead letters of what has ended.
  const before = await remembered(sluice, store)
  hookMs = 20
  await send(sluice, first, all)
  await stop(sluice)
  hookMs = 0
  return before
}

describe.skipIf(noPostgres)('sluice migrate', () => {
  it('moves everything, also in several attempts: nothing is delivered twice or lost, and all is as it was', async () => {
    const before = await fill()
    const delivered = arrivals('/hook')
    expect(delivered.size).toBeLessThan(all * 0.98)

    const stopping = new AbortController()
    let steps = 0
    const aborted = migrateSqliteStore({
      from: file(),
      to: target(),
      signal: stopping.signal,
      onProgress: ({ table }) => {
        steps += table === 'log_batch' ? 1 : 0
        if (steps === 1) stopping.abort(new Error('enough for now'))
      },
    })
    await expect(aborted).rejects.toThrow('enough for now')
    await expect(openTarget()).rejects.toThrow(/repeat sluice migrate/)
    const migrated = await runCommand(['migrate', '--data', folder, '--to', `${postgresUrl}?schema=${schema}`], {
      cwd: folder,
    })
    expect([migrated.stderr, migrated.status]).toEqual([expect.stringContaining('copied and compared'), 0])
    expect(migrated.stdout).toMatch(/^rows of regulation +2 +2$/m)
    expect(migrated.stdout).toMatch(/^events ahead of destination\/hook of shop +(\d+) +\1$/m)
    expect(migrated.stdout).not.toContain('differs')
    expect([existsSync(file()), existsSync(`${file()}.migrated`)]).toEqual([false, true])

    const store = await openTarget()
    const sluice = await start(store)
    expect(await remembered(sluice, store)).toEqual(before)
    slowStatus = 200
    const again = await sluice.ingest('web-key', [step(4), { ...step(0), userId: 'user 2', messageId: 'of user 2' }])
    expect(again).toMatchObject({ ok: true })
    await sluice.settled()
    const [stats] = await sluice.stats()
    const accepted = all - all / 50
    expect(stats).toMatchObject({ accepted, duplicates: 1, suppressed: all / 50 + 1 })
    const counted = stats?.destinations.map(({ destinationId, pending, delivered, failed, dropped }) => [
      destinationId,
      pending,
      delivered,
      Object.values({ ...failed, ...dropped }).reduce((a, b) => a + b, 0),
    ])
    expect(counted?.sort()).toEqual([
      ['bad', 0, 0, accepted],
      ['hook', 0, accepted, 0],
      ['slow', 0, accepted, 0],
    ])
    const hook = arrivals('/hook')
    expect([hook.size, Math.max(...hook.values())]).toEqual([accepted, 1])
    expect(arrivals('/slow').size).toBe(accepted)
    const last = receiver.received.findLast(({ path }) => path === '/hook')
    expect(JSON.parse(last?.body ?? '{}').properties.mark).toBe(7)
    const models = await sluice.catalogue.models('shop')
    expect(models.reduce((sum, { totalCount }) => sum + totalCount, 0)).toBe(accepted)
  })

  it('keeps which events are in a load into a warehouse that had begun, so that none is loaded twice', async () => {
    const source = await openSource()
    const consumer = 'destination/hook'
    await source.log.register('shop', consumer)
    const positions: number[] = []
    for (let batch = 0; batch < 3; batch += 1) {
      const events = Array.from({ length: 40 }, (_, n) => step(40 * batch + n))
      const own = { workspaceId: 'shop', sourceId: 'web', writeKey: 'web-key', receivedAt: 1, destinationIds: ['hook'] }
      positions.push(await source.log.append({ ...own, events }, []))
    }
    await source.loads.begin('shop', consumer, [{ lane: 0, loadId: 'begun', position: positions[1] ?? 0 }])
    await source.close()
    expect(await migrateSqliteStore({ from: file(), to: target() })).toMatchObject({ isComplete: true })
    const store = await openTarget()
    const ends = new Map((await store.loads.begun('shop', consumer)).map((load) => [load.lane, load]))
    await store.close()
    const loaded: number[] = []
    for (const row of await ask(`select lane, position, events_json from ${schema}.log_batch`))
      if (Number(row['position']) <= (ends.get(Number(row['lane']))?.position ?? 0))
        for (const { properties } of JSON.parse(String(row['events_json']))) loaded.push(properties.n)
    expect(loaded.sort((a, b) => a - b)).toEqual(Array.from({ length: 80 }, (_, n) => n))
    expect([...ends.values()].every(({ loadId }) => loadId === 'begun')).toBe(true)
  })

  it('refuses a store that a process uses, one that is missing, and a database that is not empty', async () => {
    const store = await openSource()
    await expect(migrateSqliteStore({ from: file(), to: target() })).rejects.toThrow(/in use/)
    await store.close()
    await expect(migrateSqliteStore({ from: join(folder, 'none.db'), to: target() })).rejects.toThrow(/is no store/)
    await ask(`insert into ${schema}.counter values ('shop', 'web', '', 'received', '', 1)`)
    await expect(migrateSqliteStore({ from: file(), to: target() })).rejects.toThrow(
      /is not empty \(counter has rows\)/,
    )
    expect(existsSync(file())).toBe(true)
  })

  it('keeps the old store, and the new one closed, when they differ', async () => {
    await (await openSource()).close()
    await ask(`create schema ${schema}`)
    await (await openTarget()).close()
    await ask(`
      set search_path = ${schema};
      create function lose() returns trigger language plpgsql as $$ begin return null; end $$;
      create trigger lose before insert on audit_entry for each row execute function lose()`)
    const store = await openSource()
    await store.audit.add({ workspaceId: 'shop', token: 't', user: 'u', method: 'GET', path: '/', status: 200, at: 1 })
    await store.close()
    const migrated = await runHosted(['migrate', '--data', folder, '--to', `${postgresUrl}?schema=${schema}`], {
      cwd: folder,
    })
    expect(migrated.status).toBe(1)
    expect(migrated.stdout).toMatch(/^rows of audit_entry +1 +0 +differs$/m)
    expect(existsSync(file())).toBe(true)
    await expect(openTarget()).rejects.toThrow(/being filled/)
  })
})
