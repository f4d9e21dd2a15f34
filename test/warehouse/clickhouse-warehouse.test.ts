import { createServer, type IncomingMessage, type Server } from 'node:http'
import { createHttpClient } from '@sluice/delivery'
import { createClickhouseWarehouse, createLoader } from '@sluice/warehouse'
import { afterAll, describe, expect, it } from 'vitest'
import { row } from './describe-warehouse.ts'

const live = new AbortController().signal
const at = Date.UTC(2026, 0, 2, 3, 4, 5)
const client = createHttpClient({ allowAddresses: ['localhost'] })
const servers: Server[] = []
afterAll(async () => {
  await client.close()
  for (const server of servers) server.close()
})

interface Statement {
  readonly sql: string
  readonly query: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * A server that notes each statement, and answers those that read with given rows. There is no ClickHouse for tests, so
 * they state what is sent: see https://clickhouse.com/docs/interfaces/http.
 */
async function startServer(
  answers: readonly (readonly [part: string, rows: readonly object[]])[] = [],
  refuses: (row: Readonly<Record<string, unknown>>) => boolean = () => false,
) {
  const statements: Statement[] = []
  const server = createServer(async (request: IncomingMessage, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const { query: sql = text, ...query } = Object.fromEntries(new URL(request.url ?? '', 'http://x').searchParams)
    const isAllowed = request.headers['x-clickhouse-user'] === 'me' && request.headers['x-clickhouse-key'] === 'secret'
    if (!isAllowed) {
      const refusal = 'Code: 516. DB::Exception: me: Authentication failed: password is incorrect.'
      response.writeHead(403).end(`${refusal} (AUTHENTICATION_FAILED)\n`)
      return
    }
    statements.push({ sql: sql.replaceAll(/\s+/g, ' '), query, body: sql === text ? '' : text })
    const lines = sql === text ? [] : text.split('\n').filter((line) => line !== '')
    if (lines.some((line) => refuses(JSON.parse(line)))) {
      const refusal = 'Code: 469. DB::Exception: Constraint `small` for table shop.checked is violated at row 1.'
      response.writeHead(500).end(`${refusal} (VIOLATED_CONSTRAINT)\n`)
      return
    }
    const [, rows = []] = answers.find(([part]) => sql.includes(part)) ?? []
    response.end(rows.map((each) => `${JSON.stringify(each)}\n`).join(''))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  const warehouse = (password = 'secret') =>
    createClickhouseWarehouse({ origin, user: 'me', password, namespace: 'shop' }, client)
  return { statements, warehouse }
}

function loaderOf(warehouse: ReturnType<typeof createClickhouseWarehouse>, mode: 'append' | 'replace' = 'replace') {
  const loader = createLoader(
    { warehouse, pace: { ms: 1, eventsMax: 1 }, mode, nameOf: (name) => name },
    { destinationId: 'd', now: () => at },
  )
  return Object.assign(loader, {
    stage: (...rows: readonly ReturnType<typeof row>[]) => loader.add({}, [{ body: { JSON: { rows } } }] as never),
  })
}

describe('ClickHouse', () => {
  it('gets tables that keep one row per id, rows as lines of JSON, and the id of the load last', async () => {
    const { statements, warehouse } = await startServer()
    const loader = loaderOf(warehouse())
    loader.stage(
      row('tracks', {
        id: 'a',
        received_at: ['datetime', '2026-01-02T00:00:00.000Z'],
        n: ['int', 1],
        tags: ['array(string)', ['x', 1]],
        text: ['string', 'a\0\ud800"'],
      }),
    )
    await loader.load('l1', live)
    expect(statements.map(({ sql }) => sql)).toEqual([
      'select 1 as one format JSONEachRow',
      'select table, name, type from system.columns where database = {db:String} order by table, position format JSONEachRow',
      'create database if not exists `shop`',
      "create table if not exists `shop`.`sluice_loads` (id String, state String, destination_id Nullable(String), loaded_at Nullable(DateTime64(3, 'UTC')), row_count Nullable(Int64)) engine = MergeTree order by id",
      "create table if not exists `shop`.`tracks` (`uuid_ts` DateTime64(3, 'UTC'), `id` String, `received_at` Nullable(DateTime64(3, 'UTC')), `n` Nullable(Int64), `tags` Array(String), `text` Nullable(String)) engine = ReplacingMergeTree(uuid_ts) order by `id`",
      "alter table `shop`.`tracks` add column if not exists `uuid_ts` DateTime64(3, 'UTC'), add column if not exists `id` String, add column if not exists `received_at` Nullable(DateTime64(3, 'UTC')), add column if not exists `n` Nullable(Int64), add column if not exists `tags` Array(String), add column if not exists `text` Nullable(String)",
      'select state from `shop`.`sluice_loads` where id = {id:String} limit 1 format JSONEachRow',
      'insert into `shop`.`tracks` (`uuid_ts`, `id`, `received_at`, `n`, `tags`, `text`) format JSONEachRow',
      'insert into `shop`.`sluice_loads` (`id`, `state`, `destination_id`, `loaded_at`, `row_count`) format JSONEachRow',
    ])
    const [insert, note] = statements.slice(-2)
    expect(insert?.query).toEqual({
      date_time_input_format: 'best_effort',
      insert_deduplication_token: 'l1 tracks 1',
    })
    expect(JSON.parse(insert?.body ?? '')).toEqual({
      uuid_ts: '2026-01-02T03:04:05.000Z',
      id: 'a',
      received_at: '2026-01-02T00:00:00.000Z',
      n: 1,
      tags: ['x', '1'],
      text: 'a\ufffd"',
    })
    expect(JSON.parse(note?.body ?? '')).toMatchObject({ id: 'l1', state: 'loaded', row_count: 1 })
  })

  it('finds rows that the server refuses, of tables that keep one row per id', async () => {
    const { warehouse } = await startServer([], ({ n }) => Number(n) >= 10)
    const loader = loaderOf(warehouse())
    const rows = Array.from({ length: 40 }, (_, n) => row('checked', { id: `m${n}`, n: ['int', n % 20] }))
    loader.stage(...rows, row('tracks', { id: 'a' }))
    await expect(loader.load('l1', live)).rejects.toThrow(
      /refuses 20 rows: table checked: ClickHouse.*Constraint `small`/,
    )
    expect(loader.refusals).toBe(20)
  })

  it('fails a load as a whole where rows are added, because a trial would leave some', async () => {
    const { warehouse, statements } = await startServer([], ({ n }) => Number(n) >= 10)
    const loader = loaderOf(warehouse(), 'append')
    loader.stage(row('checked', { id: 'a', n: ['int', 1] }), row('checked', { id: 'b', n: ['int', 10] }))
    await expect(loader.load('l1', live)).rejects.toThrow(/^ClickHouse.*Constraint `small`/)
    expect(statements.filter(({ sql }) => sql.startsWith('insert into `shop`.`checked`'))).toHaveLength(1)
  })

  it('widens a column of whole numbers, and one of standard texts, unless that would change a value', async () => {
    const columns = [
      { table: 'tracks', name: 'id', type: 'String' },
      { table: 'tracks', name: 'user_id', type: 'Nullable(Int64)' },
      { table: 'tracks', name: 'total', type: 'Nullable(Int64)' },
      { table: 'tracks', name: 'large', type: 'Nullable(Int64)' },
    ]
    const { statements, warehouse } = await startServer([
      ['system.columns', columns],
      ['countIf(`large`', [{ n: 5, lossy: 1 }]],
      ['as lossy', [{ n: 5, lossy: 0 }]],
    ])
    const loader = loaderOf(warehouse())
    loader.stage(row('tracks', { id: 'a', user_id: ['string', 'kim'], total: ['float', 9.99], large: ['float', 0.5] }))
    await loader.load('l1', live)
    expect(statements.filter(({ sql }) => sql.includes('modify')).map(({ sql, query }) => [sql, query])).toEqual([
      ['alter table `shop`.`tracks` modify column `user_id` Nullable(String)', { alter_sync: '2' }],
      ['alter table `shop`.`tracks` modify column `total` Nullable(Float64)', { alter_sync: '2' }],
    ])
  })

  it('loads no id twice, and none that was settled', async () => {
    const { warehouse } = await startServer([['select state', [{ state: 'void' }]]])
    const loader = loaderOf(warehouse())
    loader.stage(row('tracks', { id: 'a' }))
    await expect(loader.load('l1', live)).rejects.toThrow('settled before')
    expect(await loader.settle('l1', live)).toBe(false)
  })

  it('fills columns of users with those that are there', async () => {
    const there = { id: 'u', name: 'A', city: 'Rome', received_at: '2026-01-01 00:00:00.000' }
    const { statements, warehouse } = await startServer([['final', [there]]])
    const loader = loaderOf(warehouse())
    loader.stage(
      row('users', {
        id: 'u',
        name: 'B',
        city: ['string', null],
        received_at: ['datetime', '2026-01-02T00:00:00.000Z'],
      }),
    )
    await loader.load('l1', live)
    const insert = statements.find(({ sql }) => sql.startsWith('insert into `shop`.`users`'))
    expect(JSON.parse(insert?.body ?? '')).toMatchObject({ id: 'u', name: 'B', city: 'Rome' })
  })

  it('finds ids as text, decides which are those of users, and deletes exactly these, with ids as parameters', async () => {
    const columns = [
      { table: 'identifies', name: 'id', type: 'String' },
      { table: 'identifies', name: 'user_id', type: 'Nullable(String)' },
      { table: 'identifies', name: 'anonymous_id', type: 'Nullable(Int64)' },
      { table: 'tracks', name: 'anonymous_id', type: 'String' },
      { table: 'tracks', name: 'user_id', type: 'LowCardinality(Nullable(Int64))' },
    ]
    const { statements, warehouse } = await startServer([
      ['system.columns', columns],
      ['as v', [{ k: " u'\\1\n", v: '7' }]],
      [
        'from `shop`.`identifies` where (',
        [
          { k: " u'\\1\n", n: 2 },
          { k: "U'\\1 ", n: 5 },
        ],
      ],
      ['from `shop`.`tracks` where (', [{ k: '7', n: 3 }]],
    ])
    const session = await warehouse().connect(live)
    expect(await session.erase({ userIds: ["u'\\1", 'x'], usersPerBatch: 10, signal: live })).toEqual([
      {
        tables: [
          { table: 'tracks', rows: 3 },
          { table: 'identifies', rows: 2 },
        ],
      },
      { tables: [] },
    ])
    const text = (column: string) => `ifNull(toString(\`${column}\`), '')`
    expect(statements.filter(({ sql }) => sql.startsWith('alter'))).toMatchObject([
      {
        sql: `alter table \`shop\`.\`tracks\` delete where ifNull(${text('anonymous_id')} in ({p1:String}) and \`user_id\` is null, 0)`,
        query: { mutations_sync: '2', param_p1: '7' },
      },
      {
        sql: `alter table \`shop\`.\`identifies\` delete where ifNull(${text('user_id')} in ({p1:String}), 0)`,
        query: { mutations_sync: '2', param_p1: " u'\\\\1\\n" },
      },
    ])
  })

  it('says what to do about a password that is wrong, without the password', async () => {
    const { warehouse } = await startServer()
    const error = await warehouse('wrong-hush')
      .connect(live)
      .catch((found: Error) => found)
    expect(String((error as Error).message)).toMatch(/Authentication failed.*Check user and password/)
    expect(String((error as Error).message)).not.toContain('hush')
  })
})
