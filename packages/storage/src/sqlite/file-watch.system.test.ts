import { closeSync, mkdtempSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createManualClock, createSeededRandom, StoreFullError } from '@sluice/core'
import type { Store } from '@sluice/pipeline'
import { afterEach, describe, expect, it } from 'vitest'
import { commitWith } from '../suites/flow/describe-retry-store.ts'
import { sampleBatch, sampleDeadLetter } from '../suites/sample-records.ts'
import { openSqliteStore, type SqliteStoreOptions } from './sqlite-store.ts'

let folder: string
let running: Store | undefined
const errors: unknown[] = []
afterEach(async () => {
  await running?.close().catch(() => {})
  rmSync(folder, { recursive: true })
})

type Options = Partial<SqliteStoreOptions>

async function openFile(path: string, options: Options): Promise<Store> {
  const onError = (error: unknown): void => {
    errors.push(error)
  }
  running = await openSqliteStore({
    path,
    clock: createManualClock(),
    random: createSeededRandom(1),
    onError,
    ...options,
  })
  return running
}

async function open(options: Options) {
  folder = mkdtempSync(join(tmpdir(), 'sluice-file-watch-'))
  errors.length = 0
  const path = join(folder, 'sluice.db')
  const store = await openFile(path, options)
  await store.log.register('w1', 'c1')
  return { store, path }
}

const text = 'x'.repeat(50_000)
const large = sampleBatch({ events: [{ text }] })

/** Appends until the store refuses. @returns why. */
async function fill(store: Store): Promise<unknown> {
  for (let n = 0; n < 40; n += 1)
    try {
      await store.log.append(large, [])
    } catch (error) {
      return error
    }
  return undefined
}

for (const thread of ['own', 'this'] as const)
  describe(`a file in use, read by ${thread === 'own' ? 'a thread of its own' : 'this thread'}`, () => {
    it('that cannot be written is said to be so, until it can be written again', async () => {
      const { store } = await open({ thread, fileBytesMax: 1_000_000, reserveBytes: 0 })
      const letter = sampleDeadLetter({ error: { code: 'deliver.refused', message: text } })
      await commitWith(store, { deadLetters: [letter] })
      expect(store.isUnwritable?.()).toBe(false)
      expect(String(await fill(store))).toMatch(/StoreFullError: the disk of the store is full/)
      expect(store.isUnwritable?.()).toBe(true)
      expect(errors.map(String)).toEqual([expect.stringMatching(/sluice\.db cannot be written/)])
      await store.deadLetters.remove('w1', [letter.id])
      await expect.poll(() => store.isUnwritable?.()).toBe(false)
    })

    it('that is found damaged by a query is written no more', async () => {
      const { store, path } = await open({ thread })
      for (let n = 0; n < 20; n += 1) await store.log.append(large, [])
      await store.close()
      const opened = await openFile(path, { thread })
      const file = openSync(path, 'r+')
      const garbage = Buffer.alloc(4_096, 0xa5)
      for (let at = 2 * 4_096; at + 4_096 <= statSync(path).size; at += 4_096) writeSync(file, garbage, 0, 4_096, at)
      closeSync(file)
      await expect(opened.log.read('w1', 0, 100)).rejects.toThrow(/malformed|not a database/)
      expect(opened.isDamaged?.()).toBe(true)
      await expect(opened.log.append(large, [])).rejects.toThrow(StoreFullError)
      expect(String(errors.at(-1))).toMatch(/is damaged.+sluice salvage/)
    })

    it('that was deleted or replaced acknowledges nothing any more', async () => {
      const { store, path } = await open({ thread })
      await store.log.append(large, [])
      renameSync(path, `${path}.away`)
      await expect.poll(() => store.isLost?.()).toBe(true)
      await expect(store.log.append(large, [])).rejects.toThrow(/the file of the store is replaced/)
      expect(String(errors.at(-1))).toMatch(/was deleted or replaced while the store was in use: restart the process/)
    })
  })
