import { generateKeyPairSync } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { noDuckDB } from '../../support/databases/duckdb.ts'
import { describeRefusals } from '../describe-refusals.ts'
import { scenes } from './scenes.ts'
import { closeServers } from './serve-http.ts'
import { http, openSnowflake, refused } from './snowflake-server.ts'

const live = new AbortController().signal
afterAll(async () => {
  closeServers()
  await http.close()
})

describe.skipIf(noDuckDB)('Snowflake, played by DuckDB behind its SQL API', () => {
  describeRefusals(
    'Snowflake',
    async () => {
      const { database, warehouse } = await openSnowflake()
      return {
        warehouse: warehouse(),
        rows: database.rows,
        run: async (sql) =>
          void (await database.run(
            [sql.replaceAll(/\{(\w+)\}/g, (_, name: string) => `"EVENTS"."SHOP"."${name.toUpperCase()}"`)],
            [],
          )),
        close: async () => database.close(),
      }
    },
    {
      create: 'create table {checked} ("UUID_TS" timestamp, "ID" varchar, "N" bigint check (n < 10))',
      refused: ['int', 10],
      reason: /^table CHECKED: .*NULL result in a non-nullable column/,
      nameOf: (name) => name.toUpperCase(),
    },
  )

  it('sends the statements of statements/snowflake.sql, which load, replace and delete rows', async () => {
    const { database, warehouse } = await openSnowflake()
    const seen = await scenes(
      warehouse(),
      database,
      (name) => name.toUpperCase(),
      async () => {
        expect(await database.rows('TRACKS')).toMatchObject([
          { ID: 'm1', TOTAL: 5 },
          { ID: 'm3', TOTAL: null, RATE: 0.5 },
          { ID: 'm4' },
        ])
        expect(await database.rows('IDENTIFIES')).toMatchObject([{ ID: 'm2', TRAITS: '{"a":1}' }])
        expect(await database.rows('RUDDER_DISCARDS')).toMatchObject([{ ROW_ID: 'm3', COLUMN_VALUE: 'many' }])
      },
    )
    await expect(seen).toMatchFileSnapshot('statements/snowflake.sql')
    expect((await database.rows('TRACKS')).map(({ ID }) => ID)).toEqual(['m3', 'm4'])
    expect(await database.rows('USERS')).toEqual([])
    expect((await database.rows('SLUICE_LOADS')).map(({ id, state }) => [id, state])).toEqual([
      ['', 'turn'],
      ['load-1', 'loaded'],
      ['load-2', 'loaded'],
      ['load-3', 'loaded'],
      ['load-4', 'void'],
    ])
    database.close()
  })

  it('waits for a statement that runs on, and reads answers partition by partition', async () => {
    const { database, script, warehouse, calls } = await openSnowflake()
    await scenes(warehouse(), database, (name) => name.toUpperCase())
    script.unfinished = 2
    script.partitionRows = 1
    const from = calls.length
    const session = await warehouse().connect(live)
    expect([...(await session.schema()).keys()]).toEqual(['IDENTIFIES', 'RUDDER_DISCARDS', 'TRACKS', 'USERS'])
    expect(calls.slice(from).filter(({ url }) => url.searchParams.has('partition')).length).toBeGreaterThan(5)
    database.close()
  })

  it('repeats requests that were refused for load or ended in an error of the server, marked as repetitions', async () => {
    const { database, script, warehouse, calls } = await openSnowflake()
    script.failures.push(refused(429, '390000', 'Too many requests'), refused(500, '000000', 'internal'))
    await warehouse().connect(live)
    expect(calls.map(({ url }) => url.searchParams.get('retry'))).toEqual([null, 'true', 'true'])
    expect(new Set(calls.map(({ url }) => url.searchParams.get('requestId'))).size).toBe(1)
    expect(database.seen).toHaveLength(1)
    database.close()
  })

  it('says what to do about a key that is wrong or cannot be read, and about rights, without the key', async () => {
    const { database, script, warehouse } = await openSnowflake()
    const other = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey
    const privateKey = other.export({ type: 'pkcs8', format: 'pem' }).toString()
    await expect(warehouse({ privateKey }).connect(live)).rejects.toThrow(/JWT token is invalid\. Check account, user/)
    await expect(warehouse({ privateKey: 'no key' }).connect(live)).rejects.toThrow(/private key cannot be read/)
    script.failures.push(refused(422, '003001', 'SQL access control error: Insufficient privileges'))
    await expect(warehouse().connect(live)).rejects.toThrow(/^Snowflake acme-eu\.west: .*Grant the role the right/)
    database.close()
  })
})
