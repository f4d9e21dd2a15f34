import type { EventReceipt, Store } from '@sluice/pipeline'
import { describe, expect, it } from 'vitest'
import { type OpenStore, openStores, type SuiteOptions } from '../open-stores.ts'
import { sampleReceipt } from '../sample-records.ts'

/** The promises of the `ReceiptStore` port. */
export function describeReceiptStore(name: string, open: OpenStore, { reopen }: SuiteOptions = {}): void {
  describe(`receipt store: ${name}`, () => {
    const openStore = openStores(open)
    const reopenStore = openStores(reopen ?? open)

    it('finds nothing for an id never seen', async () => {
      const { receipts } = await openStore()
      expect(await receipts.find('w1', 'm1')).toEqual([])
    })

    it('finds the receipts of one event in order of destination', async () => {
      const store = await openStore()
      const destinationIds = ['B', 'a', '\uffee', '😀']
      const receipts = destinationIds.map((destinationId) => sampleReceipt({ destinationId }))
      await putReceipts(store, [...receipts.toReversed(), sampleReceipt({ messageId: 'm2' })])
      expect(await store.receipts.find('w1', 'm1')).toEqual(receipts)
    })

    it('returns every member, and no member that was absent', async () => {
      const store = await openStore()
      const failed = sampleReceipt({
        destinationId: 'd2',
        outcome: 'failed',
        stage: 'user-transform',
        reason: 'Error: "ä😀"\n\u0000',
        code: 'transform.threw',
        tries: [
          { at: 1, status: 503, tookMs: 2 },
          { at: 3, code: 'ECONNREFUSED', tookMs: 4 },
        ],
        versionId: 'v1',
        outputs: 0,
        receivedAt: 1_767_225_599_000,
      })
      await putReceipts(store, [failed, sampleReceipt()])
      expect(await store.receipts.find('w1', 'm1')).toEqual([sampleReceipt(), failed])
    })

    it('accepts a reason with a lone surrogate', async () => {
      const store = await openStore()
      await putReceipts(store, [sampleReceipt({ outcome: 'failed', reason: 'no \ud83d' })])
      expect(await store.receipts.find('w1', 'm1')).toMatchObject([{ reason: 'no \ufffd' }])
    })

    it('replaces the receipt of an event that reached a destination again', async () => {
      const store = await openStore()
      const failed = sampleReceipt({ outcome: 'failed', reason: 'refused', code: 'deliver.refused', outputs: 0 })
      await putReceipts(store, [failed])
      await putReceipts(store, [sampleReceipt({ destinationId: 'd2' }), failed, sampleReceipt({ at: 5 })])
      expect(await store.receipts.find('w1', 'm1')).toEqual([
        sampleReceipt({ at: 5 }),
        sampleReceipt({ destinationId: 'd2' }),
      ])
    })

    it('shows a workspace nothing of another', async () => {
      const store = await openStore()
      await putReceipts(store, [sampleReceipt()])
      expect(await store.receipts.find('w2', 'm1')).toEqual([])
    })

    it('forgets those that mention a user in their reason or message id, and no others', async () => {
      const store = await openStore()
      const failed = (messageId: string, reason: string) => sampleReceipt({ messageId, reason, outcome: 'failed' })
      const theirs = [failed('m1', 'no such user: Ana@X.test'), sampleReceipt({ messageId: 'user-42/7' })]
      const others = [failed('m3', 'no such user: bob@x.test'), sampleReceipt({ messageId: 'm4' })]
      await putReceipts(store, [...theirs, ...others])
      await putReceipts(store, [failed('m5', 'ana@x.test')])
      const ids = ['user-42', 'ana@x.test']
      expect([await store.receipts.mentioning('w1', ids), await store.receipts.mentioning('w2', ids)]).toEqual([3, 0])
      await store.receipts.forget('w2', ids)
      await store.receipts.forget('w1', ids)
      expect([await store.receipts.mentioning('w1', ids), await store.receipts.count('w1')]).toEqual([0, 2])
      for (const { messageId } of theirs) expect(await store.receipts.find('w1', messageId)).toEqual([])
      for (const other of others) expect(await store.receipts.find('w1', other.messageId)).toEqual([other])
    })

    if (reopen)
      it('has what was acknowledged after close and reopen', async () => {
        const store = await openStore()
        await putReceipts(store, [sampleReceipt()])
        await store.close()
        expect(await (await reopenStore()).receipts.find('w1', 'm1')).toEqual([sampleReceipt()])
      })
  })
}

/** Stores receipts with the progress of a consumer, the only way there is. */
export async function putReceipts({ log }: Store, receipts: readonly EventReceipt[]): Promise<void> {
  await log.register('w1', 'receipts')
  const batch = { workspaceId: 'w1', sourceId: 's1', writeKey: 'k1', receivedAt: 0, destinationIds: [], events: [{}] }
  const position = await log.append(batch, [])
  await log.commit({ workspaceId: 'w1', consumer: 'receipts', position, counts: [], receipts })
}
