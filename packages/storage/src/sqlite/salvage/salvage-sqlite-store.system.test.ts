import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createManualClock, createSeededRandom } from '@sluice/core'
import { createSuppressionIndex } from '@sluice/regulation'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { StoreDamagedError, StoreInUseError, StoreUnusableError } from '../../store-errors.ts'
import { sampleBatch, sampleDeadLetter, sampleReceipt, sampleRegulation } from '../../suites/sample-records.ts'
import { openDriver } from '../driver/open-driver.ts'
import { openSqliteStore } from '../sqlite-store.ts'
import { salvageSqliteStore } from './salvage-sqlite-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-salvage-'))
afterAll(() => rmSync(folder, { recursive: true }))
const clock = createManualClock()
const open = (path: string) =>
  openSqliteStore({ path, clock, random: createSeededRandom(1), thread: 'this', synchronous: 'normal' })
const batches = 400
const users = 300
const whole = join(folder, 'whole.db')

beforeAll(async () => {
  const { log, regulations, close } = await open(whole)
  await log.register('w1', 'c1')
  const appended = Array.from({ length: batches }, (_, n) =>
    // Every tenth row needs overflow pages.
    log.append(sampleBatch({ events: [{ messageId: `m${n + 1}`, text: 'x'.repeat(n % 10 ? 500 : 9_000) }] }), []),
  )
  await Promise.all(appended)
  const deadLetters = Array.from({ length: users }, (_, n) => sampleDeadLetter({ id: `letter-${n}` }))
  const receipts = Array.from({ length: users }, (_, n) => sampleReceipt({ messageId: `m${n}` }))
  await log.commit({ workspaceId: 'w1', consumer: 'c1', position: 3, counts: [], receipts, deadLetters })
  for (let n = 0; n < users; n += 1)
    await regulations.add([sampleRegulation({ id: `r${n}`, attributes: { userId: `u${n}` } })])
  await close()
})

let copies = 0
/** Returns a copy of the store with destroyed pages, and the path for the salvaged store. */
function damaged(pages: readonly number[]) {
  copies += 1
  const path = join(folder, `damaged-${copies}.db`)
  const bytes = readFileSync(whole)
  for (const page of pages) bytes.fill(0xa5, (page - 1) * 4_096, page * 4_096)
  writeFileSync(path, bytes)
  copyFileSync(`${whole}.mark`, `${path}.mark`)
  return { path, to: join(folder, `saved-${copies}.db`), bytes }
}

/** Returns every row of every table, by table and row id. */
function rowsOf(path: string): ReadonlyMap<string, unknown> {
  const driver = openDriver(path, { timeout: 0, readonly: true })
  const all = (sql: string) => driver.prepare(sql).all() as readonly Readonly<Record<string, unknown>>[]
  const rows = all(`select name from sqlite_master where type = 'table'`).flatMap(({ name }) =>
    all(`select rowid as "row id", * from ${name}`)
      // sqlite_sequence has no defined order.
      .map(({ 'row id': id, ...row }): [string, unknown] => [
        `${name} ${'seq' in row && 'name' in row ? row['name'] : id}`,
        row,
      ]),
  )
  driver.close()
  return new Map(rows)
}

describe('salvage', () => {
  it('copies an undamaged store completely, and writes nothing to it', async () => {
    const { path, to, bytes } = damaged([])
    const report = await salvageSqliteStore(path, to, 0)
    expect(report).toMatchObject({ lostBatches: [], isComplete: true })
    expect(rowsOf(to)).toEqual(rowsOf(whole))
    expect(readFileSync(path)).toEqual(bytes)
    expect(statSync(to).mode & 0o777).toBe(0o600)
    const left = readdirSync(folder).filter(
      (name) => /(?:damaged|saved)-1\.db/.test(name) && !/-(?:shm|wal)$/.test(name),
    )
    expect(left.sort()).toEqual(['damaged-1.db', 'damaged-1.db.mark', 'saved-1.db'])
  })

  it('saves everything around destroyed pages unchanged, whichever they are, and reports what is lost', async () => {
    const before = rowsOf(whole)
    const random = createSeededRandom(7)
    const pageCount = statSync(whole).size / 4_096
    const page = () => 2 + (new DataView(random.fill(new Uint8Array(4)).buffer).getUint32(0) % (pageCount - 1))
    let readable = 0
    for (let round = 0; round < 12; round += 1) {
      const { path, to } = damaged([page(), page(), page()])
      const saving = salvageSqliteStore(path, to, 0)
      // With the list of tables destroyed, nothing can be found.
      const report = await saving.catch((error) => {
        expect(error).toBeInstanceOf(StoreDamagedError)
        expect(existsSync(to)).toBe(false)
      })
      if (report === undefined) continue
      readable += 1
      const saved = rowsOf(to)
      for (const [key, row] of saved)
        if (
          !/^(?:sqlite_|lost_batches|log_cursor|ledger_mark|regulation_change|suppression_|dead_letter_us|deferred_event_user)/.test(
            key,
          )
        )
          expect(row, key).toEqual(before.get(key))
      for (const { table, copied, unreadable } of report.tables) {
        if (
          /^(?:lost_batches|log_cursor|ledger_mark|regulation_change|suppression_|dead_letter_us|deferred_event_user)/.test(
            table,
          )
        )
          continue
        const had = [...before.keys()].filter((key) => key.startsWith(`${table} `)).length
        expect(copied + unreadable, table).toBeGreaterThanOrEqual(had)
        expect(
          [...saved.keys()].filter((key) => key.startsWith(`${table} `)),
          table,
        ).toHaveLength(copied)
      }
      const ofUsers = [...saved].flatMap(([key, row]) => (key.startsWith('dead_letter_user ') ? [row] : []))
      const owned = new Set(ofUsers.map((row) => (row as { readonly event_id: string }).event_id))
      for (const [key, row] of saved)
        if (key.startsWith('dead_letter ')) expect(owned, key).toContain((row as { readonly id: string }).id)
      const isLost = (position: number) => report.lostBatches.some(({ from, to }) => from <= position && position <= to)
      for (let position = 1; position <= batches; position += 1)
        expect(saved.has(`log_batch ${position}`), `batch ${position}`).toBe(!isLost(position))
    }
    expect(readable).toBeGreaterThan(6)
  })

  it('reads a file that was cut, up to the cut', async () => {
    const { path, to, bytes } = damaged([])
    writeFileSync(path, bytes.subarray(0, bytes.length - 2 * 4_096))
    const report = await salvageSqliteStore(path, to, 0)
    const copied = new Map(report.tables.map((each) => [each.table, each.copied]))
    expect(copied.get('regulation')).toBeGreaterThan(users * 0.9)
    expect(copied.get('log_batch')).toBeGreaterThan(batches * 0.9)
    expect(statSync(path).size).toBe(bytes.length - 2 * 4_096)
  })

  it('creates a usable store, in which the positions of lost batches are not used again', async () => {
    const at = readFileSync(whole).indexOf(`"messageId":"m${batches - 1}"`)
    const { path, to } = damaged([Math.floor(at / 4_096) + 1])
    const report = await salvageSqliteStore(path, to, 5)
    expect(report.isComplete).toBe(false)
    const { log, lostBatches, close } = await open(to)
    expect(await lostBatches()).toEqual(report.lostBatches.map((range) => ({ ...range, noticedAt: 5 })))
    expect(await log.append(sampleBatch(), [])).toBe(batches + 1)
    await close()
  })

  it('restarts a consumer whose cursor cannot be read at the first batch left, and reports it', async () => {
    const source = join(folder, 'cursors.db')
    copyFileSync(whole, source)
    const store = await open(source)
    await store.log.append(sampleBatch({ workspaceId: 'w2', destinationIds: ['d2', 'd3'] }), [])
    for (const consumer of ['destination/d2', 'destination/gone']) await store.log.register('w2', consumer)
    await store.close()
    const driver = openDriver(source, { timeout: 0 })
    const root = driver.prepare(`select rootpage from sqlite_master where name = 'log_cursor'`).pluck().get()
    driver.close()
    const bytes = readFileSync(source)
    bytes.fill(0xa5, (Number(root) - 1) * 4_096, Number(root) * 4_096)
    writeFileSync(source, bytes)
    const to = join(folder, 'cursors-saved.db')
    const { restartedConsumers, isComplete } = await salvageSqliteStore(source, to, 0)
    expect(isComplete).toBe(false)
    expect(
      restartedConsumers.filter(({ workspaceId }) => workspaceId === 'w2').map(({ consumer }) => consumer),
    ).toEqual(['destination/d2', 'destination/d3', 'observe'])
    const { log, close } = await open(to)
    for (const consumer of ['destination/d2', 'observe']) {
      const cursor = await log.register('w2', consumer)
      expect(await log.read('w2', cursor, 10)).toHaveLength(1)
    }
    // A new consumer still starts at the end.
    expect(await log.register('w2', 'destination/new')).toBe(batches + 1)
    await close()
  })

  it('still knows the suppressed users when the suppression index is destroyed', async () => {
    const source = join(folder, 'indexed.db')
    copyFileSync(whole, source)
    const store = await open(source)
    const index = createSuppressionIndex({ store: store.regulations, clock, random: createSeededRandom(1) })
    await index.catchUp()
    await index.close()
    await store.close()
    const driver = openDriver(source, { timeout: 0 })
    driver.exec(
      `delete from regulation_change; update suppression_state set settled = 300; delete from suppression_segment`,
    )
    const root = driver.prepare(`select rootpage from sqlite_master where name = 'suppression_segment'`).pluck().get()
    driver.close()
    const bytes = readFileSync(source)
    bytes.fill(0xa5, (Number(root) - 1) * 4_096, Number(root) * 4_096)
    writeFileSync(source, bytes)
    const to = join(folder, 'indexed-saved.db')
    await salvageSqliteStore(source, to, 0)
    const saved = await open(to)
    const again = createSuppressionIndex({ store: saved.regulations, clock, random: createSeededRandom(1) })
    await again.catchUp()
    expect(again.size).toBe(users)
    await again.close()
    await saved.close()
  })

  it('overwrites nothing beside the new file, which may be the damaged store itself', async () => {
    for (const suffix of ['damaged', 'partial']) {
      const { path, to, bytes } = damaged([])
      const aside = `${to}.${suffix}`
      renameSync(path, aside)
      const { tables } = await salvageSqliteStore(aside, to, 0)
      expect(tables.find(({ table }) => table === 'log_batch')?.copied).toBe(batches)
      expect(readFileSync(aside).equals(bytes)).toBe(true)
    }
  })

  it('refuses a new file that exists, a missing file, an unreadable one, and one in use', async () => {
    const { path, to } = damaged([])
    writeFileSync(to, 'something')
    await expect(salvageSqliteStore(path, to, 0)).rejects.toThrow(StoreUnusableError)
    expect(readFileSync(to, 'utf8')).toBe('something')
    await expect(salvageSqliteStore(join(folder, 'none.db'), `${to}.new`, 0)).rejects.toThrow(StoreUnusableError)
    writeFileSync(join(folder, 'text.db'), 'a text '.repeat(2_000))
    await expect(salvageSqliteStore(join(folder, 'text.db'), `${to}.new`, 0)).rejects.toThrow(StoreDamagedError)
    const other = openDriver(join(folder, 'other.db'), { timeout: 0 })
    other.exec('create table something (id integer)')
    other.close()
    await expect(salvageSqliteStore(join(folder, 'other.db'), `${to}.new`, 0)).rejects.toThrow(StoreUnusableError)
    const store = await open(path)
    await expect(salvageSqliteStore(path, `${to}.new`, 0)).rejects.toThrow(StoreInUseError)
    await store.close()
    expect(existsSync(`${to}.new`)).toBe(false)
  })
})
