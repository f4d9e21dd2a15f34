import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock as clock, systemRandom as random } from '@sluice/core'
import { afterAll, describe, expect, it } from 'vitest'
import { sampleBatch } from '../../suites/sample-records.ts'
import { openReadOnly } from '../read-only-database.ts'
import { openSqliteStore, type SqliteStoreOptions } from '../sqlite-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-check-'))
afterAll(() => rmSync(folder, { recursive: true }))

const open = (path: string, more: Partial<SqliteStoreOptions> = {}) =>
  openSqliteStore({ path, clock, random, synchronous: 'normal', thread: 'this', ...more })

/** Makes a store of a size, as a kill leaves it: with a mark that says it is in use. */
async function leftOpen(name: string, megabytes: number): Promise<string> {
  const path = join(folder, name)
  const store = await open(path)
  await store.log.register('w1', 'c1')
  const batch = sampleBatch({ events: [{ messageId: 'm', text: 'x'.repeat(128 * 1_024) }] })
  for (let n = 0; n < megabytes; n += 1) await Promise.all(Array.from({ length: 8 }, () => store.log.append(batch, [])))
  copyFileSync(`${path}.mark`, `${path}.left`)
  await store.close()
  return path
}

async function timed(work: () => unknown): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

describe('starting with a store that was not closed', () => {
  it('takes no longer for a large store: it is read while it is in use', { timeout: 60_000 }, async () => {
    const small = await leftOpen('small.db', 1)
    const large = await leftOpen('large.db', 100)
    expect(statSync(large).size).toBeGreaterThan(100 * 1_024 ** 2)
    const times: { readonly small: number; readonly large: number; readonly check: number }[] = []
    for (let round = 0; round < 5; round += 1) {
      const openTimes: number[] = []
      for (const path of [small, large]) {
        copyFileSync(`${path}.left`, `${path}.mark`)
        const opened: Awaited<ReturnType<typeof open>>[] = []
        openTimes.push(await timed(async () => opened.push(await open(path))))
        // Each open gives the file a new id.
        copyFileSync(`${path}.mark`, `${path}.left`)
        await opened[0]?.close()
      }
      const check = await timed(() => {
        const reader = openReadOnly(large, 0)
        reader.check()
        reader.close()
      })
      times.push({ small: openTimes[0] ?? 0, large: openTimes[1] ?? 0, check })
    }
    const isQuick = times.filter((each) => each.large < each.small + each.check / 2)
    expect(isQuick.length, JSON.stringify(times)).toBeGreaterThanOrEqual(3)
  })

  it('leaves the store usable: calls wait for one slice of the check at most', { timeout: 60_000 }, async () => {
    const path = await leftOpen('busy.db', 100)
    copyFileSync(`${path}.left`, `${path}.mark`)
    let result: string | undefined
    const store = await open(path, {
      onChecked: (damage) => {
        result = damage?.message ?? 'sound'
      },
    })
    const waits: number[] = []
    while (result === undefined) waits.push(await timed(() => store.log.append(sampleBatch(), [])))
    expect(result).toBe('sound')
    const sorted = waits.toSorted((a, b) => a - b)
    // A check in one go would let one of them wait for all of it.
    expect(sorted[Math.floor(sorted.length * 0.99)]).toBeLessThan(100)
    await store.close()
  })
})
