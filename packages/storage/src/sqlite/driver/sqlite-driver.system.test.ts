import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openDriver } from './open-driver.ts'
import type { SqliteDriver } from './sqlite-driver.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-driver-'))
afterAll(() => rmSync(folder, { recursive: true }))
const pathOf = (name: string): string => join(folder, `${name}.db`)
const open = (name: string): SqliteDriver => openDriver(pathOf(name), { timeout: 0 })
const inMemory = (): SqliteDriver => openDriver(':memory:', { timeout: 0 })

/** Runs whatever driver this Node takes; CI runs it with each version of Node. */
describe('the driver of SQLite', () => {
  const values = [
    { name: 'a text with a NUL character', value: 'before\u0000after' },
    { name: 'a text beyond the basic plane', value: 'ä😀' },
    { name: 'the largest safe integer', value: Number.MAX_SAFE_INTEGER },
    { name: 'bytes', value: Buffer.from([0, 1, 255]) },
    { name: 'no bytes', value: Buffer.alloc(0) },
  ]
  for (const { name, value } of values) {
    it(`returns ${name} as stored`, () => {
      const driver = inMemory()
      driver.exec('create table t (id integer primary key, text text, number integer, bytes blob)')
      const column = typeof value === 'string' ? 'text' : typeof value === 'number' ? 'number' : 'bytes'
      driver.prepare(`insert into t (${column}) values (?)`).run(value)
      const rows = [{ value }]
      expect(driver.prepare(`select ${column} as value from t`).all()).toEqual(rows)
      expect([...driver.prepare(`select ${column} as value from t`).iterate()]).toEqual(rows)
      expect(driver.prepare(`select ${column} from t`).pluck().get()).toEqual(value)
    })
  }

  it('binds as many values as the largest statement of a store has', () => {
    const numbers = Array.from({ length: 32_766 }, (_, index) => index)
    const statement = inMemory().prepare(`select 1 where 1 in (${numbers.map(() => '?').join(',')})`)
    expect(statement.all(...numbers)).toHaveLength(1)
  })

  it('knows which statements return rows', () => {
    const driver = inMemory()
    driver.exec('create table t (id integer primary key)')
    const readers = ['select 1', 'insert into t values (1) returning id', 'pragma user_version']
    expect(readers.map((sql) => driver.prepare(sql).reader)).toEqual([true, true, true])
    expect(['insert into t values (2)', 'begin'].map((sql) => driver.prepare(sql).reader)).toEqual([false, false])
  })

  const failures = [
    { code: 'SQLITE_CONSTRAINT_UNIQUE', fail: 'create table t (a unique); insert into t values (1), (1)' },
    { code: 'SQLITE_CONSTRAINT_NOTNULL', fail: 'create table t (a not null); insert into t values (null)' },
    { code: 'SQLITE_FULL', fail: 'pragma max_page_count = 2; create table t as select zeroblob(100000) as bytes' },
  ]
  for (const { code, fail } of failures) {
    it(`names ${code}`, () => {
      expect(() => inMemory().exec(fail)).toThrow(expect.objectContaining({ name: 'SqliteError', code }))
    })
  }

  it('names a file that is no database', () => {
    writeFileSync(pathOf('text'), 'a text '.repeat(2_000))
    expect(() => open('text').exec('begin immediate')).toThrow(expect.objectContaining({ code: 'SQLITE_NOTADB' }))
  })

  it('shows that a full disk ended the transaction', () => {
    const driver = inMemory()
    driver.exec('create table t (bytes); pragma max_page_count = 3; begin')
    expect(driver.inTransaction).toBe(true)
    expect(() => driver.exec('insert into t values (zeroblob(100000))')).toThrow(/full/)
    expect(driver.inTransaction).toBe(false)
  })

  it('waits for the lock of another handle, then names it', () => {
    const first = open('locked')
    first.pragma('locking_mode = exclusive')
    first.exec('create table t (id)')
    const started = performance.now()
    const second = openDriver(pathOf('locked'), { timeout: 30 })
    expect(() => second.exec('begin immediate')).toThrow(expect.objectContaining({ code: 'SQLITE_BUSY' }))
    expect(performance.now() - started).toBeGreaterThan(25)
    first.close()
    second.exec('begin immediate')
    second.close()
  })

  it('does not write to a file that is opened for reading', () => {
    const writer = open('read')
    writer.exec('create table t (id)')
    writer.close()
    const reader = openDriver(pathOf('read'), { timeout: 0, readonly: true })
    expect(() => reader.exec('insert into t values (1)')).toThrow(expect.objectContaining({ code: 'SQLITE_READONLY' }))
    reader.close()
  })

  const erasures = [
    { name: 'deleted rows', erase: 'delete from t' },
    { name: 'replaced values', erase: `update t set text = ''` },
  ]
  for (const [index, { name, erase }] of erasures.entries()) {
    it(`overwrites ${name} in the file and in its log, with secure_delete`, () => {
      const driver = open(`erased-${index}`)
      const path = pathOf(`erased-${index}`)
      const isLeft = (): boolean => [path, `${path}-wal`].some((file) => readFileSync(file).includes('a user to erase'))
      driver.pragma('journal_mode = wal')
      driver.pragma('secure_delete = on')
      driver.exec('create table t (id integer primary key, text)')
      const add = driver.prepare('insert into t (text) values (?)')
      for (let row = 0; row < 100; row += 1) add.run(`a user to erase ${'x'.repeat(row * 100)}`)
      driver.pragma('wal_checkpoint(truncate)')
      expect(isLeft()).toBe(true)
      driver.exec(erase)
      driver.pragma('wal_checkpoint(truncate)')
      expect(isLeft()).toBe(false)
      driver.close()
    })
  }

  it('copies what is written during a backup, and ends one whose progress throws', async () => {
    const driver = open('copied')
    driver.exec('create table t as select zeroblob(1000000) as bytes')
    let steps = 0
    const progress = (): number => {
      steps += 1
      if (steps === 2) driver.exec('create table late (id)')
      return 64
    }
    await driver.backup(pathOf('copy'), { progress })
    expect(steps).toBeGreaterThan(2)
    expect(open('copy').prepare(`select name from sqlite_master where name = 'late'`).all()).toHaveLength(1)
    const stopped = new Error('stopped')
    const stop = (): number => {
      throw stopped
    }
    await expect(driver.backup(pathOf('stopped'), { progress: stop })).rejects.toBe(stopped)
    driver.close()
    driver.close()
    expect(driver.open).toBe(false)
  })

  it('lets a process end whose thread has a file open', async () => {
    const built = new URL('../../../dist/index.js', import.meta.url)
    const program = `
      import { systemClock as clock, systemRandom as random } from '@sluice/core'
      import { openSqliteStore } from ${JSON.stringify(built.href)}
      await openSqliteStore({ path: process.argv[1], clock, random, thread: 'own' })
      process.exit(0)`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program, pathOf('ended')], {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    expect(await once(child, 'exit')).toEqual([0, null])
  })
})
