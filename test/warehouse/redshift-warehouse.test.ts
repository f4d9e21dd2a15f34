import { createLoader, createRedshiftWarehouse } from '@sluice/warehouse'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { ask, freshDatabase, noPostgres } from '../support/databases/postgres.ts'
import { recordPostgres } from './cloud/recorded-postgres.ts'
import { scenes } from './cloud/scenes.ts'
import { describeErasure } from './describe-erasure.ts'
import { describeRefusals } from './describe-refusals.ts'
import { describeWarehouse, loadInto, row } from './describe-warehouse.ts'
import { describeWidening } from './describe-widening.ts'
import { postgresRows } from './postgres-rows.ts'

const live = new AbortController().signal
const database = noPostgres === undefined ? await freshDatabase() : { name: '', url: '', drop: () => {} }
const server = { host: '127.0.0.1', port: 5_432, user: 'postgres', password: 'not asked for', ssl: false } as const

/** What Redshift has and PostgreSQL has not, as far as it is used. Its tables list their columns in SVV_COLUMNS. */
const likeRedshift = `
  create domain super as jsonb;
  create function json_parse(varchar) returns super language sql as 'select $1::jsonb::super';
  create view svv_columns as select table_schema, table_name, column_name, ordinal_position,
    case when domain_name = 'super' then 'super' else data_type end data_type,
    character_maximum_length, numeric_scale from information_schema.columns`

const client = new pg.Client({ connectionString: database.url })
if (noPostgres === undefined) {
  await ask(likeRedshift, database.url)
  await client.connect()
}
afterAll(async () => {
  if (noPostgres !== undefined) return
  await client.end()
  await database.drop()
})

let namespaces = 0

function open(more: { readonly user?: string } = {}) {
  namespaces += 1
  const namespace = `s${namespaces}`
  return {
    warehouse: createRedshiftWarehouse({ ...server, database: database.name, namespace, ...more }),
    rows: (table: string) => postgresRows(client, `${namespace}.${pg.escapeIdentifier(table)}`),
    run: async (sql: string) => {
      await client.query(sql.replaceAll(/\{(\w+)\}/g, `${namespace}."$1"`))
    },
    close: async () => {},
  }
}

// There is no Redshift for tests. PostgreSQL takes its statements, and has stricter types.
describe.skipIf(noPostgres)('Redshift, played by PostgreSQL', () => {
  describeErasure('Redshift', async () => open(), {
    strange: { type: 'inet', value: "'10.0.0.1'" },
    hasTextKeys: true,
    missingTypes: ['json'],
  })

  describeWidening('Redshift', async () => open(), { types: { text: 'varchar(100)', int: 'bigint' } })

  describeRefusals('Redshift', async () => open(), {
    create: 'create table {checked} (id varchar(100), n bigint check (n < 10))',
    refused: ['int', 10],
    reason: /^table checked: .*check/i,
  })

  describeWarehouse('Redshift', async () => open(), {
    types: { text: 'varchar(100)', shortText: 'varchar(5)', int: 'bigint', strange: 'inet' },
    textLengthMax: 65_535,
    timeOf: (iso) => iso,
  })

  it('sends the statements of cloud/statements/redshift.sql, which load, replace and delete rows', async () => {
    const recorded = await recordPostgres(server.port)
    const warehouse = createRedshiftWarehouse({
      ...server,
      port: recorded.port,
      database: database.name,
      namespace: 'shop',
    })
    const tracks = () => postgresRows(client, 'shop.tracks')
    const seen = await scenes(
      warehouse,
      recorded,
      (name) => name,
      async () => {
        expect(await tracks()).toMatchObject([
          { id: 'm1', total: 5 },
          { id: 'm3', total: null, rate: 0.5 },
          { id: 'm4' },
        ])
      },
    )
    await expect(seen).toMatchFileSnapshot('cloud/statements/redshift.sql')
    expect((await tracks()).map(({ id }) => id)).toEqual(['m3', 'm4'])
    recorded.close()
  })

  it('discards a text that has too many bytes, in a column that is there and in a new one', async () => {
    const host = open()
    const loader = createLoader(
      { warehouse: host.warehouse, pace: { ms: 1, eventsMax: 1 }, mode: 'replace', nameOf: (name) => name },
      { destinationId: 'd', now: () => 0 },
    )
    for (const id of ['a', 'b']) {
      loader.add({}, [{ body: { JSON: { rows: [row('tracks', { id, note: 'ü'.repeat(40_000) })] } } }] as never)
      const { tables } = await loader.load(id, live)
      loader.discard()
      expect(tables).toMatchObject([{ rows: 1, discards: 1 }])
    }
    expect(await host.rows('tracks')).toMatchObject([
      { id: 'a', note: null },
      { id: 'b', note: null },
    ])
    expect((await host.rows('rudder_discards'))[0]?.['reason']).toMatch(/80000 bytes does not fit/)
  })

  it('says what to do about a user that is wrong', async () => {
    await expect(loadInto(open({ user: 'no_such_role' }).warehouse, 'a', ['tracks'])).rejects.toThrow(
      /Redshift 127.0.0.1:5432.*no_such_role.*Check user and password/,
    )
  })
})
