import { describe, expect, it } from 'vitest'
import { type OpenStore, openStores, type SuiteOptions } from '../open-stores.ts'
import { sampleCount } from '../sample-records.ts'

/** The promises of the `CounterStore` port. */
export function describeCounterStore(name: string, open: OpenStore, { reopen }: SuiteOptions = {}): void {
  describe(`counter store: ${name}`, () => {
    const openStore = openStores(open)
    const reopenStore = openStores(reopen ?? open)

    it('has no counters at first', async () => {
      const { counters } = await openStore()
      expect(await counters.read('w1')).toEqual([])
      await counters.add([])
      expect(await counters.read('w1')).toEqual([])
    })

    it('sums counts of one counter, within a call and over calls', async () => {
      const { counters } = await openStore()
      await counters.add([sampleCount({ count: 2 }), sampleCount({ count: 3 })])
      await counters.add([sampleCount({ count: 5 })])
      expect(await counters.read('w1')).toEqual([sampleCount({ count: 10 })])
    })

    it('loses no count of concurrent calls', async () => {
      const { counters } = await openStore()
      await Promise.all(
        Array.from({ length: 200 }, () => counters.add([sampleCount(), sampleCount({ kind: 'received' })])),
      )
      expect((await counters.read('w1')).map(({ count }) => count)).toEqual([200, 200])
    })

    it('adds counts once that are tried again under an id, and those of other ids each', async () => {
      const { counters } = await openStore()
      for (const id of ['a', 'a', 'b', 'a']) await counters.add([sampleCount({ count: 2 })], id)
      await counters.add([sampleCount()])
      expect(await counters.read('w1')).toEqual([sampleCount({ count: 5 })])
    })

    it('adds a thousand counters in one call', async () => {
      const { counters } = await openStore()
      await counters.add(Array.from({ length: 1_000 }, (_, index) => sampleCount({ sourceId: `s${index}` })))
      expect(await counters.read('w1')).toHaveLength(1_000)
    })

    it('reads in order of source, destination, kind and reason, by code point', async () => {
      const { counters } = await openStore()
      const ordered = [
        sampleCount({ sourceId: 'B' }),
        sampleCount({ sourceId: 'a', destinationId: '', kind: 'accepted' }),
        sampleCount({ sourceId: 'a', destinationId: '', kind: 'received' }),
        sampleCount({ sourceId: 'a', destinationId: 'd1', kind: 'dropped', reason: '' }),
        sampleCount({ sourceId: 'a', destinationId: 'd1', kind: 'dropped', reason: 'Z' }),
        sampleCount({ sourceId: 'a', destinationId: 'd1', kind: 'dropped', reason: 'a' }),
        sampleCount({ sourceId: 'a', destinationId: 'd1', kind: 'failed', reason: 'A' }),
        sampleCount({ sourceId: '\uffee' }),
        sampleCount({ sourceId: '😀' }),
      ]
      await counters.add(ordered.toReversed())
      expect(await counters.read('w1')).toEqual(ordered)
    })

    it('shows a workspace nothing of another', async () => {
      const { counters } = await openStore()
      await counters.add([sampleCount(), sampleCount({ workspaceId: 'w2', count: 7 })])
      expect(await counters.read('w1')).toEqual([sampleCount()])
      expect(await counters.read('w2')).toEqual([sampleCount({ workspaceId: 'w2', count: 7 })])
    })

    if (reopen)
      it('has what was acknowledged after close and reopen', async () => {
        const store = await openStore()
        await store.counters.add([sampleCount()])
        await store.close()
        const { counters } = await reopenStore()
        await counters.add([sampleCount()])
        expect(await counters.read('w1')).toEqual([sampleCount({ count: 2 })])
      })
  })
}
