import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createManualClock, createSeededRandom, StoreFullError } from '@sluice/core'
import { afterAll, describe, expect, it } from 'vitest'
import { StoreVersionError } from '../store-errors.ts'
import { putReceipts } from '../suites/flow/describe-receipt-store.ts'
import { sampleBatch, sampleDeadLetter, sampleReceipt } from '../suites/sample-records.ts'
import { openSqliteDatabase } from './sqlite-database.ts'
import { openSqliteStore, type SqliteStoreOptions } from './sqlite-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-sqlite-'))
afterAll(() => rmSync(folder, { recursive: true }))
const open = (options: Partial<SqliteStoreOptions> = {}) =>
  openSqliteStore({ path: ':memory:', clock: createManualClock(), random: createSeededRandom(1), ...options })
/** More than twice what an empty store takes: half of it is for logs. */
const budgetBytes = 600_000
const large = sampleBatch({ events: [{ text: 'x'.repeat(100_000) }] })

describe('sqlite store', () => {
  it('refuses batches at its budget without storing them, but lets consumers make room', async () => {
    const { log, counters, close } = await open({ budgetBytes })
    await log.register('w1', 'c1')
    const append = () =>
      log.append(large, [{ ...sampleReceipt(), kind: 'accepted', reason: '', count: 1, destinationId: '' }])
    let appended = 0
    const untilFull = async () => {
      for (;;) {
        await append()
        appended += 1
      }
    }
    await expect(untilFull()).rejects.toThrow(StoreFullError)
    expect(appended).toBeGreaterThan(1)
    expect(await log.read('w1', 0, 100)).toHaveLength(appended)
    expect(await counters.read('w1')).toMatchObject([{ count: appended }])
    const position = await log.end('w1')
    await log.commit({ workspaceId: 'w1', consumer: 'c1', position, counts: [], receipts: [sampleReceipt()] })
    await log.trim('w1', { since: Number.MAX_SAFE_INTEGER, bytesMax: 0 })
    expect(await append()).toBeGreaterThan(position)
    await close()
  })

  it('deletes batches kept only for replays before it refuses any', async () => {
    const clock = createManualClock()
    const { log, close } = await open({ budgetBytes: 2_000_000, clock })
    await log.register('w1', 'c1')
    for (let n = 0; n < 100; n += 1) {
      clock.advance(2_000)
      const position = await log.append(large, [])
      await log.commit({ workspaceId: 'w1', consumer: 'c1', position, counts: [], receipts: [] })
    }
    const kept = await log.read('w1', 0, 1_000)
    expect(kept.length).toBeGreaterThan(5)
    expect(kept.length).toBeLessThan(20)
    await close()
  })

  it('reserves a part of its budget for each workspace, and refuses only the one that fills the rest', async () => {
    const { log, close } = await open({ budgetBytes: 4_000_000 })
    for (const workspaceId of ['a', 'b']) await log.register(workspaceId, 'c1')
    const appendAs = (workspaceId: string) => log.append({ ...large, workspaceId }, []).then(() => true, isFull)
    const isFull = (error: unknown) => {
      expect(error).toBeInstanceOf(StoreFullError)
      return false
    }
    const untilFull = async (workspaceId: string): Promise<number> => {
      let appended = 0
      while (await appendAs(workspaceId)) appended += 1
      return appended
    }
    expect(await untilFull('a')).toBeGreaterThan(20)
    await expect(log.requireRoom('a')).rejects.toThrow('workspace a has used its share')
    await log.requireRoom('b')
    const { bytes, budget } = await log.usage('a')
    expect(bytes).toBeLessThanOrEqual(0.8 * (budget?.bytes ?? 0))
    const reserved = budget?.reserved ?? 0
    expect(reserved).toBeGreaterThan(800_000)
    expect(await untilFull('b')).toBeGreaterThanOrEqual(Math.floor(reserved / 100_000) - 1)
    await close()
  })

  it('trims workspaces that keep the most for replays, and none below its part', async () => {
    const clock = createManualClock()
    const { log, close } = await open({ budgetBytes: 4_000_000, clock })
    for (const workspaceId of ['a', 'b']) await log.register(workspaceId, 'c1')
    const pass = async (workspaceId: string): Promise<void> => {
      clock.advance(2_500)
      const position = await log.append({ ...large, workspaceId }, [])
      await log.commit({ workspaceId, consumer: 'c1', position, counts: [], receipts: [] })
    }
    for (let n = 0; n < 7; n += 1) await pass('b')
    for (let n = 0; n < 100; n += 1) await pass('a')
    expect(await log.read('b', 0, 100)).toHaveLength(7)
    expect((await log.read('a', 0, 100)).length).toBeLessThan(32)
    await close()
  })

  it('refuses batches before the disk itself is full', async () => {
    const { log, close } = await open({ path: join(folder, 'reserve.db'), reserveBytes: 2 ** 52 })
    await expect(log.append(large, [])).rejects.toThrow(StoreFullError)
    await expect(log.requireRoom('w1')).rejects.toThrow('free on the disk')
    await close()
  })

  it('refuses batches when many wait, while consumers still read and commit accepted ones', async () => {
    const { log, close } = await open({ path: join(folder, 'queue.db') })
    await log.register('w1', 'c1')
    const position = await log.append(sampleBatch(), [])
    const more = Promise.allSettled(Array.from({ length: 3_000 }, () => log.append(sampleBatch(), [])))
    const isRefused = expect(log.requireRoom('w1')).rejects.toThrow(StoreFullError)
    await log.commit({ workspaceId: 'w1', consumer: 'c1', position, counts: [], receipts: [] })
    expect(await log.read('w1', position, 1)).toHaveLength(1)
    await isRefused
    const refused = (await more).filter(({ status }) => status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.length).toBeLessThan(3_000)
    await close()
  })

  it('refuses batches of the workspace with many waiting, and none of another', async () => {
    const { log, close } = await open({ path: join(folder, 'turns.db') })
    for (const workspaceId of ['a', 'b']) await log.append(sampleBatch({ workspaceId }), [])
    const flood = Promise.allSettled(
      Array.from({ length: 3_000 }, () => log.append(sampleBatch({ workspaceId: 'a' }), [])),
    )
    const others = await Promise.allSettled(
      Array.from({ length: 150 }, () => log.append(sampleBatch({ workspaceId: 'b' }), [])),
    )
    expect(others.filter(({ status }) => status === 'rejected')).toEqual([])
    expect((await flood).filter(({ status }) => status === 'rejected').length).toBeGreaterThan(1_000)
    await close()
  })

  it('reports room for a batch exactly while it accepts one', async () => {
    const { log, close } = await open({ budgetBytes })
    const hasRoom = () => log.requireRoom('w1').then(() => true, isFull)
    const takesOne = () => log.append(large, []).then(() => true, isFull)
    const isFull = (error: unknown) => {
      expect(error).toBeInstanceOf(StoreFullError)
      return false
    }
    const answers: boolean[] = []
    while (answers.at(-1) !== false) {
      const expected = await hasRoom()
      answers.push(await takesOne())
      expect(answers.at(-1)).toBe(expected)
    }
    expect(answers.length).toBeGreaterThan(2)
    await close()
  })

  it('keeps the newest receipts only, a replaced one counting as new', async () => {
    const store = await open({ receiptsMax: 100 })
    const receipt = (index: number) => sampleReceipt({ messageId: `m${index}` })
    const isKept = async (index: number) => (await store.receipts.find('w1', `m${index}`)).length === 1
    await putReceipts(
      store,
      Array.from({ length: 100 }, (_, index) => receipt(index)),
    )
    await putReceipts(store, [receipt(0)])
    expect(await isKept(1)).toBe(true)
    await putReceipts(
      store,
      Array.from({ length: 10 }, (_, index) => receipt(100 + index)),
    )
    expect([await isKept(0), await isKept(1), await isKept(10), await isKept(11)]).toEqual([true, false, false, true])
    await store.close()
  })

  it('reads the same again whatever the size of its caches', async () => {
    for (const recentBytesMax of [0, 1, 1_001]) {
      const { log, close } = await open({ recentBytesMax })
      const position = await log.append(sampleBatch(), [])
      const [first] = await log.read('w1', position - 1, 1)
      expect(first).toMatchObject({ position, events: sampleBatch().events })
      expect(await log.read('w1', position - 1, 1)).toEqual([first])
      await close()
    }
  })

  it('keeps the newest audit entries only', async () => {
    const { audit, close } = await open({ auditEntriesMax: 40 })
    for (let at = 0; at < 50; at += 1)
      await audit.add({ workspaceId: 'w1', token: 't', user: '', method: 'POST', path: '/', status: 200, at })
    const kept = (await audit.list('w1', 100)).map((entry) => entry.at)
    expect([kept.at(0), kept.at(-1)]).toEqual([49, 10])
    await close()
  })

  it('reports what a listener throws', async () => {
    const reported: unknown[] = []
    const { log, close } = await open({ onError: (error) => reported.push(error) })
    const failure = new Error('a listener of a test')
    log.watch('w1', () => {
      throw failure
    })
    await log.append(sampleBatch(), [])
    await expect.poll(() => reported).toEqual([failure])
    await close()
  })

  it('refuses to start when not even its mark can be written, and says that the disk is full', async () => {
    const path = join(folder, 'no-room.db')
    // Accepts no byte, like a full disk.
    symlinkSync('/dev/full', `${path}.mark`)
    const refused = open({ path, thread: 'this' })
    await expect(refused).rejects.toThrow(StoreFullError)
    await expect(refused).rejects.toThrow(`the disk of ${folder} is full`)
  })

  it('refuses a file of a newer release, and closes it', async () => {
    const path = join(folder, 'newer', 'sluice.db')
    const database = openSqliteDatabase({ path, synchronous: 'normal' })
    await database.dialect.writeVersion(database.db, 1_000)
    database.close()
    await expect(open({ path })).rejects.toThrow(StoreVersionError)
    openSqliteDatabase({ path, synchronous: 'normal', busyTimeoutMs: 0 }).close()
  })
})

describe('sqlite store, in a thread of its own', () => {
  it('refuses only the call whose arguments cannot be cloned', async () => {
    const { log, close } = await open({ path: join(folder, 'thread.db') })
    await log.register('w1', 'c1')
    const position = await log.append(sampleBatch(), [])
    const progress = { workspaceId: 'w1', consumer: 'c1', position, counts: [], receipts: [] }
    const receipt = { ...sampleReceipt(), reason: (() => 'code') as unknown as string }
    const together = [
      log.append(sampleBatch(), []),
      log.commit({ ...progress, receipts: [receipt] }),
      log.append(sampleBatch(), []),
    ]
    const outcomes = await Promise.allSettled(together)
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await log.read('w1', position, 9)).toHaveLength(2)
    await close()
  })
})

describe('sqlite store, after deletions', () => {
  it('leaves no trimmed or forgotten event in its files once it is wiped', async () => {
    const path = join(folder, 'wiped.db')
    const { log, deadLetters, wipe, close } = await open({ path })
    await log.register('w1', 'c1')
    const bytes = () => [path, `${path}-wal`].map((file) => readFileSync(file).toString('latin1')).join()
    const append = (userId: string, n: number) =>
      log.append(
        sampleBatch({ events: [{ userId, canary: `canary-${userId}`, text: 'x'.repeat((n * 977) % 9_000) }] }),
        [],
      )
    for (let n = 0; n < 100; n += 1) await append(n % 3 === 0 ? 'trimmed' : 'stays', n)
    const position = await log.end('w1')
    const failed = Array.from({ length: 100 }, (_, n) =>
      sampleDeadLetter({
        id: `letter-${n}`,
        source: {
          ...sampleDeadLetter().source,
          event: { userId: n % 2 ? 'gone' : 'stays', canary: `canary-${n % 2 ? 'gone' : 'stays'}` },
        },
      }),
    )
    await log.commit({ workspaceId: 'w1', consumer: 'c1', position, counts: [], receipts: [], deadLetters: failed })
    await log.trim('w1', { since: Number.MAX_SAFE_INTEGER, bytesMax: 0 })
    for (let n = 0; n < 100; n += 1) await append(n % 3 === 0 ? 'gone' : 'stays', n)
    expect(bytes()).toContain('canary-gone')
    await log.forgetUsers('w1', ['gone'])
    await deadLetters.forgetUsers('w1', ['gone'])
    await wipe()
    expect(bytes()).not.toMatch(/canary-(?:gone|trimmed)/)
    expect(bytes()).toContain('canary-stays')
    await close()
  })
})
