import type { DeadLetterLimits, Store } from '@sluice/pipeline'
import { describe, expect, it } from 'vitest'
import { openStores, type SuiteOptions } from '../open-stores.ts'
import { sampleCount, sampleDeadLetter, sampleDeferred } from '../sample-records.ts'
import { commitWith } from './describe-retry-store.ts'

/** Opens a new, empty store with these limits at a time of its clock. */
export type OpenLimitedStore = (limits?: Partial<DeadLetterLimits>, now?: number) => Promise<Store>

/** The promises of the `DeadLetterStore` port. */
export function describeDeadLetterStore(name: string, open: OpenLimitedStore, { reopen }: SuiteOptions = {}): void {
  describe(`dead letter store: ${name}`, () => {
    let limits: Partial<DeadLetterLimits> = {}
    let now = sampleDeadLetter({}).at
    const opened = openStores(() => open(limits, now))
    const openStore = (of: Partial<DeadLetterLimits> = {}, at = sampleDeadLetter({}).at) => {
      limits = of
      now = at
      return opened()
    }
    const reopenStore = openStores(reopen ?? open)
    const letters = (...ids: readonly string[]) => ids.map((id) => sampleDeadLetter({ id }))
    const idsOf = async ({ deadLetters }: Store) => (await deadLetters.list('w1', { limit: 100 })).map(({ id }) => id)

    it('returns dead letters unchanged, in order of insertion, page by page', async () => {
      const store = await openStore()
      const odd = sampleDeadLetter({
        id: 'b',
        error: { code: 'deliver.refused', message: 'no \ud83d', detail: { status: 400, reply: 'ä\u0000😀' } },
      })
      await commitWith(store, { deadLetters: [sampleDeadLetter({ id: 'c' }), odd] })
      await commitWith(store, { deadLetters: letters('a') })
      expect(await store.deadLetters.list('w1', { limit: 2 })).toEqual([sampleDeadLetter({ id: 'c' }), odd])
      expect(await store.deadLetters.list('w1', { limit: 2, after: 'b' })).toEqual(letters('a'))
      expect(await store.deadLetters.find('w1', 'b')).toEqual(odd)
    })

    it('lists those of one destination', async () => {
      const store = await openStore()
      const elsewhere = sampleDeadLetter({ id: 'b', destinationId: 'd2' })
      await commitWith(store, { deadLetters: [...letters('a'), elsewhere, ...letters('c')] })
      expect(await store.deadLetters.list('w1', { limit: 9, destinationId: 'd2' })).toEqual([elsewhere])
    })

    it('lists those that match a filter, oldest or newest first, and their ids', async () => {
      const store = await openStore()
      const { source, at } = sampleDeadLetter({})
      const refused = { code: 'deliver.refused', message: 'no account for ann@shop.test' } as const
      const all = [
        sampleDeadLetter({ id: 'a', at: at + 1, error: refused }),
        sampleDeadLetter({ id: 'b', at: at + 2, error: { ...refused, message: 'no account for bob@shop.test' } }),
        sampleDeadLetter({ id: 'c', at: at + 3, error: { ...refused, code: 'destination.event' } }),
        sampleDeadLetter({ id: 'd', at: at + 4, source: { ...source, sourceId: 's2' } }),
      ]
      await commitWith(store, { deadLetters: all })
      const cases = [
        { filter: { code: 'deliver.refused' }, want: 'abd' },
        { filter: { reason: 'no account for [email]' }, want: 'abc' },
        { filter: { reason: refused.message, code: 'deliver.refused', destinationId: 'd1' }, want: 'ab' },
        { filter: { sourceId: 's2' }, want: 'd' },
        { filter: { userId: 'u1' }, want: 'abcd' },
        { filter: { userId: 'u2' }, want: '' },
        { filter: { since: at + 2, until: at + 4 }, want: 'bc' },
        { filter: { destinationId: 'd2', code: 'deliver.refused' }, want: '' },
      ]
      for (const { filter, want } of cases) {
        const list = async (more: object) => {
          const letters = await store.deadLetters.list('w1', { ...filter, limit: 9, ...more })
          return letters.map(({ id }) => id).join('')
        }
        const backwards = [...want].reverse().join('')
        expect(await list({}), JSON.stringify(filter)).toBe(want)
        expect(await list({ newestFirst: true })).toBe(backwards)
        expect(await list({ newestFirst: true, after: backwards[0] })).toBe(backwards.slice(1))
        expect((await store.deadLetters.ids('w1', filter, 2)).join('')).toBe(want.slice(0, 2))
        expect(await store.deadLetters.ids('w2', filter, 2)).toEqual([])
      }
    })

    it('groups them by destination, code and beginning of the reason, personal data masked', async () => {
      const store = await openStore()
      const { at, error } = sampleDeadLetter({})
      const letter = (id: string, message: string, more: object = {}) =>
        sampleDeadLetter({ id, at: at + id.charCodeAt(0), error: { ...error, message }, ...more })
      const long = `\u0000\ud83d${'😀'.repeat(500)}`
      await commitWith(store, {
        deadLetters: [
          letter('b', 'no ann@shop.test'),
          letter('a', 'no bob@shop.test'),
          letter('c', 'no', { destinationId: 'd2' }),
          letter('d', long),
        ],
      })
      const groups = await store.deadLetters.groups('w1', 9)
      expect(groups).toEqual([
        {
          destinationId: 'd1',
          code: error.code,
          reason: 'no [email]',
          count: 2,
          first: at + 97,
          last: at + 98,
          newestId: 'b',
        },
        expect.objectContaining({ reason: expect.stringMatching(/^\0\ufffd😀/u), count: 1, newestId: 'd' }),
        expect.objectContaining({ destinationId: 'd2', reason: 'no', count: 1, newestId: 'c' }),
      ])
      const [, { reason } = { reason: '' }] = groups
      expect(reason.length).toBeLessThanOrEqual(300)
      expect(await store.deadLetters.ids('w1', { reason }, 9)).toEqual(['d'])
      expect(await store.deadLetters.groups('w1', 1)).toHaveLength(1)
      expect(await store.deadLetters.groups('w2', 9)).toEqual([])
    })

    it('counts those of each group by slots of time, of one workspace', async () => {
      const store = await openStore()
      const { error } = sampleDeadLetter({})
      const letter = (id: string, at: number, more: object = {}) => sampleDeadLetter({ id, at, error, ...more })
      const since = 1_767_225_600_000
      await commitWith(store, {
        deadLetters: [
          letter('a', since - 1),
          letter('b', since),
          letter('c', since + 999),
          letter('d', since + 2_500),
          letter('e', since + 2_500, { destinationId: 'd2' }),
          letter('f', since + 3_000),
        ],
      })
      const slots = await store.deadLetters.slots('w1', { since, everyMs: 1_000, count: 3 })
      const found = slots.map(({ destinationId, slot, count }) => `${destinationId} ${slot}: ${count}`)
      expect(found.toSorted()).toEqual(['d1 0: 2', 'd1 2: 1', 'd2 2: 1'])
      const [{ reason } = { reason: '' }] = await store.deadLetters.groups('w1', 1)
      expect(slots.every((each) => each.code === error.code && each.reason === reason)).toBe(true)
      expect(await store.deadLetters.slots('w2', { since, everyMs: 1_000, count: 3 })).toEqual([])
    })

    it('finds those of one message, up to the given number', async () => {
      const store = await openStore()
      const source = { ...sampleDeadLetter().source, event: { messageId: 'm2' } }
      const twice = ['a', 'b'].map((id) => sampleDeadLetter({ id, source }))
      await commitWith(store, { deadLetters: [...twice, ...letters('c')] })
      expect(await store.deadLetters.ofMessage('w1', 'm2', 9)).toEqual(twice)
      expect(await store.deadLetters.ofMessage('w1', 'm2', 1)).toEqual(twice.slice(0, 1))
      expect(await store.deadLetters.ofMessage('w2', 'm2', 9)).toEqual([])
    })

    it('shows a workspace nothing of another, and lets it remove nothing', async () => {
      const store = await openStore()
      await commitWith(store, { deadLetters: letters('a') })
      const replay = { id: 'a', deferred: sampleDeferred({ workspaceId: 'w2' }), counts: [] }
      expect(await store.deadLetters.list('w2', { limit: 9 })).toEqual([])
      expect(await store.deadLetters.find('w2', 'a')).toBeUndefined()
      expect(await store.deadLetters.remove('w2', ['a'])).toBe(0)
      expect(await store.deadLetters.replay('w2', [replay])).toEqual([])
      expect(await idsOf(store)).toEqual(['a'])
    })

    it('replays a letter once: it becomes a deferred event, and is counted', async () => {
      const store = await openStore()
      await commitWith(store, { deadLetters: letters('a', 'b') })
      const counts = [sampleCount({ destinationId: 'd1', kind: 'replayed' })]
      const replays = ['a', 'gone'].map((id) => ({ id, deferred: sampleDeferred({ id: `again ${id}` }), counts }))
      expect(await store.deadLetters.replay('w1', replays)).toEqual([sampleDeferred({ id: 'again a' })])
      expect(await store.deadLetters.replay('w1', replays)).toEqual([])
      expect(await idsOf(store)).toEqual(['b'])
      expect((await store.retries.entries('w1', 'd1')).map(({ id }) => id)).toEqual(['again a'])
      expect(await store.counters.read('w1')).toMatchObject([{ kind: 'replayed', count: 1 }])
    })

    it('removes letters, and adds up what is left', async () => {
      const store = await openStore()
      await commitWith(store, { deadLetters: letters('a', 'b', 'c') })
      const full = await store.deadLetters.usage()
      expect(full.letters).toBe(3)
      expect(await store.deadLetters.remove('w1', ['a', 'c', 'c', 'x'])).toBe(2)
      const left = await store.deadLetters.usage()
      expect(left.letters).toBe(1)
      expect(left.bytes).toBe(full.bytes / 3)
      await store.deadLetters.remove('w1', ['b'])
      expect(await store.deadLetters.usage()).toEqual({ letters: 0, bytes: 0, share: 0 })
    })

    it('forgets those of some users', async () => {
      const store = await openStore()
      const { source } = sampleDeadLetter()
      const of = (id: string, userId: string) => {
        const event = { userId }
        return sampleDeadLetter({ id, source: { ...source, event }, outputs: [{ event, done: [] }] })
      }
      const [other, third] = [of('b', 'u2'), of('d', 'u3')]
      await commitWith(store, { deadLetters: [...letters('a'), other, ...letters('c'), third] })
      expect(await store.deadLetters.forgetUsers('w2', ['u1', 'u3'])).toBe(0)
      expect(await store.deadLetters.forgetUsers('w1', ['u1', 'unknown', 'u3'])).toBe(3)
      expect(await idsOf(store)).toEqual(['b'])
    })

    it('finds and forgets those that belong to several users by any of them, however the id was written', async () => {
      const store = await openStore()
      const { source } = sampleDeadLetter()
      const otherOrigins = [{ sourceId: 's2', identifiers: ['u4', 'a4'] }]
      const event = { userId: ' u\u20603', anonymousId: 'a3', context: { externalId: [{ type: 'x', id: 33 }] } }
      const outputs = [{ event: { userId: 'u5' }, done: [] }]
      await commitWith(store, {
        deadLetters: [
          ...letters('a'),
          sampleDeadLetter({ id: 'b', source: { ...source, event, otherOrigins }, outputs }),
        ],
      })
      for (const userId of ['u3', 'a3', '33', 'u4', 'a4', 'u5'])
        expect(await store.deadLetters.ids('w1', { userId }, 9), userId).toEqual(['b'])
      expect(await store.deadLetters.forgetUsers('w1', ['a4', 'u5'])).toBe(1)
      expect(await idsOf(store)).toEqual(['a'])
    })

    it('forgets the oldest when there are too many, and counts them', async () => {
      const store = await openStore({ lettersMax: 2 })
      await commitWith(store, { deadLetters: letters('a', 'b') })
      expect((await store.deadLetters.usage()).share).toBe(1)
      await commitWith(store, { deadLetters: letters('c') })
      expect(await idsOf(store)).toEqual(['b', 'c'])
      expect(await store.counters.read('w1')).toMatchObject([
        { sourceId: 's1', destinationId: 'd1', kind: 'forgotten', reason: 'letters', count: 1 },
      ])
    })

    it('forgets the oldest when they are too large', async () => {
      const store = await openStore({
        bytesMax: 2.5 * Buffer.byteLength(JSON.stringify(sampleDeadLetter({ id: 'a' }))),
      })
      await commitWith(store, { deadLetters: letters('a', 'b', 'c', 'd') })
      expect(await idsOf(store)).toEqual(['c', 'd'])
      expect(await store.counters.read('w1')).toMatchObject([{ kind: 'forgotten', reason: 'bytes', count: 2 }])
    })

    it('deletes expired letters when asked to', async () => {
      const { at } = sampleDeadLetter({})
      const store = await openStore({ ageMsMax: 1_000 }, at + 1_500)
      await commitWith(store, { deadLetters: [...letters('a'), sampleDeadLetter({ id: 'b', at: at + 1_000 })] })
      await store.deadLetters.forgetOld()
      expect(await idsOf(store)).toEqual(['b'])
      expect(await store.counters.read('w1')).toMatchObject([{ kind: 'forgotten', reason: 'age', count: 1 }])
    })

    if (reopen)
      it('has what was acknowledged after close and reopen', async () => {
        const store = await openStore()
        await commitWith(store, { deadLetters: letters('a') })
        await store.close()
        const again = await reopenStore()
        expect([await idsOf(again), (await again.deadLetters.usage()).letters]).toEqual([['a'], 1])
      })
  })
}
