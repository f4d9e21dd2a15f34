import { createSeededRandom } from '@sluice/core'
import type { CountKind, HistoryQuery, HistoryRow, Store } from '@sluice/pipeline'
import { boundSeries, hourMs, minuteMs, quarterMs, seriesKey, slotOf, sumSeries } from '@sluice/pipeline/store'
import { describe, expect, it } from 'vitest'
import { type OpenStore, openStores, type SuiteOptions } from '../open-stores.ts'
import { sampleCount, sampleHistory } from '../sample-records.ts'

const at = 1_767_225_630_000
const minute = slotOf(at, minuteMs)
const always: HistoryQuery = { workspaceId: 'w1', since: 0, until: 2 ** 42, everyMs: minuteMs, fromMs: minuteMs }
const quarters: HistoryQuery = { ...always, everyMs: quarterMs, fromMs: quarterMs }
const hours: HistoryQuery = { ...always, everyMs: hourMs, fromMs: hourMs }

/** What the counters say, and what the history says in all, by series. */
async function sumsOf({ counters, history }: Store, query: HistoryQuery): Promise<readonly unknown[]> {
  const { slots, unmoved } = await history.read(query)
  const rows = [...slots, ...unmoved].map(({ workspaceId, sourceId, destinationId, kind, reason, count }) => ({
    workspaceId,
    sourceId,
    destinationId,
    kind,
    reason,
    count,
  }))
  const byKey = (sums: readonly HistoryRow[]) => new Map(sums.map((row) => [seriesKey(row), row.count]))
  return [byKey(sumSeries(rows)), byKey(await counters.read(query.workspaceId))]
}

/** The promises of the `HistoryStore` port. */
export function describeHistoryStore(name: string, open: OpenStore, { reopen }: SuiteOptions = {}): void {
  describe(`history store: ${name}`, () => {
    const openStore = openStores(open)
    const reopenStore = openStores(reopen ?? open)

    it('has nothing at first', async () => {
      const { history } = await openStore()
      await history.snap(at)
      await history.add(at, [])
      await history.prune(at)
      expect(await history.read(always)).toEqual({ slots: [], unmoved: [] })
    })

    it('shows what was counted as not moved, then in the minute, the quarter and the hour in which it is moved', async () => {
      const { counters, history } = await openStore()
      await counters.add([sampleCount({ count: 2 })])
      expect(await history.read(always)).toEqual({ slots: [], unmoved: [sampleCount({ count: 2 })] })
      await history.snap(at)
      await counters.add([sampleCount({ count: 3 })])
      const slot = { ...sampleCount({ count: 2 }), at: minute }
      expect(await history.read(always)).toEqual({ slots: [slot], unmoved: [sampleCount({ count: 3 })] })
      await history.snap(at + minuteMs)
      expect((await history.read(always)).slots.map((row) => [row.at, row.count])).toEqual([
        [minute, 2],
        [minute + minuteMs, 3],
      ])
      for (const query of [quarters, hours])
        expect((await history.read(query)).slots).toEqual([
          { ...sampleCount({ count: 5 }), at: slotOf(at, query.fromMs) },
        ])
    })

    it('moves nothing twice, however many move at the same time', async () => {
      const { counters, history } = await openStore()
      await counters.add([sampleCount({ count: 7 }), sampleCount({ workspaceId: 'w2', count: 1 })])
      await Promise.all(Array.from({ length: 8 }, () => history.snap(at)))
      expect((await history.read(always)).slots.map(({ count }) => count)).toEqual([7])
      expect((await history.read({ ...always, workspaceId: 'w2' })).slots.map(({ count }) => count)).toEqual([1])
    })

    it('keeps sums equal to the counters, whatever is counted and moved, and whichever way the clock goes', async () => {
      const store = await openStore()
      const random = createSeededRandom(1)
      const below = (max: number): number => new DataView(random.fill(new Uint8Array(4)).buffer).getUint32(0) % max
      const oneOf = <Value>(...values: readonly [Value, ...Value[]]): Value => values[below(values.length)] ?? values[0]
      for (let run = 0; run < 25; run += 1) {
        const workspaceId = `run ${run}`
        for (let step = 0; step < 12; step += 1)
          if (below(3) === 0) await store.history.snap(at + below(4 * hourMs))
          else {
            const [sourceId, kind] = [oneOf('s1', 's2'), oneOf<CountKind>('accepted', 'failed', 'delivered')]
            const count = 1 + below(9)
            await store.counters.add([sampleCount({ workspaceId, sourceId, kind, reason: oneOf('', 'a'), count })])
          }
        for (const query of [always, quarters, hours]) {
          const [moved, counted] = await sumsOf(store, { ...query, workspaceId })
          expect(moved).toEqual(counted)
        }
      }
    })

    it('adds what is measured beside the counters once under an id, and the highest of a state', async () => {
      const { history } = await openStore()
      for (const id of ['a', 'a', 'b']) await history.add(at, [sampleHistory({ count: 2 })], id)
      const oldest = (count: number) => sampleHistory({ kind: 'oldestWaiting', reason: '', count })
      await history.add(at, [oldest(5)])
      await history.add(at, [oldest(9), oldest(3)])
      await history.add(at + minuteMs, [oldest(4)])
      const counts = (rows: readonly HistoryRow[]) => rows.map(({ kind, count }) => `${kind} ${count}`).sort()
      const { slots } = await history.read({ ...always, until: minute + minuteMs })
      expect(counts(slots)).toEqual(['answered 4', 'oldestWaiting 9'])
      expect(counts((await history.read({ ...always, everyMs: hourMs })).slots)).toEqual([
        'answered 4',
        'oldestWaiting 9',
      ])
    })

    it('returns slots of the length that is wanted, of the time and the kinds that are wanted', async () => {
      const { history } = await openStore()
      const start = slotOf(at, 4 * hourMs)
      for (let slot = 0; slot < 6; slot += 1) await history.add(start + slot * 5 * minuteMs, [sampleHistory()])
      await history.add(start, [sampleHistory({ kind: 'retried', reason: '' })])
      const query = { ...always, since: start, until: start + 30 * minuteMs, everyMs: 15 * minuteMs }
      const { slots } = await history.read({ ...query, kinds: ['answered'] })
      expect(slots.map((row) => [row.at - start, row.kind, row.count])).toEqual([
        [0, 'answered', 3],
        [15 * minuteMs, 'answered', 3],
      ])
      expect((await history.read({ ...query, until: start + 15 * minuteMs })).slots).toHaveLength(2)
    })

    it('bounds the series of a slot and keeps their sums, also of those that come later', async () => {
      const { counters, history } = await openStore()
      const many = (prefix: string) =>
        Array.from({ length: 400 }, (_, index) =>
          sampleCount({ destinationId: 'd1', kind: 'failed', reason: `${prefix}${index}` }),
        )
      await counters.add(many('a'))
      await history.snap(at)
      await counters.add(many('b'))
      await history.snap(at)
      const { slots } = await history.read(always)
      expect(slots.length).toBeLessThanOrEqual(501)
      expect(slots.reduce((sum, { count }) => sum + count, 0)).toBe(800)
      expect(slots.find(({ reason }) => reason === '(others)')?.count).toBe(400)
    })

    it('bounds sources and destinations, too, and keeps buckets of delays apart', () => {
      const rows = Array.from({ length: 900 }, (_, index) => sampleHistory({ destinationId: `d${index}`, reason: '' }))
      const delays = rows.map((row) => ({ ...row, kind: 'answerMs' as const, reason: '20' }))
      const bounded = boundSeries([...rows, ...delays], new Set())
      expect(bounded).toHaveLength(1_002)
      const others = bounded.filter(({ destinationId }) => destinationId === '(others)')
      expect(others.map(({ kind, reason, count }) => [kind, reason, count])).toEqual([
        ['answered', '', 400],
        ['answerMs', '20', 400],
      ])
    })

    it('deletes minutes after two days, quarters after fourteen and hours after ninety, in some calls, and nothing else', async () => {
      const { history } = await openStore()
      const day = 24 * hourMs
      for (const age of [0, 1, 3, 13, 15, 89, 91])
        await history.add(at - age * day, [sampleHistory({ reason: `${age}` })])
      for (let call = 0; call < 8; call += 1) await history.prune(at)
      const ages = async (query: HistoryQuery) => (await history.read(query)).slots.map(({ reason }) => reason)
      expect(await ages(always)).toEqual(['1', '0'])
      expect(await ages(quarters)).toEqual(['13', '3', '1', '0'])
      expect(await ages(hours)).toEqual(['89', '15', '13', '3', '1', '0'])
    })

    if (reopen)
      it('moves what was counted before a restart with what comes after it', async () => {
        const store = await openStore()
        await store.counters.add([sampleCount({ count: 2 })])
        await store.history.snap(at)
        await store.counters.add([sampleCount({ count: 4 })])
        await store.close()
        const again = await reopenStore()
        await again.counters.add([sampleCount()])
        await again.history.snap(at + minuteMs)
        expect((await again.history.read(always)).slots.map(({ count }) => count)).toEqual([2, 5])
        const [moved, counted] = await sumsOf(again, always)
        expect(moved).toEqual(counted)
      })
  })
}
