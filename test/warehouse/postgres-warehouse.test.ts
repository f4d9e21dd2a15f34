import { connect, createServer, type Socket } from 'node:net'
import { createLoader, createPostgresWarehouse, type PostgresOptions, type PostgresSettings } from '@sluice/warehouse'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { dropSchema, freshSchema, noPostgres, postgresUrl } from '../support/databases/postgres.ts'
import { describeColumns } from './describe-columns.ts'
import { describeErasure } from './describe-erasure.ts'
import { describeWarehouse, loadRows, row } from './describe-warehouse.ts'
import { postgresRows } from './postgres-rows.ts'

const live = new AbortController().signal
const server = {
  host: '127.0.0.1',
  port: 5_432,
  database: 'test',
  user: 'postgres',
  password: 'not asked for',
  ssl: false,
} as const
const client = new pg.Client({ connectionString: postgresUrl })
if (noPostgres === undefined) await client.connect()
afterAll(() => client.end())

function hostOf(settings: Partial<PostgresSettings> = {}, options?: PostgresOptions) {
  const namespace = freshSchema()
  return {
    namespace,
    warehouse: createPostgresWarehouse({ ...server, namespace, ...settings }, options),
    rows: (table: string) => postgresRows(client, `${namespace}.${pg.escapeIdentifier(table)}`),
    run: async (sql: string) => {
      await client.query(sql.replaceAll(/\{(\w+)\}/g, `${namespace}."$1"`))
    },
    close: () => dropSchema(namespace),
  }
}

describe.skipIf(noPostgres)('PostgreSQL', () => {
  describeErasure('PostgreSQL', async () => hostOf(), { strange: { type: 'inet', value: "'10.0.0.1'" } })

  describeWarehouse('PostgreSQL', async () => hostOf(), {
    types: { text: 'text', shortText: 'varchar(5)', int: 'bigint', strange: 'inet' },
    timeOf: (iso) => iso,
  })

  describeColumns('PostgreSQL', async () => hostOf(), {
    types: { text: 'text', int: 'bigint', key: 'primary key' },
    retypesTimes: true,
    timeOf: (iso) => iso,
  })

  const relations = {
    index: 'create index taken on {others} (id)',
    sequence: 'create sequence {taken}',
    type: "create type {taken} as enum ('a')",
    'materialized view': 'create materialized view {taken} as select 1 as id',
  }
  for (const [what, statement] of Object.entries(relations))
    it(`gives a table another name when its own belongs to a ${what}`, async () => {
      const host = hostOf()
      await load(host, 'first')
      await host.run('alter table {tracks} rename to others')
      await host.run(statement)
      await loadRows(host.warehouse, [row('taken', { id: 'a' })], 'replace', 'second')
      expect(await host.rows('_taken')).toMatchObject([{ id: 'a' }])
      await host.close()
    })

  async function load(host: ReturnType<typeof hostOf>, id: string): Promise<void> {
    const loader = createLoader(
      { warehouse: host.warehouse, pace: { ms: 1, eventsMax: 1 }, mode: 'replace', nameOf: (name) => name },
      { destinationId: 'd', now: () => 0 },
    )
    loader.add({}, [{ body: { JSON: { rows: [row('tracks', { id }), row('pages', { id })] } } }] as never)
    await loader.load(`load-${id}`, live)
  }

  const wrong = [
    { what: 'a password', settings: { user: 'no_such_role' }, says: /no_such_role.*Check user|role .* does not exist/ },
    { what: 'a database', settings: { database: 'no_such_db' }, says: /no_such_db.*Create the database/ },
    { what: 'a port', settings: { port: 1 }, says: /127.0.0.1:1\/test: .*ECONNREFUSED.*check host and port/ },
    { what: 'a host', settings: { host: 'no-such-host.invalid' }, says: /no-such-host.invalid.*The host is unknown/ },
  ]
  for (const { what, settings, says } of wrong)
    it(`says what to do about ${what} that is wrong, without the password`, async () => {
      const error = await hostOf(settings)
        .warehouse.connect(live)
        .catch((found: Error) => found)
      expect(String((error as Error).message)).toMatch(says)
      expect(String((error as Error).message)).not.toContain(server.password)
    })

  it('waits for a locked table no longer than it may, and has loaded nothing then', async () => {
    const host = hostOf({}, { lockMs: 100 })
    await load(host, 'a')
    await client.query(`begin; lock table ${host.namespace}.tracks in access exclusive mode`)
    const failed = await load(host, 'b').catch((error: Error) => error.message)
    await client.query('commit')
    expect(failed).toMatch(/Another session locks the table/)
    expect((await host.rows('pages')).map(({ id }) => id)).toEqual(['a'])
    await load(host, 'b')
    expect((await host.rows('tracks')).map(({ id }) => id)).toEqual(['a', 'b'])
    await host.close()
  })

  it('loads again, and once, after its connection was cut at any point of a load', async () => {
    const host = hostOf()
    await load(host, 'first')
    for (let cut = 1; cut <= 12; cut += 1) {
      // Each answer of the server is counted; the connection ends behind one of them.
      const proxy = await cuttingProxy(cut * 2)
      const through = hostOf({ port: proxy.port, namespace: host.namespace })
      const id = `cut-${String(cut).padStart(2, '0')}`
      const loader = createLoader(
        { warehouse: through.warehouse, pace: { ms: 1, eventsMax: 1 }, mode: 'append', nameOf: (name) => name },
        { destinationId: 'd', now: () => 0 },
      )
      loader.add({}, [{ body: { JSON: { rows: [row('tracks', { id })] } } }] as never)
      let loadId = `${id}-1`
      for (let attempt = 1; ; attempt += 1) {
        const failure = await loader.load(loadId, live).then(
          () => undefined,
          (error: Error) => error,
        )
        if (failure === undefined) break
        expect(failure.message).not.toContain(server.password)
        proxy.stopCutting()
        if (await loader.settle(loadId, live)) break
        loadId = `${id}-${attempt + 1}`
      }
      await proxy.close()
    }
    const ids = (await host.rows('tracks')).map(({ id }) => id)
    expect(ids).toEqual(
      ['first', ...Array.from({ length: 12 }, (_, at) => `cut-${String(at + 1).padStart(2, '0')}`)].sort(),
    )
    await host.close()
  })
})

/** A proxy in front of the server that ends a connection after so many answers. */
async function cuttingProxy(answersMax: number) {
  let isCutting = true
  const sockets = new Set<Socket>()
  const proxy = createServer((near) => {
    const far = connect(server.port, server.host)
    let answers = 0
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far)
    far.on('data', (data) => {
      answers += 1
      if (isCutting && answers > answersMax) near.destroy()
      else near.write(data)
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    stopCutting: () => {
      isCutting = false
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise<void>((resolve) => proxy.close(() => resolve()))
    },
  }
}
