import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@sluice/core'
import { createHttpClient, createS3Bucket } from '@sluice/delivery'
import { sink } from '@sluice/destinations'
import { createBucketWarehouse, createParquetWarehouse } from '@sluice/warehouse'
import { afterAll, describe, expect, it } from 'vitest'
import { accessKey, startS3Server } from '../support/brokers/s3-server.ts'
import { noDuckDB, queryDuckDB } from '../support/databases/duckdb.ts'
import { describeErasure } from './describe-erasure.ts'
import { describeRefusals } from './describe-refusals.ts'
import { byId, describeWarehouse, loadInto, loadRows, row, type WarehouseHost } from './describe-warehouse.ts'

const folder = await mkdtemp(join(tmpdir(), 'sluice-parquet-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
let lakes = 0
const live = new AbortController().signal

const options = {
  types: { text: 'varchar', shortText: undefined, int: 'bigint', strange: 'blob' },
  appendsOnly: true,
  timeOf: (iso: string) =>
    iso
      .replace('T', ' ')
      .replace('Z', '')
      .replace(/\.000$/, ''),
}

async function rowsIn(root: string, table: string) {
  const files = `'${join(root, table, '**/*.parquet').replaceAll("'", "''")}'`
  return byId(await queryDuckDB(':memory:', `from read_parquet(${files}, union_by_name = true)`).catch(() => []))
}

describe.skipIf(noDuckDB)('Parquet files', () => {
  const open = async (): Promise<WarehouseHost> => {
    lakes += 1
    const root = join(folder, `lake ${lakes}`)
    return {
      warehouse: createParquetWarehouse({ folder: root, namespace: 'shop' }),
      rows: (table) => rowsIn(join(root, 'shop'), table),
      run: async () => {},
      close: async () => {},
    }
  }
  describeWarehouse('Parquet in a folder', open, options)
  describeErasure('Parquet in a folder', open)
  describeRefusals('Parquet in a folder', open, {
    refused: ['json', '{"cut":'],
    taken: ['json', '{}'],
    reason: /^table checked: .*Malformed JSON/i,
  })

  it('are placed by table, day and hour, and are not there without their load', async () => {
    const root = join(folder, 'placed')
    const warehouse = createParquetWarehouse({ folder: root, namespace: 'shop' })
    await loadInto(warehouse, 'a', ['tracks'])
    const files = async () => (await readdir(join(root, 'shop'), { recursive: true })).filter((name) => /\./.test(name))
    expect((await files()).sort()).toEqual([
      '_sluice/loads/load-a.json',
      '_sluice/schema/000000001.json',
      'tracks/dt=2026-01-02/hour=03/load-a.parquet',
    ])
    // What a process leaves that ended before the manifest was written.
    await rm(join(root, 'shop/_sluice/loads/load-a.json'))
    await mkdir(join(root, 'shop/_sluice/begun'), { recursive: true })
    await writeFile(
      join(root, 'shop/_sluice/begun/load-a.json'),
      JSON.stringify({ files: ['tracks/dt=2026-01-02/hour=03/load-a.parquet'] }),
    )
    const session = await warehouse.connect(live)
    expect(await session.settle('load-a')).toBe(false)
    await session.close()
    expect((await files()).sort()).toEqual(['_sluice/loads/load-a.json', '_sluice/schema/000000001.json'])
  })

  it('are erased and searched in every table that has files, also in one that the schema lacks', async () => {
    const root = join(folder, 'unlisted')
    const warehouse = createParquetWarehouse({ folder: root, namespace: 'shop' })
    const rows = ['pages', 'tracks'].map((table) => row(table, { id: 'a', user_id: 'Kim' }))
    await loadRows(warehouse, rows)
    // Releases before the numbered schemas lost tables that two processes added at the same time.
    await rm(join(root, 'shop/_sluice/schema'), { recursive: true })
    await writeFile(join(root, 'shop/_sluice/schema.json'), '{"tracks":{"id":"text","user_id":"text"}}')
    const session = await warehouse.connect(live)
    const found = await session.search({ userIds: ['Kim'], signal: live })
    const erased = await session.erase({ userIds: ['Kim'], usersPerBatch: 1, signal: live })
    await session.close()
    for (const [user] of [found, erased])
      expect(user?.tables.map(({ table, rows: n }) => [table, n]).sort()).toEqual([
        ['pages', 1],
        ['tracks', 1],
      ])
    expect((await readdir(root, { recursive: true })).filter((name) => name.endsWith('.parquet'))).toEqual([])
  })

  it('have the tables of an older lake, with what is added', async () => {
    const root = join(folder, 'older')
    const warehouse = createParquetWarehouse({ folder: root, namespace: 'shop' })
    await mkdir(join(root, 'shop/_sluice'), { recursive: true })
    await writeFile(join(root, 'shop/_sluice/schema.json'), '{"old":{"id":"text"}}')
    for (const table of ['a', 'b', 'c']) await loadInto(warehouse, table, [table])
    const session = await warehouse.connect(live)
    expect([...(await session.schema()).keys()].sort()).toEqual(['a', 'b', 'c', 'old'])
    await session.close()
    expect((await readdir(join(root, 'shop/_sluice/schema'))).sort()).toEqual(['000000002.json', '000000003.json'])
  })

  it.each(['settling another load', 'an erasure'])(
    'are removed by %s when a load wrote them after it was settled, and ended before it could remove them',
    async (what) => {
      const root = join(folder, what)
      const warehouse = createParquetWarehouse({ folder: root, namespace: 'shop' })
      await loadInto(warehouse, 'a', ['tracks'])
      await loadInto(warehouse, 'b', ['tracks'])
      await writeFile(join(root, 'shop/_sluice/loads/load-a.json'), JSON.stringify({ state: 'void' }))
      await mkdir(join(root, 'shop/_sluice/begun'), { recursive: true })
      await writeFile(
        join(root, 'shop/_sluice/begun/load-a.json'),
        JSON.stringify({ files: ['tracks/dt=2026-01-02/hour=03/load-a.parquet'] }),
      )
      const session = await warehouse.connect(live)
      if (what === 'an erasure') await session.erase({ userIds: ['Lee'], usersPerBatch: 1, signal: live })
      else await session.settle('load-c')
      await session.close()
      const files = await readdir(join(root, 'shop'), { recursive: true })
      expect(files.filter((name) => name.endsWith('.parquet'))).toEqual(['tracks/dt=2026-01-02/hour=03/load-b.parquet'])
      expect(files).not.toContain('_sluice/begun/load-a.json')
    },
  )
})

describe.skipIf(noDuckDB)('Parquet files in a bucket', async () => {
  const server = await startS3Server(['lake'])
  const client = createHttpClient({ allowAddresses: ['localhost'] })
  afterAll(async () => {
    await client.close()
    await server.close()
  })
  const authorization = `Basic ${Buffer.from(`${accessKey.accessKeyID}:${accessKey.accessKey}`).toString('base64')}`
  describeWarehouse(
    'Parquet in a bucket',
    async () => {
      lakes += 1
      const prefix = `lake ${lakes}/`
      const bucketOf = (below: string) =>
        createS3Bucket(
          sink({
            method: 'PUT',
            endpoint: `s3://lake/${encodeURI(below)}`,
            headers: { authorization },
            params: { region: 'us-east-1', origin: server.origin, pathStyle: true },
            body: {},
          }),
          { client, clock: systemClock },
        )
      return {
        warehouse: createBucketWarehouse({ bucketOf, prefix, place: 's3://lake' }),
        rows: async (table) => {
          const local = await mkdtemp(join(folder, 'copy-'))
          const bucket = bucketOf(`${prefix}${table}/`)
          const { keys } = await bucket.list('', live)
          for (const [at, key] of keys.entries())
            await bucket.get(key, ({ body }) => writeFile(join(local, `${at}.parquet`), body), live)
          return byId(
            await queryDuckDB(':memory:', `from read_parquet('${local}/*.parquet', union_by_name = true)`).catch(
              () => [],
            ),
          )
        },
        run: async () => {},
        close: async () => {},
      }
    },
    options,
  )
})
