import { describe, expect, it } from 'vitest'
import { type OpenStore, openStores, type SuiteOptions } from '../open-stores.ts'

/** The promises of the `CrashStore` port. */
export function describeCrashStore(name: string, open: OpenStore, { reopen }: SuiteOptions = {}): void {
  describe(`crash store: ${name}`, () => {
    const openStore = openStores(open)
    const reopenStore = openStores(reopen ?? open)
    const at = (position: number) => new Map([['c1', position]])

    it('counts starts with a consumer at the same position, and starts again when it has moved', async () => {
      const { crashes } = await openStore()
      const tries = async (position: number) => (await crashes.started('w1', at(position))).get('c1')?.tries
      expect([await tries(5), await tries(5), await tries(5), await tries(8), await tries(8)]).toEqual([1, 2, 3, 1, 2])
      expect((await crashes.started('w2', at(8))).get('c1')).toEqual({ tries: 1, suspects: [] })
    })

    it('counts nothing after a clean stop', async () => {
      const { crashes } = await openStore()
      await crashes.started('w1', at(5))
      await crashes.started('w1', at(5))
      await crashes.stopped('w1')
      expect((await crashes.started('w1', at(5))).get('c1')).toEqual({ tries: 1, suspects: [] })
    })

    it('suspects events in progress when the process ended, until the consumer has passed them', async () => {
      const { crashes } = await openStore()
      await crashes.started('w1', at(5))
      await crashes.trying('w1', 'c1', { position: 6, index: 3 })
      await crashes.tried('w1', 'c1')
      await crashes.trying('w1', 'c1', { position: 7, index: 4 })
      expect((await crashes.started('w1', at(6))).get('c1')).toEqual({
        tries: 2,
        suspects: [{ position: 7, index: 4 }],
      })
      await crashes.trying('w1', 'c1', { position: 7, index: 5 })
      expect((await crashes.started('w1', at(6))).get('c1')?.suspects).toEqual([
        { position: 7, index: 4 },
        { position: 7, index: 5 },
      ])
      expect((await crashes.started('w1', at(7))).get('c1')).toEqual({ tries: 1, suspects: [] })
    })

    if (reopen)
      it('has what was acknowledged after close and reopen', async () => {
        const store = await openStore()
        await store.crashes.started('w1', at(5))
        await store.crashes.trying('w1', 'c1', { position: 6, index: 0 })
        await store.close()
        expect((await (await reopenStore()).crashes.started('w1', at(5))).get('c1')).toEqual({
          tries: 2,
          suspects: [{ position: 6, index: 0 }],
        })
      })
  })
}
