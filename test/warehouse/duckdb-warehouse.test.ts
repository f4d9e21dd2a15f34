import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDuckDBWarehouse } from '@sluice/warehouse'
import { afterAll, describe, expect, it } from 'vitest'
import { noDuckDB, queryDuckDB } from '../support/databases/duckdb.ts'
import { describeColumns } from './describe-columns.ts'
import { describeErasure } from './describe-erasure.ts'
import { byId, countsOf, describeWarehouse, loadInto, loadRows, row, type WarehouseHost } from './describe-warehouse.ts'

const folder = await mkdtemp(join(tmpdir(), 'sluice-duckdb-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
let files = 0
const live = new AbortController().signal

describe.skipIf(noDuckDB)('DuckDB', () => {
  const open = async (): Promise<WarehouseHost> => {
    files += 1
    const path = join(folder, 'new', `${files}.duckdb`)
    const named = (sql: string): string => sql.replaceAll(/\{(\w+)\}/g, '"shop"."$1"')
    return {
      warehouse: createDuckDBWarehouse({ path, namespace: 'shop' }),
      rows: async (table) => byId(await queryDuckDB(path, `from "shop"."${table.replaceAll('"', '""')}"`)),
      run: async (sql) => void (await queryDuckDB(path, named(sql))),
      close: async () => {},
    }
  }
  describeErasure('DuckDB', open, { strange: { type: 'blob', value: "'x'::blob" }, caseless: 'varchar collate nocase' })
  const timeOf = (iso: string): string =>
    iso
      .replace('T', ' ')
      .replace('Z', '')
      .replace(/\.000$/, '')
  describeWarehouse('DuckDB', open, {
    types: { text: 'varchar', shortText: undefined, int: 'bigint', strange: 'blob' },
    timeOf,
  })
  describeColumns('DuckDB', open, { types: { text: 'varchar', int: 'bigint', key: '' }, retypesTimes: true, timeOf })

  it('has tables in a namespace with the name of its file', async () => {
    const path = join(folder, 'sluice.duckdb')
    const warehouse = createDuckDBWarehouse({ path, namespace: 'sluice' })
    await loadInto(warehouse, 'a', ['tracks'])
    await loadInto(warehouse, 'b', ['tracks'])
    const session = await warehouse.connect(new AbortController().signal)
    expect(await session.erase({ userIds: ['a'], usersPerBatch: 1, signal: new AbortController().signal })).toEqual([
      { tables: [] },
    ])
    await session.close()
    const rows = await queryDuckDB(path, 'select id from sluice.sluice.tracks order by id')
    expect(rows).toEqual([{ id: 'a' }, { id: 'b' }])
  })

  it('deletes what earlier versions stored of users whose id did not fit, in rows without an id', async () => {
    const path = join(folder, 'before.duckdb')
    const warehouse = createDuckDBWarehouse({ path, namespace: 'shop' })
    await loadRows(warehouse, [row('users', { id: ['datetime', '2026-01-31T00:00:00.000Z'], plan: 'a' })], 'replace')
    await loadRows(warehouse, [row('users', { id: 'kim', plan: 'b' })], 'replace')
    await queryDuckDB(path, "insert into shop.users by name select uuid_ts, 'b' as plan from shop.rudder_discards")
    const erase = async (id: string) => {
      const session = await warehouse.connect(live)
      const erased = await session.erase({ userIds: [id], usersPerBatch: 1, signal: live })
      await session.close()
      return erased.map(countsOf)
    }
    expect(await erase('lee')).toEqual([{}])
    expect(await erase('kim')).toEqual([{ users: 1 }])
    expect(await queryDuckDB(path, 'select plan from shop.users')).toEqual([{ plan: 'a' }])
  })

  it('keeps no byte of erased rows in the file, nor beside it', async () => {
    const path = join(folder, 'bytes', 'rows.duckdb')
    const warehouse = createDuckDBWarehouse({ path, namespace: 'shop' })
    // DuckDB compresses shorter texts.
    const person = (id: string) =>
      Array.from({ length: 20 }, (_, at) =>
        row('tracks', { id: `${id}-${at}`, user_id: id, secret: `secret of ${id} ${'x'.repeat(5_000)}` }),
      )
    await loadRows(warehouse, [...person('kim'), ...person('lee')])
    await queryDuckDB(path, 'create view shop.seen as select id, user_id from shop.tracks')
    await chmod(path, 0o640)
    const has = async (text: string) => {
      const names = await readdir(join(folder, 'bytes'))
      const files = await Promise.all(names.map((name) => readFile(join(folder, 'bytes', name))))
      return files.some((bytes) => bytes.includes(text))
    }
    expect([await has('secret of kim'), await has('secret of lee')]).toEqual([true, true])
    const erase = async (id: string) => {
      const session = await warehouse.connect(live)
      const erased = await session.erase({ userIds: [id], usersPerBatch: 1, signal: live })
      // The session continues with the new file.
      expect((await session.schema()).has('tracks')).toBe(true)
      await session.close()
      return erased.map(countsOf)
    }
    expect(await erase('kim')).toEqual([{ tracks: 20 }])
    expect([await has('secret of kim'), await has('secret of lee')]).toEqual([false, true])
    expect(await readdir(join(folder, 'bytes'))).toEqual(['rows.duckdb'])
    expect((await stat(path)).mode & 0o777).toBe(0o640)
    expect(await queryDuckDB(path, 'select count(*) as n from shop.seen')).toEqual([{ n: 20 }])
    await loadRows(warehouse, person('max').slice(0, 1))

    // A process ended after rows were deleted, and before the file was written again.
    await queryDuckDB(path, "delete from shop.tracks where user_id = 'lee'")
    expect(await has('secret of lee')).toBe(true)
    await writeFile(`${path}.erasing`, '')
    await writeFile(`${path}.rewritten`, 'half of a file')
    expect(await erase('lee')).toEqual([{}])
    expect([await has('secret of lee'), await has('secret of max')]).toEqual([false, true])
    expect(await readdir(join(folder, 'bytes'))).toEqual(['rows.duckdb'])
  })

  it('fails when the file cannot be written again, and does it with the next erasure', async () => {
    const path = join(folder, 'blocked', 'rows.duckdb')
    const warehouse = createDuckDBWarehouse({ path, namespace: 'shop' })
    await loadRows(warehouse, [row('tracks', { id: 't1', user_id: 'kim' })])
    await mkdir(`${path}.rewritten/full`, { recursive: true })
    const erase = async () => {
      const session = await warehouse.connect(live)
      try {
        return await session.erase({ userIds: ['kim'], usersPerBatch: 1, signal: live })
      } finally {
        await session.close()
      }
    }
    await expect(erase()).rejects.toThrow(/DuckDB .*rows\.duckdb: .*directory/)
    await rm(`${path}.rewritten`, { recursive: true })
    expect((await erase()).map(countsOf)).toEqual([{ tracks: 1 }])
  })

  const widths = [
    { blockBytes: 16_384, columnsMax: 2_000 },
    { blockBytes: 65_536, columnsMax: 2_000 },
    { blockBytes: 262_144, columnsMax: 576 },
  ]
  for (const { blockBytes, columnsMax } of widths)
    it(`loads tables of ${columnsMax} columns, and many new ones, into a file with blocks of ${blockBytes} bytes`, async () => {
      const path = join(folder, `wide-${blockBytes}.duckdb`)
      await createFile(path, blockBytes)
      const warehouse = createDuckDBWarehouse({ path, namespace: 'shop' })
      const wide = (load: number) =>
        row('wide', {
          id: `w${load}`,
          ...Object.fromEntries(Array.from({ length: 1_300 }, (_, at) => [`key_${load}_${at}`, 'x'])),
        })
      for (const load of [0, 1]) await loadRows(warehouse, [row('tracks', { id: `w${load}` }), wide(load)])
      const properties = Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`p_${at}`, 'x']))
      const names = Array.from({ length: 150 }, (_, at) => row(`name_${at}`, { id: `n${at}`, ...properties }))
      await loadRows(warehouse, [...names, wide(0)], 'replace')
      const count = async (from: string) =>
        Number((await queryDuckDB(path, `select count(*) as n from ${from}`))[0]?.['n'])
      expect(await count('shop.wide')).toBe(2)
      expect(await count('shop.name_149')).toBe(1)
      const columns = await count("duckdb_columns() where table_name = 'wide'")
      expect(columns).toBe(columnsMax)
      // What has no room in the table is in the discards: of the third row, what the first one could not have either.
      const left = await count("shop.rudder_discards where reason like '%no room%'")
      expect(left).toBe(2 * 1_300 + 2 - columnsMax + Math.max(0, 1_300 + 2 - columnsMax))
    })

  it('leaves no file behind when it only reads columns', async () => {
    const path = join(folder, 'unread.duckdb')
    const session = await createDuckDBWarehouse({ path, namespace: 'shop' }).connect(new AbortController().signal)
    expect(await session.schema()).toEqual(new Map())
    await session.close()
    expect(existsSync(path)).toBe(false)
  })

  it('names the folder or program that is in the way', async () => {
    const file = join(folder, 'text')
    await writeFile(file, 'no database')
    const opened = (path: string) =>
      createDuckDBWarehouse({ path, namespace: 'shop' }).connect(new AbortController().signal)
    await expect(opened(file)).rejects.toThrow(/text: .*not a valid DuckDB.*The path must name a DuckDB file/)
    await expect(opened(join(file, 'below.duckdb'))).rejects.toThrow(/EEXIST|ENOTDIR/)
  })
})

/** Creates a file with blocks of a size, as other programs do, or earlier versions. */
async function createFile(path: string, blockBytes: number): Promise<void> {
  const { DuckDBInstance } = await import('@duckdb/node-api')
  const instance = await DuckDBInstance.create(path, { default_block_size: String(blockBytes) })
  instance.closeSync()
}
