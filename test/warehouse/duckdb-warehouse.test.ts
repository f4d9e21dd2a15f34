import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDuckDBWarehouse } from '@sluice/warehouse'
import { afterAll, describe, expect, it } from 'vitest'
import { noDuckDB, queryDuckDB } from '../support/databases/duckdb.ts'
import { describeErasure } from './describe-erasure.ts'
import { byId, describeWarehouse, loadInto } from './describe-warehouse.ts'

const folder = await mkdtemp(join(tmpdir(), 'sluice-duckdb-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
let files = 0

describe.skipIf(noDuckDB)('DuckDB', () => {
  const open = async () => {
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
  describeErasure('DuckDB', open, { strange: { type: 'blob', value: "'x'::blob" } })
  describeWarehouse('DuckDB', open, {
    types: { text: 'varchar', shortText: undefined, int: 'bigint', strange: 'blob' },
    timeOf: (iso) =>
      iso
        .replace('T', ' ')
        .replace('Z', '')
        .replace(/\.000$/, ''),
  })

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
