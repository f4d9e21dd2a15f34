import { afterAll, describe, expect, it } from 'vitest'
import { noDuckDB } from '../../support/databases/duckdb.ts'
import { sized } from '../../support/long.ts'
import { describeErasure } from '../describe-erasure.ts'
import { describeRefusals } from '../describe-refusals.ts'
import { describeWarehouse, loadInto, type WarehouseHost } from '../describe-warehouse.ts'
import { http, openDatabricks, refused } from './databricks-server.ts'
import { scenes } from './scenes.ts'
import { closeServers } from './serve-http.ts'
import { shownTime } from './shown-time.ts'

const live = new AbortController().signal
afterAll(async () => {
  closeServers()
  await http.close()
})

describe.skipIf(noDuckDB)('Databricks, played by DuckDB behind its Statement Execution API', () => {
  const open = async (): Promise<WarehouseHost> => {
    const { database, warehouse } = await openDatabricks()
    return {
      warehouse: warehouse(),
      rows: database.rows,
      run: async (sql) => void (await database.run([sql.replaceAll(/\{(\w+)\}/g, '"lake"."shop"."$1"')], [])),
      close: async () => database.close(),
    }
  }
  describeRefusals('Databricks', open, {
    create: 'create table {checked} (id varchar, n bigint check (n < 10))',
    refused: ['int', 10],
    reason: /DELTA_VIOLATE_CONSTRAINT_WITH_VALUES/,
    hasNoTransactions: true,
  })

  // Its session is that of BigQuery, for which the contract runs after every change.
  if (sized(false, true)) {
    describeErasure('Databricks', open, { missingTypes: ['json'] })
    describeWarehouse('Databricks', open, {
      types: { text: 'varchar', shortText: undefined, int: 'bigint', strange: 'blob' },
      hasNoTransactions: true,
      timeOf: shownTime,
    })
  }

  it('sends the statements of statements/databricks.sql', async () => {
    const { database, warehouse } = await openDatabricks()
    await expect(await scenes(warehouse(), database, (name) => name)).toMatchFileSnapshot('statements/databricks.sql')
    database.close()
  })

  it('replaces the rows that a load wrote before it failed, when it is repeated', async () => {
    const { database, script, warehouse } = await openDatabricks()
    await loadInto(warehouse(), 'a', ['tracks', 'pages'])
    // The table pages was dropped by hand between the reading of the columns and its write.
    const broken = { ...warehouse(), connect: (signal: AbortSignal) => warehouse().connect(signal) }
    const session = await broken.connect(live)
    const rows = (id: string) => ({
      columns: [{ name: 'id', type: 'string' as const }],
      key: 'id',
      mode: 'replace' as const,
      rowCount: 1,
      rows: () => [[id]],
    })
    const tables = [
      { table: 'tracks', ...rows('b') },
      { table: 'gone', ...rows('b') },
    ]
    const load = { loadId: 'l', destinationId: 'd', at: 0, tables }
    await expect(session.load(load)).rejects.toThrow(/gone/)
    expect(await session.settle('l')).toBe(false)
    await session.load({ ...load, loadId: 'l2', tables: [{ table: 'tracks', ...rows('b') }] })
    expect((await database.rows('tracks')).map(({ id }) => id)).toEqual(['a', 'b'])
    expect(script.failures).toEqual([])
    database.close()
  })

  it('waits for a statement that runs on, and reads answers chunk by chunk', async () => {
    const { database, script, warehouse, calls } = await openDatabricks()
    await loadInto(warehouse(), 'a', ['tracks', 'pages'])
    script.unfinished = 2
    script.chunkRows = 1
    const from = calls.length
    const session = await warehouse().connect(live)
    expect([...(await session.schema()).keys()]).toEqual(['pages', 'tracks'])
    const paths = calls.slice(from).map(({ url }) => url.pathname)
    expect(paths.filter((path) => path.includes('/chunks/')).length).toBeGreaterThan(1)
    database.close()
  })

  it('repeats a statement only when it was refused for load: it has no id by which its repetition would be known', async () => {
    const { database, script, warehouse } = await openDatabricks()
    script.failures.push(refused(429, 'REQUEST_LIMIT_EXCEEDED', 'slow down'))
    await warehouse().connect(live)
    expect(database.seen).toHaveLength(1)
    script.failures.push(refused(500, 'INTERNAL_ERROR', 'something broke'))
    await expect(warehouse().connect(live)).rejects.toThrow(/something broke/)
    expect(database.seen).toHaveLength(1)
    database.close()
  })

  it('says what to do about a token that has ended, and a SQL warehouse that is not there, without the token', async () => {
    const { database, warehouse } = await openDatabricks()
    const message = await warehouse('dapi-ended')
      .connect(live)
      .catch((error: Error) => error.message)
    expect(message).toMatch(/Invalid access token\. Check the token/)
    expect(message).not.toContain('dapi')
    await expect(warehouse(undefined, 'none').connect(live)).rejects.toThrow(/none was not found\. Check host/)
    database.close()
  })
})
