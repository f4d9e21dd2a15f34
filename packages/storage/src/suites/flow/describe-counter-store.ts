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

    const day = '2026-11-28'
    const sampleNamed = (name: string, more: Parameters<typeof sampleCount>[0] = {}) =>
      sampleCount({ ...more, named: { day, name } })
    const query = { workspaceId: 'w1', sourceId: 's1', day }
    const dayMs = 86_400_000

    it('sums counts by name and day apart from the others, and in order of name, destination, kind and reason', async () => {
      const { counters } = await openStore()
      const ordered = [
        sampleNamed('page'),
        sampleNamed('track A'),
        sampleNamed('track A', { destinationId: 'd1', kind: 'dropped', reason: 'plan' }),
        sampleNamed('track A', { destinationId: 'd1', kind: 'failed', reason: 'failed a' }),
        sampleNamed('track A', { destinationId: 'd1', kind: 'failed', reason: 'failed b' }),
        sampleNamed('track b\u0000😀'),
      ]
      await counters.add([...ordered.toReversed(), sampleCount({ count: 6 })])
      await counters.add(ordered)
      expect(await counters.readNamed(query)).toEqual(ordered.map((count) => ({ ...count, count: 2 })))
      expect(await counters.read('w1')).toEqual([sampleCount({ count: 6 })])
      for (const other of [{ workspaceId: 'w2' }, { sourceId: 's2' }, { day: '2026-11-27' }])
        expect(await counters.readNamed({ ...query, ...other })).toEqual([])
    })

    it('has the same counts by name before and after they are added up', async () => {
      const { counters } = await openStore()
      for (let n = 0; n < 300; n += 1)
        await counters.add([sampleNamed(`track ${n % 7}`), sampleNamed(`track ${n % 7}`, { destinationId: 'd1' })])
      const before = await counters.readNamed(query)
      await counters.tidyNamed(Date.parse(day))
      await counters.add([sampleNamed('track 0')])
      expect(before.reduce((sum, { count }) => sum + count, 0)).toBe(600)
      const after = before.map((count) => {
        const isAdded = count.named.name === 'track 0' && count.destinationId === ''
        return isAdded ? { ...count, count: count.count + 1 } : count
      })
      expect(await counters.readNamed(query)).toEqual(after)
    })

    it('joins the names of a day beyond the limit, and what became of their events', async () => {
      const { counters } = await openStore()
      const accepted = (n: number) => sampleNamed(`track ${n}`, { count: n < 5 ? 9 : 1 })
      const ended = (n: number) => sampleNamed(`track ${n}`, { destinationId: 'd1', kind: 'delivered' })
      const numbers = Array.from({ length: 230 }, (_, n) => 229 - n)
      await counters.add(numbers.map(accepted))
      await counters.tidyNamed(Date.parse(day))
      await counters.add([sampleNamed('track late'), ...numbers.map(ended)])
      const counts = await counters.readNamed(query)
      const names = counts.filter(({ kind }) => kind === 'accepted')
      expect(names).toHaveLength(201)
      // The most frequent ones keep their names.
      for (let n = 0; n < 5; n += 1) expect(names).toContainEqual(accepted(n))
      const sumOf = (kind: string) =>
        counts.flatMap((each) => (each.kind === kind ? each.count : [])).reduce((sum, count) => sum + count, 0)
      expect([sumOf('accepted'), sumOf('delivered')]).toEqual([5 * 9 + 225 + 1, 230])
      const joined = counts.filter(({ named }) => named.name === '(others)')
      expect(joined.map(({ kind, count }) => [kind, count])).toEqual([
        ['accepted', 31],
        ['delivered', 30],
      ])
      // Those of another day have room of their own.
      await counters.add([sampleCount({ named: { day: '2026-11-29', name: 'track late' } })])
      expect(await counters.readNamed({ ...query, day: '2026-11-29' })).toMatchObject([
        { named: { name: 'track late' }, count: 1 },
      ])
    })

    it('keeps counts by name for 90 days', async () => {
      const { counters } = await openStore()
      await counters.add([sampleNamed('page')])
      await counters.tidyNamed(Date.parse(day) + 90 * dayMs)
      expect(await counters.readNamed(query)).toHaveLength(1)
      await counters.tidyNamed(Date.parse(day) + 91 * dayMs)
      expect(await counters.readNamed(query)).toEqual([])
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
