import type { EventReceipt } from '@sluice/pipeline'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openSqliteDatabase } from '../../../sqlite/sqlite-database.ts'
import { sampleReceipt } from '../../../suites/sample-records.ts'
import { migrate } from '../../migrate.ts'
import { openSession } from '../../open-session.ts'
import { receiptRows } from './receipt-rows.ts'
import { createSqlReceiptStore } from './sql-receipt-store.ts'

async function opened(receiptsMax: number) {
  const database = openSqliteDatabase({ path: ':memory:', synchronous: 'normal' })
  await migrate(database)
  const session = openSession(database)
  const store = createSqlReceiptStore(session, receiptsMax)
  const put = (receipts: readonly EventReceipt[]) =>
    session.write({ apply: (db) => store.put(db, receiptRows(receipts)) })
  const rows = async () => (await database.db.selectFrom('receipt_batch').selectAll().execute()).length
  return { ...store, put, rows, close: session.close }
}

const message = (n: number, destinationId = 'd') => sampleReceipt({ messageId: `m${n}`, destinationId, at: n })

describe('the receipts of a SQL store', () => {
  it('are those written last, however they were grouped', async () => {
    const writes = fc.array(fc.array(fc.tuple(fc.nat(40), fc.constantFrom('d', 'e')), { maxLength: 8 }), {
      maxLength: 40,
    })
    await fc.assert(
      fc.asyncProperty(writes, async (groups) => {
        const { put, find, count, close } = await opened(30)
        const written: EventReceipt[] = []
        for (const group of groups) {
          const receipts = group.map(([n, destinationId], i) => ({
            ...message(n, destinationId),
            at: written.length + i,
          }))
          written.push(...receipts)
          await put(receipts)
        }
        expect(await count('w1')).toBeGreaterThanOrEqual(Math.min(30, written.length))
        expect(await count('w1')).toBeLessThanOrEqual(32 + 8)
        const kept = written.slice(-(await count('w1')))
        for (let n = 0; n <= 40; n += 1) {
          const expected = ['d', 'e'].flatMap(
            (id) =>
              kept.findLast(({ messageId, destinationId }) => messageId === `m${n}` && destinationId === id) ?? [],
          )
          expect(await find('w1', `m${n}`)).toEqual(expected)
        }
        await close()
      }),
      { numRuns: 40 },
    )
  })

  it('take few rows, although each was written by itself', async () => {
    const { put, rows, find, count, close } = await opened(2_000)
    for (let n = 0; n < 2_500; n += 1) await put([message(n)])
    expect(await rows()).toBeLessThan(2_000 / 250 + 100 + 10)
    expect(await count('w1')).toBeGreaterThanOrEqual(2_000)
    expect(await find('w1', 'm2499')).toHaveLength(1)
    expect(await find('w1', 'm0')).toEqual([])
    await close()
  })
})
