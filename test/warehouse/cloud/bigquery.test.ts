import { generateKeyPairSync } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { noDuckDB } from '../../support/databases/duckdb.ts'
import { describeErasure } from '../describe-erasure.ts'
import { describeRefusals } from '../describe-refusals.ts'
import { describeWarehouse, loadInto, type WarehouseHost } from '../describe-warehouse.ts'
import { describeWidening } from '../describe-widening.ts'
import { http, openBigquery, refused } from './bigquery-server.ts'
import { scenes } from './scenes.ts'
import { closeServers } from './serve-http.ts'
import { shownTime } from './shown-time.ts'

const live = new AbortController().signal
afterAll(async () => {
  closeServers()
  await http.close()
})

describe.skipIf(noDuckDB)('BigQuery, played by DuckDB behind its REST API', () => {
  const open = async (): Promise<WarehouseHost> => {
    const { database, warehouse } = await openBigquery()
    return {
      warehouse: warehouse(),
      rows: database.rows,
      run: async (sql) => void (await database.run([sql.replaceAll(/\{(\w+)\}/g, '"my-project"."shop"."$1"')], [])),
      close: async () => database.close(),
    }
  }
  describeErasure('BigQuery', open, {
    strange: { type: 'blob', value: "'x'::blob" },
    missingTypes: ['json'],
    propertyRuns: 5,
  })
  describeWidening('BigQuery', open, { types: { text: 'varchar', int: 'bigint' } })
  describeRefusals('BigQuery', open, {
    create: 'create table {checked} (id varchar, n bigint check (n < 10))',
    refused: ['int', 10],
    reason: /Required field n cannot be null/,
  })
  describeWarehouse('BigQuery', open, {
    types: { text: 'varchar', shortText: undefined, int: 'bigint', strange: 'blob' },
    timeOf: shownTime,
  })

  it('sends the statements of statements/bigquery.sql', async () => {
    const { database, warehouse } = await openBigquery()
    await expect(await scenes(warehouse(), database, (name) => name)).toMatchFileSnapshot('statements/bigquery.sql')
    database.close()
  })

  it('waits for a query that runs on, reads answers page by page, and gets a new token when one ends', async () => {
    const { database, script, warehouse, expire, calls } = await openBigquery()
    await loadInto(warehouse(), 'a', ['tracks', 'pages'])
    script.unfinished = 2
    script.pageRows = 1
    const session = await warehouse().connect(live)
    expire()
    const tables = await session.schema()
    expect([...tables.keys()]).toEqual(['pages', 'tracks'])
    expect(calls.filter(({ url }) => url.pathname === '/token')).toHaveLength(3)
    database.close()
  })

  it('repeats requests that were refused for load or ended in an error of the server, with their id', async () => {
    const { database, script, warehouse, calls } = await openBigquery()
    script.failures.push(refused(503, 'backend', 'backendError'), refused(500, 'internal', 'internalError'))
    await warehouse().connect(live)
    const sent = calls.filter(({ url }) => url.pathname.endsWith('/queries')).map(({ text }) => JSON.parse(text))
    expect(sent).toHaveLength(3)
    expect(new Set(sent.map(({ requestId }) => requestId)).size).toBe(1)
    expect(database.seen).toHaveLength(1)
    database.close()
  })

  it('says what to do about wrong credentials, and about rights that are missing, without the key', async () => {
    const { database, script, warehouse, key } = await openBigquery()
    const other = key(generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey)
    await expect(warehouse(other).connect(live)).rejects.toThrow(/Invalid JWT Signature\. Check the credentials/)
    await expect(warehouse('{}').connect(live)).rejects.toThrow(/no key of a service account/)
    script.failures.push(refused(403, 'Access Denied: Dataset my-project:shop', 'accessDenied'))
    const message = await warehouse()
      .connect(live)
      .catch((error: Error) => error.message)
    expect(message).toMatch(/^BigQuery my-project: Access Denied.*Grant the service account/)
    expect(message).not.toContain('PRIVATE')
    database.close()
  })
})
