import { describe, expect, it } from 'vitest'
import { type OpenStore, openStores, type SuiteOptions } from '../open-stores.ts'

/** The promises of the `LoadStore` port. */
export function describeLoadStore(name: string, open: OpenStore, { reopen }: SuiteOptions = {}): void {
  describe(`load store: ${name}`, () => {
    const openStore = openStores(open)
    const reopenStore = openStores(reopen ?? open)
    const load = (lane: number, loadId: string, position: number) => ({ lane, loadId, position })

    const mark = (lane: number, loadId: string, position: number, isOver = false) => ({
      ...load(lane, loadId, position),
      isOver,
    })

    it('keeps all loads of each lane, in order of lane and id, but for those that are passed', async () => {
      const { loads } = await openStore()
      await loads.begin('w1', 'c1', [load(3, 'a', 7), load(0, 'a', 2 ** 40)])
      await loads.begin('w1', 'c1', [load(3, 'b', 9)])
      const first = [mark(0, 'a', 2 ** 40), mark(3, 'a', 7), mark(3, 'b', 9)]
      expect(await loads.begun('w1', 'c1')).toEqual(first)
      await loads.begin('w1', 'c1', [load(0, 'c', 2 ** 41)], [load(3, 'a', 7), load(3, 'unknown', 1)])
      expect(await loads.begun('w1', 'c1')).toEqual([first[0], mark(0, 'c', 2 ** 41), first[2]])
    })

    it('says of all lanes of a load that it is over, and of no other load', async () => {
      const { loads } = await openStore()
      await loads.begin('w1', 'c1', [load(0, 'a', 1), load(1, 'a', 2), load(1, 'b', 3)])
      await loads.begin('w1', 'c2', [load(0, 'a', 1)])
      await loads.over('w1', 'c1', 'a')
      await loads.over('w1', 'c1', 'unknown')
      expect(await loads.begun('w1', 'c1')).toEqual([mark(0, 'a', 1, true), mark(1, 'a', 2, true), mark(1, 'b', 3)])
      expect(await loads.begun('w1', 'c2')).toEqual([mark(0, 'a', 1)])
    })

    it('keeps consumers and workspaces apart', async () => {
      const { loads } = await openStore()
      await loads.begin('w1', 'c1', [load(0, 'a', 1)])
      expect([await loads.begun('w1', 'c2'), await loads.begun('w2', 'c1')]).toEqual([[], []])
    })

    const attempt = (startedAt: number, more: object = {}) => ({
      startedAt,
      endedAt: startedAt + 1,
      events: 2,
      ...more,
    })
    const report = {
      loadId: 'a',
      tables: [
        { table: 't', rows: 2, discards: 0, reasons: [], newColumns: [{ name: 'n', type: 'int' }], isNew: true },
      ],
    }

    it('has the last hundred attempts of a consumer, the newest first', async () => {
      const { loads } = await openStore()
      for (let at = 0; at < 103; at += 1) await loads.ended('w1', 'c1', attempt(at))
      await loads.ended('w1', 'c2', attempt(1_000, { report }))
      await loads.ended('w1', 'c2', attempt(1_001, { error: 'it is down', failingSince: 900 }))
      const times = (await loads.attempts('w1', 'c1', 200)).map(({ startedAt }) => startedAt)
      expect(times).toEqual(Array.from({ length: 100 }, (_, place) => 102 - place))
      expect(await loads.attempts('w1', 'c1', 1)).toEqual([attempt(102)])
      expect(await loads.attempts('w1', 'c2', 100)).toEqual([
        attempt(1_001, { error: 'it is down', failingSince: 900 }),
        attempt(1_000, { report }),
      ])
    })

    it('forgets a consumer that is gone, and no other', async () => {
      const { loads } = await openStore()
      for (const consumer of ['c1', 'c2']) {
        await loads.begin('w1', consumer, [load(0, 'a', 1)])
        await loads.ended('w1', consumer, attempt(1))
      }
      await loads.forget('w1', 'c1')
      expect([await loads.begun('w1', 'c1'), await loads.attempts('w1', 'c1', 9)]).toEqual([[], []])
      expect([await loads.begun('w1', 'c2'), await loads.attempts('w1', 'c2', 9)]).toEqual([
        [mark(0, 'a', 1)],
        [attempt(1)],
      ])
    })

    if (reopen)
      it('has what was acknowledged after close and reopen', async () => {
        const store = await openStore()
        await store.loads.begin('w1', 'c1', [load(0, 'a', 1)])
        await store.loads.ended('w1', 'c1', attempt(1))
        await store.close()
        const { loads } = await reopenStore()
        expect([await loads.begun('w1', 'c1'), await loads.attempts('w1', 'c1', 9)]).toEqual([
          [mark(0, 'a', 1)],
          [attempt(1)],
        ])
      })
  })
}
