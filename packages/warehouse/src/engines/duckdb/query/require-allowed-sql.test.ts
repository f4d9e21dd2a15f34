import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DuckDBConnection, loadDuckDB } from '../load-duckdb.ts'
import { hasDuckDB } from './query-duckdb.ts'
import { requireAllowedSql } from './require-allowed-sql.ts'

const noDuckDB = !(await hasDuckDB())
const own = { catalog: 'query', namespace: 'house', tables: new Set(['tracks', 'pg_type']) }

let connection: DuckDBConnection
let close = (): void => {}

beforeAll(async () => {
  if (noDuckDB) return
  const instance = await (await loadDuckDB()).DuckDBInstance.create(':memory:', {})
  connection = await instance.connect()
  close = () => {
    connection.disconnectSync()
    instance.closeSync()
  }
})
afterAll(() => close())

describe.skipIf(noDuckDB)('SQL of a person', () => {
  it('may name the tables of its schema, and what it defines itself', async () => {
    for (const sql of [
      'from tracks',
      'from house.tracks',
      'from "TRACKS"',
      'from "query".house.tracks',
      'from pg_type',
      'with recursive r as (select 1 as n union all select n + 1 from r where n < 3) select * from r',
      'with a as (from tracks), b as (from a) select (select count(*) from b) from a limit 1',
      'select * from information_schema.tables, information_schema.columns',
      'show tables',
      'show tables from house',
      'describe tracks',
    ])
      expect(await requireAllowedSql(connection, sql, own), sql).toBeUndefined()
  })

  it('may name no other tables, wherever their names are', async () => {
    for (const sql of [
      'from pragma_database_list',
      'from pg_catalog.pg_settings',
      'from pg_settings',
      'from duckdb_settings',
      'from system.main.pragma_database_list',
      'from information_schema.schemata',
      'from system.information_schema.tables',
      'from sqlite_master',
      'from secrets',
      'from main.secrets',
      'from other.secrets',
      'from "query".other.secrets',
      'from nowhere',
      'from everything()',
      'from house.everything()',
      'select 1 where exists (from pg_settings)',
      'select (select max(setting) from pg_settings)',
      'select * from tracks limit (select count(*) from pg_settings)',
      'select list(x) from tracks t, lateral (from pg_settings) u(x)',
      'select sum(id) over (order by (select max(setting) from pg_settings)) from tracks',
      'with a as materialized (from pg_settings) from tracks',
      // A name that is defined in one place, and used in another.
      'select * from (with pg_settings as (select 1) from pg_settings) a, pg_settings b',
      'describe pg_settings',
      'describe other.secrets',
      'summarize pg_settings',
      'from (describe pg_settings)',
      'show databases',
      'show schemas',
      'show variables',
      'show tables from other',
      // Names and SQL in texts.
      "from histogram_values('pg_settings', setting)",
      "from histogram('other.secrets', id)",
      "from query_table('other.secrets')",
      "from pragma_table_info('pg_settings')",
      "select json_serialize_plan('select current_setting(''temp_directory'')', optimize := true)",
      'select pg_get_viewdef(1)',
      'from duckdb_views()',
      'from duckdb_databases()',
    ])
      await expect(requireAllowedSql(connection, sql, own), sql).rejects.toThrow(
        /not allowed|can be shown|one of DuckDB/,
      )
  })
})
