import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createManualClock, createSeededRandom } from '@sluice/core'
import { afterAll, describe, expect, it } from 'vitest'
import { sampleBatch } from '../../suites/sample-records.ts'
import { callsOf, writingMethods } from '../../suites/writing-methods.ts'
import { openSqliteStore } from '../sqlite-store.ts'
import { readMark } from './high-water-mark.ts'
import type { StoreRecovery } from './store-recovery.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-set-back-'))
afterAll(() => rmSync(folder, { recursive: true }))

const w = 'w'
let stores = 0
const newPath = (): string => {
  stores += 1
  return join(folder, `${stores}.db`)
}

async function open(path: string) {
  const reported: StoreRecovery[] = []
  const store = await openSqliteStore({
    path,
    clock: createManualClock(),
    random: createSeededRandom(1),
    thread: 'this',
    onUncleanShutdown: (recovery) => reported.push(recovery),
  })
  return { store, reported }
}

describe('a store that is set back in place', () => {
  for (const [port, method] of writingMethods)
    it(`is noticed when it lacks nothing but ${port}.${method}, and once`, async () => {
      const path = newPath()
      const writing = callsOf(w)[port]?.[method]
      if (writing === undefined || writing === 'reads') throw new Error('unreachable')
      const first = await open(path)
      await writing.before?.(first.store)
      await first.store.close()
      const older = readFileSync(path)
      const second = await open(path)
      await writing.call(second.store)
      await second.store.close()
      expect(second.reported).toEqual([])
      writeFileSync(path, older)
      const back = await open(path)
      expect(back.reported).toMatchObject([{ isUnclean: false }])
      const lost = back.reported[0]?.lostCommits
      expect(lost).toBeGreaterThan(0)
      expect([back.store.isSetBack?.(), await back.store.lostCommits?.()]).toEqual([true, lost])
      await back.store.close()
      const again = await open(path)
      expect(again.reported).toEqual([])
      expect([again.store.isSetBack?.(), await again.store.lostCommits?.()]).toEqual([false, lost])
      await again.store.close()
    })

  it.each([
    { more: 'fewer', batches: 1 },
    { more: 'as many', batches: 3 },
    { more: 'more', batches: 9 },
  ])('is noticed when a backup of another store with $more commits is in its place', async ({ batches }) => {
    const [path, other] = [newPath(), newPath()]
    const own = await open(path)
    for (let n = 0; n < 3; n += 1) await own.store.log.append(sampleBatch(), [])
    await own.store.close()
    const commits = readMark(`${path}.mark`)?.commits
    const { store } = await open(other)
    for (let n = 0; n < batches; n += 1) await store.log.append(sampleBatch(), [])
    await store.backup?.(`${other}.backup`)
    await store.close()
    copyFileSync(`${other}.backup`, path)
    const back = await open(path)
    expect(back.reported).toMatchObject([{ isUnclean: false, lostCommits: commits }])
    await back.store.close()
    const again = await open(path)
    expect(again.reported).toEqual([])
    await again.store.close()
  })

  it('is noticed in a copy of the file alone that was made while it was written', async () => {
    const path = newPath()
    const { store } = await open(path)
    await store.log.append(sampleBatch(), [])
    const copy = readFileSync(path)
    await store.log.append(sampleBatch(), [])
    await store.close()
    const commits = readMark(`${path}.mark`)?.commits
    writeFileSync(path, copy)
    const back = await open(path)
    // All were in the write-ahead log.
    expect(back.reported).toMatchObject([{ lost: { from: 1, to: 2 }, lostCommits: commits }])
    await back.store.close()
  })

  it('is not reported for a store that has everything, nor for one whose mark an earlier release wrote', async () => {
    const path = newPath()
    const first = await open(path)
    await first.store.log.append(sampleBatch(), [])
    await first.store.close()
    const commits = readMark(`${path}.mark`)?.commits ?? 0
    expect(commits).toBeGreaterThan(0)
    const older = newPath()
    copyFileSync(path, older)
    const { store, reported } = await open(older)
    expect(reported).toEqual([])
    // Without a mark it counts on from what is in the file.
    await store.log.append(sampleBatch(), [])
    await store.close()
    expect(readMark(`${older}.mark`)?.commits).toBe(commits + 1)
  })

  it('counts no commit that changes nothing, and writes nothing for it', async () => {
    const path = newPath()
    const { store } = await open(path)
    await store.log.append(sampleBatch(), [])
    const commits = () => readMark(`${path}.mark`)?.commits
    const before = commits() ?? 0
    const written = statSync(`${path}-wal`).size
    await store.receipts.forget('w1', ['none'])
    expect([commits(), statSync(`${path}-wal`).size]).toEqual([before, written])
    await store.log.append(sampleBatch(), [])
    expect(commits()).toBe(before + 1)
    await store.close()
    const { store: next, reported } = await open(path)
    expect(reported).toEqual([])
    await next.close()
  })
})
