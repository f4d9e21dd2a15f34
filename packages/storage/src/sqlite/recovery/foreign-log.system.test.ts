import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createManualClock, createSeededRandom } from '@sluice/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrations } from '../../sql/migrations.ts'
import { StoreDamagedError, StoreUnusableError, StoreVersionError } from '../../store-errors.ts'
import { sampleBatch } from '../../suites/sample-records.ts'
import { backupSqliteStore } from '../backup/write-backup.ts'
import { salvageSqliteStore } from '../salvage/salvage-sqlite-store.ts'
import { openSqliteDatabase } from '../sqlite-database.ts'
import { openSqliteStore } from '../sqlite-store.ts'
import { readFileId } from './file-id.ts'
import { readMark } from './high-water-mark.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-foreign-log-'))
afterAll(() => rmSync(folder, { recursive: true }))
const built = new URL('../../../dist/index.js', import.meta.url)
const batches = 90

/**
 * Keeps the file as it was closed once (`.closed`), makes a backup in the middle (`.backup`), and waits to be killed
 * with more in its write-ahead log than in its file.
 */
const program = `
  import { copyFileSync, writeSync } from 'node:fs'
  import { systemClock as clock, systemRandom as random } from '@sluice/core'
  import { openSqliteStore } from ${JSON.stringify(built.href)}
  const path = process.argv[1]
  const append = async (store, count) => {
    const batch = { workspaceId: 'w1', sourceId: 's', writeKey: 'k', receivedAt: 0, destinationIds: [] }
    for (let n = 0; n < count; n += 1) await store.log.append({ ...batch, events: [{ text: 'x'.repeat(2_000) }] }, [])
  }
  const first = await openSqliteStore({ path, clock, random })
  await append(first, ${batches} / 3)
  await first.close()
  copyFileSync(path, path + '.closed')
  const store = await openSqliteStore({ path, clock, random })
  await append(store, ${batches} / 3)
  await store.backup(path + '.backup')
  await append(store, ${batches} / 3)
  writeSync(1, 'done\\n')
  setInterval(() => {}, 1_000)`

const killed = join(folder, 'killed.db')
beforeAll(async () => {
  if (!existsSync(built)) throw new Error('@sluice/storage is not built: run `tsc -b` before these tests')
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, killed], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  await salvageSqliteStore(killed, `${killed}.salvaged`, 0)
})

let copies = 0
/** Returns a copy of the killed store with its file replaced by another. */
function put(other?: string): string {
  copies += 1
  const path = join(folder, `copy-${copies}.db`)
  for (const suffix of ['', '-wal', '.mark']) copyFileSync(`${killed}${suffix}`, `${path}${suffix}`)
  if (other !== undefined) copyFileSync(other, path)
  return path
}

const open = (path: string) =>
  openSqliteStore({ path, clock: createManualClock(), random: createSeededRandom(1), thread: 'this' })
const digestOf = (path: string) =>
  ['', '-wal', '.mark'].map((suffix) =>
    createHash('sha256')
      .update(readFileSync(`${path}${suffix}`))
      .digest('hex'),
  )

describe('a write-ahead log that was left behind', () => {
  for (const suffix of ['.closed', '.backup', '.salvaged'])
    it(`is not written into a file that replaced its own: ${suffix.slice(1)}`, async () => {
      const path = put(`${killed}${suffix}`)
      const before = digestOf(path)
      for (const refused of [
        () => open(path),
        () => backupSqliteStore(path, `${path}.b`),
        () => salvageSqliteStore(path, `${path}.s`, 0),
      ]) {
        await expect(refused()).rejects.toThrow(StoreUnusableError)
        await expect(refused()).rejects.toThrow(`${path}-wal was written for another file than the ${path} beside it`)
      }
      expect(digestOf(path)).toEqual(before)
      // The advice in the error works.
      renameSync(`${path}-wal`, `${path}-wal.aside`)
      const store = await open(path)
      const kept = { '.closed': batches / 3, '.backup': (batches / 3) * 2, '.salvaged': batches }[suffix]
      expect(await store.log.read('w1', 0, batches)).toHaveLength(kept ?? 0)
      await store.close()
    })

  it('is read by its own file, and by one whose ownership is unknown', async () => {
    const path = put()
    const store = await open(path)
    expect(await store.log.read('w1', 0, batches)).toHaveLength(batches)
    await store.close()
    const unmarked = put()
    rmSync(`${unmarked}.mark`)
    await (await open(unmarked)).close()
  })

  it('is not lost when its file is gone', async () => {
    const path = put()
    rmSync(path)
    await expect(open(path)).rejects.toThrow(`${path}-wal was written for ${path}, which is gone`)
    expect(statSync(`${path}-wal`).size).toBe(statSync(`${killed}-wal`).size)
    expect(existsSync(path)).toBe(false)
  })

  it('beside a closed store must belong to another', async () => {
    const path = put()
    await (await open(path)).close()
    copyFileSync(`${killed}-wal`, `${path}-wal`)
    const before = digestOf(path)
    await expect(open(path)).rejects.toThrow(StoreUnusableError)
    expect(digestOf(path)).toEqual(before)
  })

  it('and its file stay unchanged when ownership is unknown and the two do not fit together', async () => {
    const path = put(`${killed}.closed`)
    rmSync(`${path}.mark`)
    const bytes = readFileSync(path)
    bytes.fill(0xa5, 4_096 * 40, 4_096 * 70)
    writeFileSync(path, bytes)
    const log = readFileSync(`${path}-wal`)
    await expect(open(path)).rejects.toThrow(StoreDamagedError)
    expect(readFileSync(path).equals(bytes)).toBe(true)
    expect(readFileSync(`${path}-wal`).equals(log)).toBe(true)
  })
})

describe('the id of a store file', () => {
  it('is new each time the store is opened, is in the mark, and is not copied into a backup', async () => {
    const path = join(folder, 'ids.db')
    const seen = new Set<number | undefined>()
    for (let n = 0; n < 3; n += 1) {
      const store = await open(path)
      await store.log.append(sampleBatch(), [])
      seen.add(readFileId(path))
      expect(readMark(`${path}.mark`)?.fileIds).toEqual([readFileId(path)])
      await store.backup?.(`${path}.${n}`)
      expect(readFileId(`${path}.${n}`)).toBe(0)
      await store.close()
    }
    expect(seen.size).toBe(3)
    expect(seen.has(0)).toBe(false)
  })

  it('stays unchanged, like the mark, when the store is refused because a newer release wrote it', async () => {
    const path = join(folder, 'newer.db')
    await (await open(path)).close()
    const database = openSqliteDatabase({ path, synchronous: 'normal' })
    await database.dialect.writeVersion(database.db, migrations.length + 1)
    database.close()
    const contents = () => [path, `${path}.mark`].map((file) => readFileSync(file, 'latin1'))
    const before = contents()
    await expect(open(path)).rejects.toThrow(StoreVersionError)
    expect(contents().map((text, n) => text === before[n])).toEqual([true, true])
  })
})
