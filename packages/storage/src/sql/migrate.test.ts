import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { StoreVersionError } from '../store-errors.ts'
import { migrate } from './migrate.ts'
import { type Migration, migrations } from './migrations.ts'
import { openSqliteDatabase } from './sqlite-database.ts'

const inMemory = () => openSqliteDatabase({ path: ':memory:', synchronous: 'normal' })
const create =
  (table: string): Migration =>
  async (db) => {
    await db.schema.createTable(table).addColumn('id', 'integer').execute()
  }
const tables = async ({ db }: ReturnType<typeof inMemory>) =>
  (await db.introspection.getTables()).map(({ name }) => name)

describe('migrate', () => {
  it('brings a new store to the newest version, and does nothing the second time', async () => {
    const database = inMemory()
    await migrate(database)
    expect(database.readVersion()).toBe(migrations.length)
    expect(await tables(database)).toContain('log_batch')
    await migrate(database)
    expect(database.readVersion()).toBe(migrations.length)
  })

  it('does only the steps a store lacks, and keeps what it holds', async () => {
    const database = inMemory()
    await migrate(database, [create('a')])
    await sql`insert into a values (7)`.execute(database.db)
    await migrate(database, [create('a'), create('b')])
    expect(database.readVersion()).toBe(2)
    expect((await sql`select id from a`.execute(database.db)).rows).toEqual([{ id: 7 }])
    expect(await tables(database)).toEqual(['a', 'b'])
  })

  it('leaves the store at the version before a step that fails', async () => {
    const database = inMemory()
    const broken: Migration = async (db) => {
      await create('b')(db)
      throw new Error('broken step')
    }
    await expect(migrate(database, [create('a'), broken])).rejects.toThrow('broken step')
    expect(database.readVersion()).toBe(1)
    expect(await tables(database)).toEqual(['a'])
    await migrate(database, [create('a'), create('b')])
    expect(await tables(database)).toEqual(['a', 'b'])
  })

  it('refuses a store of a newer release and does not touch it', async () => {
    const database = inMemory()
    database.writeVersion(migrations.length + 1)
    await expect(migrate(database)).rejects.toThrow(StoreVersionError)
    expect(await tables(database)).toEqual([])
    expect(database.readVersion()).toBe(migrations.length + 1)
  })
})
