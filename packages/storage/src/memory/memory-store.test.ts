import { createManualClock, createSeededRandom } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { putReceipts } from '../suites/flow/describe-receipt-store.ts'
import { sampleReceipt } from '../suites/sample-records.ts'
import { createMemoryStore } from './memory-store.ts'

describe('memory store', () => {
  it('keeps the newest receipts only, a replaced one counting as new', async () => {
    const store = createMemoryStore({ clock: createManualClock(), random: createSeededRandom(1), receiptsMax: 3 })
    const receipt = (index: number) => sampleReceipt({ messageId: `m${index}` })
    await putReceipts(store, [receipt(0), receipt(1), receipt(2)])
    await putReceipts(store, [receipt(0), receipt(3), receipt(4)])
    const kept = await Promise.all([0, 1, 2, 3, 4].map((index) => store.receipts.find('w1', `m${index}`)))
    expect(kept.map(({ length }) => length)).toEqual([1, 0, 0, 1, 1])
  })
})
