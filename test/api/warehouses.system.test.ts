import { mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock, systemRandom } from '@sluice/core'
import { openSqliteStore } from '@sluice/storage'
import { queryDuckDB } from '@sluice/warehouse'
import { createSluice, type Sluice } from 'sluice'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { noDuckDB } from '../support/databases/duckdb.ts'
import { eventually } from '../support/eventually.ts'
import { type ApiClient, createApiClient, hashOf } from '../support/http/api-client.ts'

const scopes = { read: ['read'], write: ['write'], operate: ['read', 'operate'], query: ['operate', 'write'] } as const

let folder: string
let path: string
let sluice: Sluice
let api: ApiClient

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-warehouses-'))
  path = join(folder, 'w.duckdb')
  await start()
})
afterEach(async () => {
  await sluice.stop(1_000)
  rmSync(folder, { recursive: true, force: true })
})

async function start(): Promise<void> {
  const webhook = { type: 'WEBHOOK' as const, settings: { webhookUrl: 'http://127.0.0.1:9/' }, enabled: false }
  sluice = await createSluice({
    workspace: {
      id: 'w',
      sources: [{ id: 's', writeKey: 'k' }],
      destinations: [
        { id: 'hook', ...webhook },
        { id: 'duck', type: 'DUCKDB', settings: { path, syncSeconds: 3_600 } },
      ],
      connections: [
        { source: 's', destination: 'duck' },
        { source: 's', destination: 'hook' },
      ],
      accessTokens: Object.entries(scopes).map(([name, scopes]) => ({ name, token: hashOf(name), scopes })),
    },
    store: await openSqliteStore({ path: join(folder, 'sluice.db'), clock: systemClock, random: systemRandom }),
    sandbox: { mode: 'in-process' },
    onError: () => {},
  })
  api = await createApiClient(sluice, 'Bearer operate')
}

const send = (messageId: string, more: object = {}) =>
  sluice.ingest('k', [{ type: 'track', event: 'Bought', userId: 'u', messageId, ...more }])

interface State {
  readonly destinationId: string
  readonly pending: number
  readonly collected: number
  readonly failingSince?: string
  readonly lastLoad?: { readonly events: number; readonly error?: string; readonly tables?: readonly object[] }
}
const states = async () => (await api.get('/v2/warehouses')).body['data'] as unknown as readonly State[]
const history = async () =>
  (await api.get('/v2/warehouses/duck/loads')).body['data'] as unknown as readonly NonNullable<State['lastLoad']>[]
const sync = () => api.post('/v2/warehouses/duck/sync')

describe.skipIf(noDuckDB)('/v2/warehouses', () => {
  it('lists warehouses only, with what waits and the last load', async () => {
    expect(await states()).toEqual([{ destinationId: 'duck', pending: 0, collected: 0 }])
    await send('m1')
    await eventually(async () => (await states())[0]?.collected).toBe(1)
    const { status, body } = await sync()
    expect([status, body['pending'], body['collected']]).toEqual([200, 0, 0])
    expect((await states())[0]?.lastLoad).toMatchObject({
      events: 1,
      tables: [
        { table: 'tracks', rows: 1, isNew: true, discards: 0 },
        { table: 'bought', rows: 1, isNew: true, discards: 0 },
      ],
    })
  })

  it('loads what was accepted before the call, at once', async () => {
    for (const id of ['m1', 'm2', 'm3']) await send(id)
    await sync()
    const ids = await queryDuckDB(path, 'select id from sluice.tracks order by id')
    expect(ids.map(({ id }) => id)).toEqual(['m1', 'm2', 'm3'])
    expect((await sync()).body['lastLoad']).toMatchObject({ events: 3 })
    expect(await history()).toHaveLength(1)
  })

  it('ends with the reason when the load fails, and loads the events once it works', async () => {
    mkdirSync(path)
    await send('m1')
    const failed = (await sync()).body as unknown as State
    expect(failed.lastLoad?.error).toMatch(/^DuckDB .*w\.duckdb: /)
    expect(failed.failingSince).toMatch(/^\d{4}-/)
    // What comes while a load is tried again is not collected, and waits all the same.
    await send('m2')
    expect((await states())[0]?.pending).toBe(2)
    rmdirSync(path)
    await sync()
    await eventually(async () => (await states())[0]?.failingSince).toBeUndefined()
    await sync()
    const errors = (await history()).map(({ error }) => error)
    expect(errors[0]).toBeUndefined()
    expect(errors).toContain(failed.lastLoad?.error)
    expect(await queryDuckDB(path, 'select id from sluice.tracks order by id')).toEqual([{ id: 'm1' }, { id: 'm2' }])
  })

  it('has the last loads after a restart, and since when they fail', async () => {
    await send('m1')
    await sync()
    rmSync(path)
    mkdirSync(path)
    await send('m2')
    const { failingSince } = (await sync()).body as unknown as State
    await sluice.stop(1_000)
    await start()
    expect((await history()).map(({ error }) => error === undefined)).toContain(true)
    expect((await states())[0]?.failingSince).toBe(failingSince)
    await sync()
    expect((await states())[0]?.failingSince).toBe(failingSince)
  })

  it('lists values of the catalogue that do not fit a column', async () => {
    await send('m1', { properties: { price: 5 } })
    await sync()
    await send('m2', { properties: { price: 'five' } })
    await eventually(async () => (await api.get('/v2/warehouses/duck/conflicts')).body['data']).toEqual([
      { table: 'bought', column: 'price', reason: 'a value of type string does not fit the column of type BIGINT' },
    ])
  })

  it('answers 503 with the reason when a warehouse cannot be compared', async () => {
    mkdirSync(path)
    const { status, body } = await api.get('/v2/warehouses/duck/conflicts')
    expect([status, body.code]).toEqual([503, 'warehouseUnavailable'])
    expect(body.message).toContain('w.duckdb')
  })

  it('answers 404 for a destination that is no warehouse, and 403 without the scope', async () => {
    for (const id of ['hook', 'nowhere']) {
      const answers = [
        await api.get(`/v2/warehouses/${id}/loads`),
        await api.get(`/v2/warehouses/${id}/conflicts`),
        await api.post(`/v2/warehouses/${id}/sync`),
      ]
      expect(answers.map(({ status, body }) => [status, body.message])).toEqual(
        answers.map(() => [404, `${id} is not a warehouse of this workspace`]),
      )
    }
    const reader = api.as('Bearer read')
    expect((await reader.get('/v2/warehouses')).status).toBe(200)
    expect((await reader.post('/v2/warehouses/duck/sync')).status).toBe(403)
    expect((await api.as('Bearer write').post('/v2/warehouses/duck/sync')).status).toBe(403)
  })

  it('answers SQL that reads, with at most 1,000 rows, and refuses all that reads or writes anything else', async () => {
    await send('m1')
    await sync()
    const reader = api.as('Bearer query')
    const query = (sql: string) => reader.post('/v2/warehouses/duck/query', { sql })
    const schema = (await query('select distinct table_schema as name from information_schema.tables')).body
    const [{ name = '' } = {}] = schema['rows'] as unknown as readonly { name?: string }[]
    expect((await query(`select id, event from ${name}.tracks`)).body).toMatchObject({
      rows: [{ id: 'm1', event: 'bought' }],
      isCut: false,
    })
    expect((await query('select id, 1.5 as share from tracks')).body).toEqual({
      rows: [{ id: 'm1', share: '1.5' }],
      isCut: false,
      columns: [
        { name: 'id', type: 'VARCHAR' },
        { name: 'share', type: 'DECIMAL(2,1)' },
      ],
      tookMs: expect.any(Number),
    })
    for (const sql of ['from pragma_database_list', 'from pg_catalog.pg_settings'])
      expect((await query(sql)).status, sql).toBe(400)
    // Such a body is not even parsed.
    expect((await query('x'.repeat(1_300_000))).status).toBe(413)
    expect((await query('x'.repeat(100_001))).status).toBe(400)
    const many = await query('select * from range(5000)')
    expect(many.body).toMatchObject({ isCut: true })
    expect(many.body['rows']).toHaveLength(1_000)
    for (const sql of [
      `delete from ${name}.tracks`,
      'create table t (a int)',
      `copy ${name}.tracks to '${join(folder, 'out.csv')}'`,
      `select * from read_csv('/etc/passwd')`,
      `select * from '/etc/passwd'`,
      `attach '${join(folder, 'other.duckdb')}'`,
      'install httpfs',
      'set enable_external_access = true',
      'set lock_configuration = false',
      `select getenv('HOME')`,
      'not sql',
    ])
      expect((await query(sql)).status, sql).toBe(400)
    expect((await query(`select count(*)::int as rows from ${name}.tracks`)).body).toMatchObject({
      rows: [{ rows: 1 }],
    })
    // Rows have personal data: the scope operate alone is not enough.
    for (const token of ['read', 'operate', 'write'])
      expect((await api.as(`Bearer ${token}`).post('/v2/warehouses/duck/query', { sql: 'select 1' })).status).toBe(403)
    expect((await reader.post('/v2/warehouses/hook/query', { sql: 'select 1' })).status).toBe(404)
  })

  it('ends a sync when the process stops', async () => {
    mkdirSync(path)
    await send('m1')
    const syncing = sync()
    await sluice.stop(1_000)
    // The store may be closed by then.
    expect([200, 500]).toContain((await syncing).status)
  })
})
