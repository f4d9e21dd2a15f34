import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createManualClock, createSeededRandom } from '@sluice/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { StoreDamagedError } from '../../store-errors.ts'
import { sampleBatch } from '../../suites/sample-records.ts'
import { openDriver } from '../driver/open-driver.ts'
import { openSqliteStore, type SqliteStoreOptions } from '../sqlite-store.ts'
import type { StoreRecovery } from './store-recovery.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-unclean-'))
afterAll(() => rmSync(folder, { recursive: true }))
const built = new URL('../../../dist/index.js', import.meta.url)
const batches = 200

/** Appends batches of two workspaces one after the other, prints a line, and waits to be killed. */
const program = `
  import { writeSync } from 'node:fs'
  import { systemClock as clock, systemRandom as random } from '@sluice/core'
  import { openSqliteStore } from ${JSON.stringify(built.href)}
  const store = await openSqliteStore({ path: process.argv[1], clock, random })
  await store.log.register('w1', 'c1')
  for (let n = 1; n <= ${batches}; n += 1) {
    const batch = { workspaceId: n % 2 ? 'w1' : 'w2', sourceId: 's', writeKey: 'k', receivedAt: 0, destinationIds: [] }
    await store.log.append({ ...batch, events: [{ messageId: 'm' + n, text: 'x'.repeat(1_000) }] }, [])
  }
  writeSync(1, 'done\\n')
  setInterval(() => {}, 1_000)`

/** A store whose process was killed after all its batches were acknowledged. */
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
})

/** A check begins a second after the start. */
const inTime = { timeout: 20_000 }

let copies = 0
/** Returns a copy that a test may damage. */
function copied(): string {
  copies += 1
  const path = join(folder, `copy-${copies}.db`)
  for (const suffix of ['', '-wal', '.mark']) copyFileSync(`${killed}${suffix}`, `${path}${suffix}`)
  return path
}

async function open(path: string, options: Partial<SqliteStoreOptions> = {}) {
  const reported: StoreRecovery[] = []
  const clock = createManualClock()
  const random = createSeededRandom(1)
  const onUncleanShutdown = (recovery: StoreRecovery) => reported.push(recovery)
  const store = await openSqliteStore({ path, clock, random, onUncleanShutdown, ...options })
  return { store, reported }
}

/** Fills a page of the log: a leaf of its index, a leaf, or the beginning of a page that continues a large row. */
function damagePage(path: string, part: 'an index' | 'a table' | 'a large row'): void {
  const driver = openDriver(path, { timeout: 0 })
  const root = driver.prepare(`select rootpage from sqlite_master where name = 'log_batch_by_workspace'`).pluck().get()
  driver.close()
  const bytes = readFileSync(path)
  const pageOf = (text: string): number => Math.floor(bytes.indexOf(text) / 4_096)
  // An interior page begins with 2; its last child is a leaf.
  const rootAt = (Number(root) - 1) * 4_096
  const leaf = bytes.readUInt8(rootAt) === 2 ? bytes.readUInt32BE(rootAt + 8) : Number(root)
  const pages = {
    'an index': leaf - 1,
    'a table': pageOf('"messageId":"m100"'),
    'a large row': pageOf('y'.repeat(4_000)),
  }
  const page = pages[part]
  expect(page).toBeGreaterThan(0)
  // The page of a large row begins with the number of the next one: here, a number that no page has.
  bytes.fill(0xa5, page * 4_096, page * 4_096 + (part === 'a large row' ? 4 : 4_096))
  writeFileSync(path, bytes)
}

async function countOf({ log }: Awaited<ReturnType<typeof open>>['store']): Promise<number> {
  return (await log.read('w1', 0, 1_000)).length + (await log.read('w2', 0, 1_000)).length
}

describe('a store that was not closed', () => {
  it('reports this after a kill, has lost nothing, and reports nothing the next time', async () => {
    const path = copied()
    const first = await open(path)
    expect(first.reported).toEqual([{ isUnclean: true, lost: undefined, lostCommits: 0 }])
    expect(await countOf(first.store)).toBe(batches)
    expect(await first.store.lostBatches()).toEqual([])
    await first.store.close()
    const second = await open(path)
    expect(second.reported).toEqual([])
    await second.store.close()
  })

  const torn = [
    { name: 'is cut off', tear: (log: string) => truncateSync(log, Math.floor(statSync(log).size * 0.6)) },
    {
      name: 'has a flipped bit',
      tear: (log: string) => {
        const bytes = readFileSync(log)
        const at = Math.floor(bytes.length * 0.6)
        bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
        writeFileSync(log, bytes)
      },
    },
    { name: 'is gone', tear: (log: string) => rmSync(log) },
  ]
  for (const { name, tear } of torn) {
    it(`reports the positions of lost acknowledged batches when its write-ahead log ${name}`, async () => {
      const path = copied()
      tear(`${path}-wal`)
      const { store, reported } = await open(path)
      const kept = await countOf(store)
      expect(kept).toBeLessThan(batches)
      const lost = { from: kept + 1, to: batches, noticedAt: 0 }
      // Each batch was a commit of its own, and the consumer, which is in the file unless its log is gone.
      expect(reported).toEqual([
        {
          isUnclean: true,
          lost: { ...lost, noticedAt: expect.any(Number) },
          lostCommits: batches - kept + (kept === 0 ? 1 : 0),
        },
      ])
      expect(await store.lostBatches()).toEqual([reported[0]?.lost])
      // Lost positions are not used again.
      expect(await store.log.append(sampleBatch(), [])).toBe(batches + 1)
      await store.close()
      const again = await open(path)
      expect(again.reported).toEqual([])
      expect(await again.store.lostBatches()).toEqual([reported[0]?.lost])
      await again.store.close()
    })
  }

  it('reports what an older copy lacks that replaces a store', async () => {
    const path = copied()
    const { store } = await open(path)
    await store.close()
    const older = readFileSync(path)
    const later = await open(path)
    await later.store.log.append(sampleBatch(), [])
    await later.store.close()
    writeFileSync(path, older)
    const { store: put, reported } = await open(path)
    expect(reported).toMatchObject([{ isUnclean: false, lost: { from: batches + 1, to: batches + 1 } }])
    await put.close()
  })

  it('reports no lost batches when its mark is missing or unreadable', async () => {
    for (const spoil of [
      (mark: string) => rmSync(mark),
      (mark: string) => writeFileSync(mark, 'no mark at all......'),
    ]) {
      const path = copied()
      spoil(`${path}.mark`)
      const { store, reported } = await open(path)
      expect(reported).toEqual([{ isUnclean: true, lost: undefined, lostCommits: 0 }])
      await store.close()
    }
  })

  for (const thread of ['own', 'this'] as const) {
    it(`is opened though its file is damaged, and reports that at each start (thread: ${thread})`, async () => {
      const path = copied()
      const { store } = await open(path)
      await store.close()
      rmSync(`${path}.mark`)
      copyFileSync(`${killed}.mark`, `${path}.mark`)
      const bytes = readFileSync(path)
      // In the middle of the log, which only a check reads.
      const page = Math.floor(bytes.indexOf('"messageId":"m100"') / 4_096)
      expect(page).toBeGreaterThan(0)
      bytes.fill(0xa5, page * 4_096, (page + 1) * 4_096)
      writeFileSync(path, bytes)
      for (let start = 0; start < 2; start += 1) {
        const damages: (StoreDamagedError | undefined)[] = []
        const errors: unknown[] = []
        const damaged = await open(path, {
          thread,
          onChecked: (damage) => damages.push(damage),
          onError: (error) => errors.push(error),
        })
        await expect.poll(() => damages.length, inTime).toBe(1)
        expect(damages[0]).toBeInstanceOf(StoreDamagedError)
        expect(damages[0]?.message).toContain(`sluice salvage ${path} `)
        expect([errors, damaged.store.isDamaged?.()]).toEqual([damages, true])
        await damaged.store.close()
      }
    })

    it(`is checked while it is in use, and not again once it was found sound (thread: ${thread})`, async () => {
      const path = copied()
      const damages: unknown[] = []
      const onChecked = (damage?: StoreDamagedError) => damages.push(damage)
      const { store } = await open(path, { thread, onChecked })
      await store.log.append(sampleBatch(), [])
      await expect.poll(() => damages, inTime).toEqual([undefined])
      expect(store.isDamaged?.()).toBe(false)
      await store.close()
      const again = await open(path, { thread, onChecked })
      // A check would begin after one second.
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      expect(damages).toHaveLength(1)
      await again.store.close()
    })
  }

  it('is checked at the next start when it was closed before the check ended', async () => {
    const path = copied()
    const damages: unknown[] = []
    const onChecked = (damage?: StoreDamagedError) => damages.push(damage)
    const { store } = await open(path, { onChecked })
    await store.close()
    expect(damages).toEqual([])
    const again = await open(path, { onChecked })
    expect(again.reported).toEqual([])
    await expect.poll(() => damages, inTime).toEqual([undefined])
    await again.store.close()
  })

  for (const part of ['an index', 'a table', 'a large row'] as const) {
    it(`is found damaged in a page of ${part}`, async () => {
      const path = copied()
      const { store } = await open(path)
      const text = 'y'.repeat(50_000)
      for (let n = 0; n < 20; n += 1)
        await store.log.append(sampleBatch({ events: [{ messageId: `big${n}`, text }] }), [])
      await store.close()
      rmSync(`${path}.mark`)
      copyFileSync(`${killed}.mark`, `${path}.mark`)
      damagePage(path, part)
      const damages: (StoreDamagedError | undefined)[] = []
      const damaged = await open(path, { onChecked: (damage) => damages.push(damage) })
      await expect.poll(() => damages.length, inTime).toBe(1)
      expect(damages[0]).toBeInstanceOf(StoreDamagedError)
      await damaged.store.close()
    })
  }

  it('is refused when it is no store, whether it was closed or not', async () => {
    const path = join(folder, 'text.db')
    writeFileSync(path, 'this is a text and no database, of more than a hundred bytes'.repeat(100))
    await expect(open(path)).rejects.toThrow(StoreDamagedError)
    expect(readFileSync(path, 'utf8')).toContain('this is a text')
  })
})
