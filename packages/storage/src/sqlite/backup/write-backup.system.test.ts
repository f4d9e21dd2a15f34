import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createManualClock, createSeededRandom, StoreFullError } from '@sluice/core'
import { afterAll, describe, expect, it } from 'vitest'
import { StoreDamagedError, StoreInUseError, StoreUnusableError } from '../../store-errors.ts'
import { sampleBatch, sampleCount } from '../../suites/sample-records.ts'
import { openDriver } from '../driver/open-driver.ts'
import { openReadOnly } from '../read-only-database.ts'
import { openSqliteStore, type SqliteStoreOptions } from '../sqlite-store.ts'
import { backupSqliteStore, takeBackup, writeBackup } from './write-backup.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-backup-'))
afterAll(() => rmSync(folder, { recursive: true }))
const open = (name: string, options: Partial<SqliteStoreOptions> = {}) =>
  openSqliteStore({
    path: join(folder, name),
    clock: createManualClock(),
    random: createSeededRandom(1),
    synchronous: 'normal',
    ...options,
  })
const append = (store: Awaited<ReturnType<typeof open>>, text = 'x'.repeat(2_000)) =>
  store.log.append(sampleBatch({ events: [{ text }] }), [sampleCount()])
const fill = async (store: Awaited<ReturnType<typeof open>>, batches: number): Promise<void> => {
  for (let n = 0; n < batches; n += 500) await Promise.all(Array.from({ length: 500 }, () => append(store)))
}

describe('a backup', () => {
  it('made under load contains what was acknowledged before, is consistent, and does not delay writes', async () => {
    const store = await open('busy.db')
    await fill(store, 6_000)
    let isOver = false
    let meanwhile = 0
    const load = (async () => {
      for (; !isOver; meanwhile += 1) await append(store)
    })()
    const before = await append(store)
    const path = join(folder, 'busy-copy.db')
    expect(await store.backup?.(path)).toBe(path)
    isOver = true
    await load
    await store.close()
    expect(meanwhile).toBeGreaterThan(3)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const copy = openReadOnly(path, 0)
    copy.check()
    copy.close()
    const restored = await open('busy-copy.db')
    const kept = await restored.log.read('w1', 0, 100_000)
    expect(kept.at(-1)?.position).toBeGreaterThanOrEqual(before)
    expect(kept.map(({ position }) => position)).toEqual(kept.map((_, n) => n + 1))
    expect(await restored.counters.read('w1')).toMatchObject([{ count: kept.length }])
    await restored.close()
  })

  it('replaces no file, is made one at a time, and leaves nothing behind', async () => {
    const store = await open('small.db')
    await append(store)
    writeFileSync(join(folder, 'taken.db'), 'something')
    await expect(store.backup?.(join(folder, 'taken.db'))).rejects.toThrow(StoreUnusableError)
    await expect(store.backup?.(join(folder, 'nowhere', 'copy.db'))).rejects.toThrow(StoreUnusableError)
    const first = store.backup?.()
    await expect(store.backup?.(join(folder, 'second.db'))).rejects.toThrow(StoreInUseError)
    expect(await first).toBe(join(folder, 'small.db.backup-to-send'))
    await store.close()
    // Remains of an unnamed backup of a killed process are removed.
    await (await open('small.db')).close()
    const left = readdirSync(folder).filter((name) => /small|second|\.partial/.test(name))
    expect(left).toEqual(['small.db', 'small.db.mark'])
  })

  it('does not touch a backup that the operator keeps beside the store', async () => {
    const store = await open('kept.db')
    await append(store)
    const kept = join(folder, 'kept.db.backup')
    await store.backup?.(kept)
    rmSync((await store.backup?.()) ?? '')
    await store.close()
    await (await open('kept.db')).close()
    expect(existsSync(kept)).toBe(true)
  })

  it('ends when the store is closed, and leaves no file', async () => {
    const store = await open('closing.db')
    await fill(store, 1_500)
    const copy = join(folder, 'closing-copy.db')
    const backup = store.backup?.(copy)
    const refused = expect(backup).rejects.toThrow('closed')
    await store.close()
    await refused
    expect([existsSync(copy), existsSync(`${copy}.partial`)]).toEqual([false, false])
  })

  it('is refused when the disk has no room for it', async () => {
    const store = await open('tight.db', { reserveBytes: 2 ** 52 })
    await expect(store.backup?.(join(folder, 'tight-copy.db'))).rejects.toThrow(StoreFullError)
    await store.close()
  })

  it('fails when the disk fills up during the copy, and leaves nothing behind', async () => {
    const full = openDriver(':memory:', { timeout: 0 })
    full.pragma('max_page_count = 2')
    // The error SQLite raises on a full disk.
    const copyTo = async (path: string): Promise<void> => {
      writeFileSync(path, 'what there was room for')
      full.exec('create table t as select zeroblob(100000) as bytes')
    }
    const copy = join(folder, 'full-copy.db')
    const refused = writeBackup({ copyTo }, copy, { isChecked: false })
    await expect(refused).rejects.toThrow(StoreFullError)
    await expect(refused).rejects.toThrow(copy)
    expect(readdirSync(folder).filter((name) => name.startsWith('full-copy'))).toEqual([])
  })

  it('is not made when the copy is damaged, wherever it was made, and the error says how to save the rest', async () => {
    const store = await open('torn.db')
    await fill(store, 500)
    await store.close()
    const path = join(folder, 'torn.db')
    const bytes = readFileSync(path)
    bytes.fill(0xa5, 4_096 * 100, 4_096 * 101)
    writeFileSync(path, bytes)
    const copy = join(folder, 'torn-copy.db')
    const refused = backupSqliteStore(path, copy)
    await expect(refused).rejects.toThrow(StoreDamagedError)
    await expect(refused).rejects.toThrow(`sluice salvage ${path} <new file>`)
    writeFileSync(`${copy}.partial`, bytes)
    expect(() => takeBackup(`${copy}.partial`, copy, 'its sluice.db')).toThrow('sluice salvage its sluice.db')
    rmSync(`${copy}.partial`)
    expect(readdirSync(folder).filter((name) => name.startsWith('torn-copy'))).toEqual([])
    expect(readFileSync(path).equals(bytes)).toBe(true)
  })

  it('can be made of a closed store, but not of one that is open elsewhere', async () => {
    const store = await open('idle.db')
    await append(store)
    await expect(backupSqliteStore(join(folder, 'idle.db'), join(folder, 'idle-copy.db'))).rejects.toThrow(
      StoreInUseError,
    )
    await store.close()
    await backupSqliteStore(join(folder, 'idle.db'), join(folder, 'idle-copy.db'))
    const restored = await open('idle-copy.db')
    expect(await restored.log.end('w1')).toBe(1)
    await restored.close()
    await expect(backupSqliteStore(join(folder, 'none.db'), join(folder, 'n.db'))).rejects.toThrow(StoreUnusableError)
    expect(existsSync(join(folder, 'none.db'))).toBe(false)
  })
})
