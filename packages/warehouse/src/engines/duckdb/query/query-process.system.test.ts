import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadDuckDB } from '../load-duckdb.ts'
import { queryInProcess } from './query-process.ts'

const missing = await loadDuckDB().then(
  () => undefined,
  (error: Error) => process.stdout.write(`queries of DuckDB skipped: ${error.message}\n`),
)
let folder: string
let path: string

beforeAll(async () => {
  if (missing) return
  folder = mkdtempSync(join(tmpdir(), 'sluice-query-'))
  path = join(folder, 'query.duckdb')
  const instance = await (await loadDuckDB()).DuckDBInstance.create(path, {})
  const connection = await instance.connect()
  for (const sql of [
    'create schema house',
    'create table house.tracks as select i as id, i % 3 as kind from range(5000) t(i)',
    'create table house.pg_type as select 7 as id',
    'create schema other',
    'create table other.secrets as select 1 as id',
    'create table secrets as select 1 as id',
    'create macro house.everything() as table select * from other.secrets',
  ])
    await connection.run(sql)
  connection.disconnectSync()
  instance.closeSync()
})
afterAll(() => {
  if (folder) rmSync(folder, { recursive: true })
})

interface More {
  readonly rowsMax?: number
  readonly timeMs?: number
  readonly owner?: string
  readonly namespace?: string
}
const ask = (sql: string, more: More = {}) =>
  queryInProcess({ path, namespace: 'house', sql, rowsMax: 10, timeMs: 60_000, owner: 'w', ...more })
const run = async (sql: string, more: More = {}) =>
  JSON.parse(`[${Buffer.concat((await ask(sql, more)).rows)}]`) as readonly object[]

describe.skipIf(missing)('a query of a person', () => {
  it('reads the tables of the file, with the functions and words of DuckDB', async () => {
    expect(await run('select kind, count(*) as n from tracks group by kind order by kind')).toEqual([
      { kind: '0', n: '1667' },
      { kind: '1', n: '1667' },
      { kind: '2', n: '1666' },
    ])
    for (const sql of [
      'from tracks limit 1',
      'with a as (select max(id) as m from tracks) select m, upper(m::text), now() is not null from a',
      'select row_number() over (order by id) as n, list_transform([id], x -> x + 1) from tracks limit 2',
      'show tables',
      'describe tracks',
      'summarize tracks',
      'select * from range(3)',
      "select table_name from duckdb_tables() where table_name like 'tr%'",
    ])
      expect([sql, (await run(sql)).length > 0]).toEqual([sql, true])
    expect((await run('select id from tracks', { rowsMax: 7 })).length).toBe(7)
    expect(await run('show tables from house')).toEqual([{ name: 'pg_type' }, { name: 'tracks' }])
    expect((await ask('select id from tracks', { rowsMax: 5_000 })).isCut).toBe(false)
    expect((await ask('select id from tracks', { rowsMax: 4_999 })).isCut).toBe(true)
  })

  it('reads no tables but those of its schema', async () => {
    for (const sql of ['from pragma_database_list', 'from other.secrets', 'from everything()'])
      await expect(run(sql), sql).rejects.toThrow('not allowed')
    // The name of a view of DuckDB may be that of a table.
    expect(await run('from pg_type')).toEqual([{ id: 7 }])
    await expect(run('from tracks', { namespace: 'absent' })).rejects.toThrow(/does not exist in absent/)
  })

  it('changes nothing, reads no other file, and switches nothing on', async () => {
    for (const sql of [
      'delete from tracks',
      'create table x (a int)',
      "copy tracks to 'out.csv'",
      "attach 'other.duckdb' as other",
      'pragma database_list',
      "set memory_limit = '10GB'",
      "call enable_logging(level = 'debug', storage = 'file', storage_path = 'logs')",
      "select * from enable_logging(level = 'debug')",
      "select write_log('x', level := 'error')",
      'select 1; select 2',
      '',
      "select * from read_csv('/etc/passwd')",
      "select * from read_text('/etc/passwd')",
      "select * from '/etc/passwd'",
      "select * from glob('/*')",
      "select * from query('select 1')",
      'select sleep_ms(1)',
      'select pg_sleep(1)',
      "select current_setting('home_directory')",
      'select * from duckdb_settings()',
      'select (select list(x) from (select * from enable_logging()) t(x))',
    ])
      await expect(run(sql), sql).rejects.toThrow(/not allowed|only reads|cannot|disabled|Only SELECT|does not exist/i)
    expect(readdirSync(folder)).toEqual(['query.duckdb'])
    expect(existsSync('logs')).toBe(false)
  })

  it('ends its own process when it takes too much memory or time, and says so', async () => {
    // The time that a busy machine takes for it is not what ends it.
    await expect(run('select list(i) from range(3000000) t(i)', { timeMs: 60_000 })).rejects.toThrow(
      /too much memory|more than 2000000 bytes/,
    )
    await expect(run("select repeat('x', 900000000) || i from range(3) t(i)", { timeMs: 3_000 })).rejects.toThrow(
      /memory|bytes|longer/,
    )
    const endless = 'select count(*) from range(10000000) a, range(10000000) b where a.range * b.range % 7 = 3'
    await expect(run(endless, { timeMs: 1_000 })).rejects.toThrow('longer than 1 s')
    expect(await run('select 1 as one')).toEqual([{ one: 1 }])
  })

  it('runs beside queries of others, and beside none of its own workspace', async () => {
    const two = [run('select 1'), run('select 1', { owner: 'other' })]
    await expect(run('select 1')).rejects.toThrow('Another query is running')
    await Promise.all(two)
    expect((await run('select 1')).length).toBe(1)
  })
})
