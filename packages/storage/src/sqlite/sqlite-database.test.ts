import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { InvariantError } from '@sluice/core'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { StoreInUseError } from '../store-errors.ts'
import { openSqliteDatabase } from './sqlite-database.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-database-'))
afterAll(() => rmSync(folder, { recursive: true }))
const inMemory = () => openSqliteDatabase({ path: ':memory:', synchronous: 'normal' })

describe('sqlite database', () => {
  it('returns the size of a copy, including free pages', async () => {
    const database = openSqliteDatabase({ path: join(folder, 'freed.db'), synchronous: 'normal' })
    await sql`create table t as select zeroblob(1000000) as bytes`.execute(database.db)
    await sql`delete from t`.execute(database.db)
    const copy = join(folder, 'freed-copy.db')
    await database.copyTo(copy, () => {})
    expect(database.usedBytes()).toBeLessThan(100_000)
    expect(database.fileBytes()).toBe(statSync(copy).size)
    database.close()
  })

  const values = [
    { name: 'a string', value: 'ä😀\u0000' },
    { name: 'a whole number', value: 2 ** 53 - 1 },
    { name: 'a fraction', value: -1.5 },
    { name: 'null', value: null },
  ]
  for (const { name, value } of values) {
    it(`returns ${name} as it was bound`, async () => {
      const { rows } = await sql<{ value: unknown }>`select ${value} as value`.execute(inMemory().db)
      expect(rows).toEqual([{ value }])
    })
  }

  const refused = [
    { name: 'a boolean', value: true },
    { name: 'undefined', value: undefined },
    { name: 'a date', value: new Date(0) },
    { name: 'a bigint', value: 1n },
    { name: 'an object', value: { secret: 'hidden' } },
    { name: 'not a number', value: Number.NaN },
    { name: 'infinity', value: Number.POSITIVE_INFINITY },
    { name: 'an integer that is not safe', value: 2 ** 53 },
    { name: 'a string with a lone surrogate', value: 'hidden \ud83d' },
  ]
  for (const { name, value } of refused) {
    it(`refuses to bind ${name}, without showing the value`, async () => {
      const bound = sql`select ${value} as value`.execute(inMemory().db)
      await expect(bound).rejects.toThrow(InvariantError)
      await expect(bound).rejects.not.toThrow(/hidden/)
    })
  }

  it('creates the folder for its owner only, and leaves one file when it is closed', () => {
    const path = join(folder, 'new', 'store', 'sluice.db')
    const database = openSqliteDatabase({ path, synchronous: 'full' })
    expect(statSync(join(folder, 'new', 'store')).mode & 0o777).toBe(0o700)
    database.close()
    database.close()
    expect(existsSync(path)).toBe(true)
    expect(existsSync(`${path}-wal`)).toBe(false)
  })

  it('is refused to a second handle until the first is closed, with the name of the folder', () => {
    const options = { path: join(folder, 'sluice.db'), synchronous: 'full', busyTimeoutMs: 0 } as const
    const first = openSqliteDatabase(options)
    expect(() => openSqliteDatabase(options)).toThrow(StoreInUseError)
    expect(() => openSqliteDatabase(options)).toThrow(folder)
    first.close()
    openSqliteDatabase(options).close()
  })

  it('reports why a write failed when it was already rolled back', async () => {
    const { db } = inMemory()
    await sql`create table small (value text)`.execute(db)
    await sql`pragma max_page_count = 4`.execute(db)
    const large = db
      .transaction()
      .execute((transaction) => sql`insert into small values (${'x'.repeat(100_000)})`.execute(transaction))
    await expect(large).rejects.toThrow(/full/)
    expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
  })

  it('counts the bytes in use, without freed pages', async () => {
    const database = inMemory()
    await sql`create table large (value text)`.execute(database.db)
    const before = database.usedBytes()
    await sql`insert into large values (${'x'.repeat(100_000)})`.execute(database.db)
    expect(database.usedBytes() - before).toBeGreaterThan(90_000)
    await sql`delete from large`.execute(database.db)
    expect(database.usedBytes()).toBe(before)
  })
})
