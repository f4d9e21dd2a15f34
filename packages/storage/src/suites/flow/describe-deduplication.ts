import type { NewLogBatch, Store } from '@sluice/pipeline'
import { describe, expect, it } from 'vitest'
import { type OpenStore, openStores, type SuiteOptions } from '../open-stores.ts'
import { sampleBatch, sampleCount } from '../sample-records.ts'

/** The promises of `EventLog.appendNew`. */
export function describeDeduplication(name: string, open: OpenStore, { reopen }: SuiteOptions = {}): void {
  describe(`deduplication: ${name}`, () => {
    const openStore = openStores(open)
    const reopenStore = openStores(reopen ?? open)

    const minute = 60_000
    const window = { windowMs: 10 * minute, idsMax: 1_000 }
    const of = (messageIds: readonly string[], more: Partial<NewLogBatch> = {}): NewLogBatch =>
      sampleBatch({ events: messageIds.map((messageId) => ({ type: 'page', messageId })), ...more })
    const append = ({ log }: Store, messageIds: readonly string[], more: Partial<NewLogBatch> = {}, options = window) =>
      log.appendNew(of(messageIds, more), [], options)
    const kept = async ({ log }: Store, workspaceId = 'w1'): Promise<unknown[]> =>
      (await log.read(workspaceId, 0, 1_000)).flatMap(({ events }) => events.map(({ messageId }) => messageId))

    it('appends new events, leaves out those accepted before, and returns which', async () => {
      const store = await openStore()
      expect(await append(store, ['a', 'b'])).toEqual({ position: expect.any(Number), duplicates: [] })
      expect(await append(store, ['b', 'c', 'a', 'd'])).toEqual({ position: expect.any(Number), duplicates: [0, 2] })
      expect(await append(store, ['a', 'd'])).toEqual({ position: undefined, duplicates: [0, 1] })
      expect(await append(store, ['e', 'e', 'f', 'e'])).toEqual({ position: expect.any(Number), duplicates: [1, 3] })
      expect(await kept(store)).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
    })

    it('subtracts duplicates from all accepted counts, and counts them', async () => {
      const store = await openStore()
      const counts = (count: number) => [
        sampleCount({ kind: 'received', count: count + 1 }),
        sampleCount({ kind: 'rejected', reason: 'r', count: 1 }),
        sampleCount({ kind: 'accepted', count }),
        sampleCount({ kind: 'accepted', destinationId: 'd1', count }),
      ]
      await store.log.appendNew(of(['a', 'b']), counts(2), window)
      await store.log.appendNew(of(['b', 'c', 'd']), counts(3), window)
      await store.log.appendNew(of(['a', 'b']), counts(2), window)
      expect(await store.counters.read('w1')).toEqual([
        sampleCount({ kind: 'accepted', count: 4 }),
        sampleCount({ kind: 'duplicate', count: 3 }),
        sampleCount({ kind: 'received', count: 10 }),
        sampleCount({ kind: 'rejected', reason: 'r', count: 3 }),
        sampleCount({ kind: 'accepted', destinationId: 'd1', count: 4 }),
      ])
    })

    it('works after the clock was far ahead and set back, and tolerates a step within the window', async () => {
      const store = await openStore()
      const year = 365 * 24 * 60 * minute
      await append(store, ['a'], { receivedAt: year })
      expect((await append(store, ['a'], { receivedAt: year - 9 * minute })).duplicates).toEqual([0])
      expect((await append(store, ['a', 'b'], { receivedAt: 0 })).duplicates).toEqual([])
      expect((await append(store, ['a', 'b'], { receivedAt: minute })).duplicates).toEqual([0, 1])
    })

    it('treats the same id from another source or workspace as another message', async () => {
      const store = await openStore()
      await append(store, ['a'])
      expect((await append(store, ['a'], { sourceId: 's2' })).duplicates).toEqual([])
      expect((await append(store, ['a'], { workspaceId: 'w2' })).duplicates).toEqual([])
      expect((await append(store, ['a'], { sourceId: 's2' })).duplicates).toEqual([0])
    })

    it('accepts each message once among concurrent calls', async () => {
      const store = await openStore()
      const answers = await Promise.all(Array.from({ length: 30 }, () => append(store, ['a', 'b'])))
      expect(answers.filter(({ position }) => position !== undefined)).toHaveLength(1)
      expect(await kept(store)).toEqual(['a', 'b'])
    })

    it('forgets a message when the window has passed since it was accepted, not since its last repetition', async () => {
      const store = await openStore()
      const at = (receivedAt: number) => append(store, ['a'], { receivedAt })
      expect((await at(0)).duplicates).toEqual([])
      expect((await at(10 * minute - 1)).duplicates).toEqual([0])
      expect((await at(10 * minute)).duplicates).toEqual([])
      expect((await at(10 * minute + 1)).duplicates).toEqual([0])
    })

    it('remembers only the newest, up to its limit', async () => {
      const store = await openStore()
      const few = { ...window, idsMax: 3 }
      for (const id of ['a', 'b', 'c', 'd']) await append(store, [id], {}, few)
      expect((await append(store, ['d', 'c', 'b'], {}, few)).duplicates).toEqual([0, 1, 2])
      expect((await append(store, ['a'], {}, few)).duplicates).toEqual([])
    })

    it('forgets nothing because messages are repeated', async () => {
      const store = await openStore()
      const few = { ...window, idsMax: 6 }
      await append(store, ['a', 'b', 'c'], {}, few)
      for (let n = 0; n < 10; n += 1) await append(store, ['a', 'b', 'c'], {}, few)
      await append(store, ['d'], {}, few)
      expect((await append(store, ['a', 'b', 'c', 'd'], {}, few)).duplicates).toEqual([0, 1, 2, 3])
    })

    if (reopen)
      it('still knows what was accepted after close and reopen', async () => {
        const store = await openStore()
        await append(store, ['a'])
        await store.close()
        expect((await append(await reopenStore(), ['a', 'b'])).duplicates).toEqual([0])
      })
  })
}
