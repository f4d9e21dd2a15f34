import { type Event, InvariantError } from '@sluice/core'
import type { ConsumerLog, KeptBatches, LogBatch, NewLogBatch, Progress, Store } from '@sluice/pipeline'
import { describe, expect, it } from 'vitest'
import { StoreClosedError } from '../../store-errors.ts'
import { type OpenStore, openStores, type SuiteOptions } from '../open-stores.ts'
import { sampleBatch, sampleCount, sampleReceipt, sampleVersion } from '../sample-records.ts'

/** The promises of the `EventLog` port, and those of `Store.close`. */
export function describeEventLog(name: string, open: OpenStore, { reopen }: SuiteOptions = {}): void {
  describe(`event log: ${name}`, () => {
    const openStore = openStores(open)
    const reopenStore = openStores(reopen ?? open)
    const openLog = async () => (await openStore()).log

    const keepNothing: KeptBatches = { since: Number.MAX_SAFE_INTEGER, bytesMax: 0 }
    const named = (messageId: string): NewLogBatch => sampleBatch({ events: [{ type: 'page', messageId }] })
    const appendAll = async ({ log }: Store, ...messageIds: readonly string[]): Promise<number[]> => {
      const positions: number[] = []
      for (const messageId of messageIds) positions.push(await log.append(named(messageId), []))
      return positions
    }
    const messageIds = async ({ log }: Store, after = 0): Promise<unknown[]> =>
      (await log.read('w1', after, 100)).flatMap(({ events }) => events.map(({ messageId }) => messageId))
    const progress = (position: number, more: Partial<Progress> = {}): Progress => ({
      workspaceId: 'w1',
      consumer: 'c1',
      position,
      counts: [],
      receipts: [],
      ...more,
    })

    describe('workspaces', () => {
      it('are those with a registered consumer, in order of id', async () => {
        const log = await openLog()
        for (const workspaceId of ['w2', 'w1', 'w3']) await log.register(workspaceId, 'c1')
        await log.unregister('w3', 'c1')
        await log.append(sampleBatch({ workspaceId: 'w4' }), [])
        expect(await log.workspaces()).toEqual(['w1', 'w2'])
      })
    })

    describe('a consumer', () => {
      it('gets again what it has not processed of a read, and nothing that only waits for its commit', async () => {
        const { log } = await openStore()
        const cursor = await log.register('w1', 'c1')
        const users = ['u1', 'u2', 'u3', 'u4']
        for (const userId of users)
          await log.append(sampleBatch({ events: [{ type: 'page', messageId: userId, userId }] }), [])
        const own: Pick<ConsumerLog, 'cursor' | 'read' | 'commit'> = (await log.open?.('w1', 'c1')) ?? {
          cursor,
          read: (after, limit) => log.read('w1', after, limit),
          commit: (done) => log.commit(progress(done.position, done)),
        }
        const usersOf = (batches: readonly LogBatch[]) => batches.flatMap(({ events }) => events.map((e) => e.userId))
        const [first, ...others] = await own.read(own.cursor, 10)
        const rest = await own.read(first?.position ?? 0, 10)
        expect(usersOf(rest)).toHaveLength(3)
        expect(new Set(usersOf(rest))).toEqual(new Set(usersOf(others)))
        const end = rest.at(-1)?.position ?? 0
        expect(await own.read(end, 10)).toEqual([])
        await own.commit({ position: end, counts: [], receipts: [] })
        expect(await own.read(end, 10)).toEqual([])
      })
    })

    describe('append and read', () => {
      it('gives growing positions, the first of them above 0', async () => {
        const positions = await appendAll(await openStore(), 'a', 'b', 'c')
        expect(positions).toEqual(positions.toSorted((a, b) => a - b))
        expect(new Set([0, ...positions]).size).toBe(4)
        expect(positions[0]).toBeGreaterThan(0)
      })

      it('reads back what was appended', async () => {
        const log = await openLog()
        const events: readonly Event[] = [
          {
            type: 'track',
            event: 'Bought',
            properties: { price: 1.5, tags: ['a', null, {}], none: null },
          },
          { text: 'ä😀\u0000\ud800\u2028"\\', '': '', 'a.b': true, big: 1e300, small: -5e-324, '\udc00': 1 },
          JSON.parse('{"__proto__":{"a":1},"constructor":1}'),
          {},
        ]
        const batch = sampleBatch({ events, destinationIds: [] })
        const position = await log.append(batch, [])
        const [read] = await log.read('w1', 0, 1)
        expect(read).toEqual({ ...batch, position })
        expect(JSON.stringify(read?.events)).toBe(JSON.stringify(events))
      })

      it('does not share objects with its caller', async () => {
        const store = await openStore()
        const event = { type: 'page', messageId: 'before' }
        const events = [event]
        const appended = store.log.append(sampleBatch({ events }), [])
        event.messageId = 'after'
        events.push(event)
        await appended
        expect(await messageIds(store)).toEqual(['before'])
      })

      it('reads after a position, in order, at most the given number', async () => {
        const store = await openStore()
        const [first = 0] = await appendAll(store, 'a', 'b', 'c', 'd')
        expect(await messageIds(store)).toEqual(['a', 'b', 'c', 'd'])
        expect(await messageIds(store, first)).toEqual(['b', 'c', 'd'])
        expect(await store.log.read('w1', first, 2)).toHaveLength(2)
        expect((await store.log.read('w1', first, 2)).map(({ events }) => events[0]?.messageId)).toEqual(['b', 'c'])
      })

      it('reads at most the given number of bytes, but always one batch', async () => {
        const store = await openStore()
        await appendAll(store, 'a', 'b', 'c', 'd')
        const each = (await store.log.usage('w1')).bytes / 4
        const countFor = async (bytesMax: number) => (await store.log.read('w1', 0, 3, bytesMax)).length
        expect([await countFor(1), await countFor(2 * each), await countFor(3 * each - 1)]).toEqual([1, 2, 2])
        expect(await countFor(100 * each)).toBe(3)
      })

      it('stores the counts with the batch', async () => {
        const { log, counters } = await openStore()
        await log.append(sampleBatch(), [sampleCount({ count: 3 })])
        await log.append(sampleBatch(), [sampleCount({ count: 4 })])
        expect(await counters.read('w1')).toEqual([sampleCount({ count: 7 })])
      })

      it('keeps each of many concurrent appends once, and answers with the position where it is', async () => {
        const store = await openStore()
        const ids = Array.from({ length: 300 }, (_, index) => `m${index}`)
        const positions = await Promise.all(ids.map((id) => store.log.append(named(id), [sampleCount()])))
        const read = await store.log.read('w1', 0, 1_000)
        // Appends that come together may share a batch.
        const found = read.flatMap(({ events, position }) => events.map(({ messageId }) => [messageId, position]))
        expect(found.sort()).toEqual(ids.map((id, index) => [id, positions[index]]).sort())
        expect(read.map(({ position }) => position)).toEqual([...new Set(positions)].sort((a, b) => a - b))
        expect(await store.counters.read('w1')).toEqual([sampleCount({ count: 300 })])
      })

      it('has room where there is no budget, and appends nothing when only checking', async () => {
        const { log } = await openStore()
        await log.requireRoom('w1')
        expect(await log.end('w1')).toBe(0)
      })

      it('refuses a batch without events', async () => {
        const { log, counters } = await openStore()
        await expect(log.append(sampleBatch({ events: [] }), [sampleCount()])).rejects.toThrow(InvariantError)
        expect(await log.end('w1')).toBe(0)
        expect(await counters.read('w1')).toEqual([])
      })
    })

    describe('consumers', () => {
      it('puts a new consumer at the end of the log and leaves a known one where it is', async () => {
        const store = await openStore()
        expect(await store.log.register('w1', 'early')).toBe(0)
        const [position = 0] = await appendAll(store, 'a')
        expect(await store.log.register('w1', 'late')).toBe(position)
        await appendAll(store, 'b')
        expect(await store.log.register('w1', 'early')).toBe(0)
        expect(await store.log.register('w1', 'late')).toBe(position)
      })

      it('stores the cursor together with counts, receipts and the rest of the progress', async () => {
        const { log, counters, receipts, schema } = await openStore()
        await log.register('w1', 'c1')
        const position = await log.append(sampleBatch(), [])
        const observed = { versions: [sampleVersion({ count: 2 })] }
        await log.commit(progress(position, { counts: [sampleCount()], receipts: [sampleReceipt()], observed }))
        expect(await log.cursors('w1')).toEqual(new Map([['c1', position]]))
        expect(await counters.read('w1')).toEqual([sampleCount()])
        expect(await receipts.find('w1', 'm1')).toEqual([sampleReceipt()])
        expect(await schema.models('w1')).toMatchObject([{ totalCount: 2 }])
      })

      it('changes nothing for a progress at or before the cursor', async () => {
        const { log, counters, receipts, schema } = await openStore()
        await log.register('w1', 'c1')
        const first = await log.append(sampleBatch(), [])
        const second = await log.append(sampleBatch(), [])
        const more = { counts: [sampleCount()], receipts: [sampleReceipt()], observed: { versions: [sampleVersion()] } }
        await log.commit(progress(second, more))
        const late = { ...more, receipts: [sampleReceipt({ outcome: 'failed' })] }
        await Promise.all([log.commit(progress(second, late)), log.commit(progress(first, late))])
        expect(await log.cursors('w1')).toEqual(new Map([['c1', second]]))
        expect(await counters.read('w1')).toEqual([sampleCount()])
        expect(await receipts.find('w1', 'm1')).toEqual([sampleReceipt()])
        expect(await schema.models('w1')).toMatchObject([{ totalCount: 1 }])
      })

      it('stores progress within the batch behind the cursor, which only grows', async () => {
        const store = await openStore()
        const { log, counters } = store
        await log.register('w1', 'c1')
        const [first = 0, second = 0] = await appendAll(store, 'a', 'b')
        expect(await log.eventsDone('w1', 'c1')).toBe(0)
        const counts = [sampleCount()]
        for (const eventsDone of [3, 3, 2]) await log.commit(progress(first, { eventsDone, counts }))
        expect([await log.eventsDone('w1', 'c1'), await log.cursors('w1')]).toEqual([3, new Map([['c1', first]])])
        await log.commit(progress(first, { eventsDone: 5, counts }))
        await log.commit(progress(second, { counts }))
        await log.commit(progress(first, { eventsDone: 9, counts }))
        expect([await log.eventsDone('w1', 'c1'), await log.cursors('w1')]).toEqual([0, new Map([['c1', second]])])
        expect(await counters.read('w1')).toEqual([sampleCount({ count: 3 * sampleCount().count })])
        await log.commit(progress(second, { eventsDone: 1 }))
        await log.unregister('w1', 'c1')
        expect(await log.eventsDone('w1', 'c1')).toBe(0)
      })

      it('counts once when the same progress is committed twice concurrently', async () => {
        const { log, counters } = await openStore()
        await log.register('w1', 'c1')
        const position = await log.append(sampleBatch(), [])
        const twice = progress(position, { counts: [sampleCount()] })
        await Promise.all([log.commit(twice), log.commit(twice)])
        expect(await counters.read('w1')).toEqual([sampleCount()])
      })

      it('stores nothing for a consumer that is not registered, and throws an InvariantError', async () => {
        const { log, counters, receipts } = await openStore()
        const position = await log.append(sampleBatch(), [])
        const stray = progress(position, { counts: [sampleCount()], receipts: [sampleReceipt()] })
        // Together with valid writes, which are kept.
        const [refused] = await Promise.allSettled([log.commit(stray), log.append(named('good'), [])])
        expect(refused).toMatchObject({ status: 'rejected', reason: expect.any(InvariantError) })
        expect(await counters.read('w1')).toEqual([])
        expect(await receipts.find('w1', 'm1')).toEqual([])
        expect(await log.cursors('w1')).toEqual(new Map())
        expect(await log.read('w1', 0, 10)).toHaveLength(2)
      })

      it('lists the cursors in order of name', async () => {
        const log = await openLog()
        for (const consumer of ['b', '😀', '\uffee', 'a', 'B']) await log.register('w1', consumer)
        expect([...(await log.cursors('w1')).keys()]).toEqual(['B', 'a', 'b', '\uffee', '😀'])
      })

      it('forgets an unregistered consumer, which is new when it registers again', async () => {
        const store = await openStore()
        await store.log.register('w1', 'c1')
        await store.log.unregister('w1', 'c1')
        await store.log.unregister('w1', 'c1')
        expect(await store.log.cursors('w1')).toEqual(new Map())
        const [position = 0] = await appendAll(store, 'a')
        await expect(store.log.commit(progress(position))).rejects.toThrow(InvariantError)
        expect(await store.log.register('w1', 'c1')).toBe(position)
      })
    })

    describe('end and trim', () => {
      const sizeOf = (messageId: string) => JSON.stringify(named(messageId).events).length
      const keepNewest = (count: number): KeptBatches => ({ since: 0, bytesMax: sizeOf('a') * count })

      it('ends at 0 when there was no batch, and at the newest otherwise', async () => {
        const store = await openStore()
        expect(await store.log.end('w1')).toBe(0)
        const positions = await appendAll(store, 'a', 'b')
        expect(await store.log.end('w1')).toBe(positions[1])
      })

      it('keeps batches that the slowest consumer has not passed', async () => {
        const store = await openStore()
        await store.log.register('w1', 'c1')
        await store.log.register('w1', 'c2')
        const [first = 0, second = 0, third = 0] = await appendAll(store, 'a', 'b', 'c')
        await store.log.commit(progress(third))
        await store.log.trim('w1', keepNothing)
        expect(await messageIds(store)).toEqual(['a', 'b', 'c'])
        await store.log.commit(progress(first, { consumer: 'c2' }))
        await store.log.trim('w1', keepNothing)
        expect(await messageIds(store)).toEqual(['b', 'c'])
        await store.log.commit(progress(second, { consumer: 'c2' }))
        await store.log.unregister('w1', 'c2')
        await store.log.trim('w1', keepNothing)
        expect(await messageIds(store)).toEqual([])
      })

      it('keeps the newest batches of the workspace up to a size, although all consumers have passed them', async () => {
        const store = await openStore()
        await store.log.register('w1', 'c1')
        const positions = await appendAll(store, 'a', 'b', 'c', 'd')
        await store.log.append({ ...named('other'), workspaceId: 'w2' }, [])
        await store.log.commit(progress(positions[3] ?? 0))
        await store.log.trim('w1', keepNewest(10))
        expect(await messageIds(store)).toEqual(['a', 'b', 'c', 'd'])
        await store.log.trim('w1', keepNewest(3))
        expect(await messageIds(store)).toEqual(['b', 'c', 'd'])
        await store.log.trim('w1', keepNewest(3))
        expect(await messageIds(store)).toEqual(['b', 'c', 'd'])
      })

      it('keeps batches received since a time, as long as there is room for them', async () => {
        const store = await openStore()
        for (const [messageId, receivedAt] of [
          ['a', 1_000],
          ['b', 2_000],
          ['ä', 3_000],
        ] as const)
          await store.log.append({ ...named(messageId), receivedAt }, [])
        await store.log.trim('w1', { since: 1_000, bytesMax: sizeOf('a') * 4 })
        expect(await messageIds(store)).toEqual(['a', 'b', 'ä'])
        await store.log.trim('w1', { since: 2_000, bytesMax: sizeOf('a') * 4 })
        expect(await messageIds(store)).toEqual(['b', 'ä'])
        // A non-ASCII letter takes two bytes.
        await store.log.trim('w1', { since: 2_000, bytesMax: sizeOf('a') * 2 })
        expect(await messageIds(store)).toEqual(['ä'])
      })

      it('keeps nothing for a workspace without consumers', async () => {
        const store = await openStore()
        await appendAll(store, 'a', 'b', 'c')
        await store.log.trim('w1', keepNewest(1))
        expect(await messageIds(store)).toEqual(['c'])
      })

      it('still knows its end when it is empty, and assigns only later positions', async () => {
        const store = await openStore()
        const [, second = 0] = await appendAll(store, 'a', 'b')
        await store.log.trim('w1', keepNothing)
        expect(await store.log.end('w1')).toBe(second)
        expect(await store.log.register('w1', 'new')).toBe(second)
        const [third] = await appendAll(store, 'c')
        expect(third).toBeGreaterThan(second)
        expect(await messageIds(store, second)).toEqual(['c'])
      })

      it('trims a long log whole', async () => {
        const store = await openStore()
        await Promise.all(Array.from({ length: 450 }, (_, index) => store.log.append(named(`m${index}`), [])))
        await store.log.trim('w1', { since: 0, bytesMax: sizeOf('m445') * 5 })
        expect(await messageIds(store)).toHaveLength(5)
      })
    })

    describe('watch', () => {
      it('calls listeners of the workspace after an append, until they are removed', async () => {
        const store = await openStore()
        let calls = 0
        let callsElsewhere = 0
        const stop = store.log.watch('w1', () => {
          calls += 1
        })
        store.log.watch('w2', () => {
          callsElsewhere += 1
        })
        await appendAll(store, 'a')
        await laterTurn()
        expect(calls).toBe(1)
        stop()
        stop()
        await appendAll(store, 'b')
        await laterTurn()
        expect([calls, callsElsewhere]).toEqual([1, 0])
      })

      it('has the batch ready when it calls a listener', async () => {
        const store = await openStore()
        const seen = new Promise<unknown[]>((resolve) => {
          store.log.watch('w1', () => resolve(messageIds(store)))
        })
        await appendAll(store, 'a')
        expect(await seen).toEqual(['a'])
      })

      it('calls the other listeners when one throws', async () => {
        const store = await openStore()
        let calls = 0
        store.log.watch('w1', () => {
          throw new Error('a listener of a test')
        })
        store.log.watch('w1', () => {
          calls += 1
        })
        await appendAll(store, 'a')
        await laterTurn()
        expect(calls).toBe(1)
      })
    })

    it('shows a workspace nothing of another', async () => {
      const store = await openStore()
      const { log } = store
      await log.register('w2', 'c1')
      const first = await log.append(sampleBatch(), [sampleCount()])
      const position = await log.append(sampleBatch({ workspaceId: 'w2' }), [])
      expect((await log.read('w1', 0, 10)).map((batch) => batch.position)).toEqual([first])
      expect((await log.read('w2', 0, 10)).map((batch) => batch.position)).toEqual([position])
      expect(await log.cursors('w1')).toEqual(new Map())
      expect(await log.end('w1')).toBe(first)
      expect(await log.end('w3')).toBe(0)
      await expect(log.commit(progress(first))).rejects.toThrow(InvariantError)
      await log.unregister('w1', 'c1')
      expect(await log.cursors('w2')).toEqual(new Map([['c1', 0]]))
      await log.trim('w1', keepNothing)
      expect(await log.read('w2', 0, 10)).toHaveLength(1)
    })

    describe('close', () => {
      it('waits for calls in progress', async () => {
        const { log, close } = await openStore()
        const appended = Promise.allSettled(Array.from({ length: 50 }, () => log.append(sampleBatch(), [])))
        const read = log.read('w1', 0, 1)
        await close()
        expect((await appended).filter(({ status }) => status === 'rejected')).toEqual([])
        expect(await read).toBeInstanceOf(Array)
      })

      it('can be called twice, and refuses later calls', async () => {
        const { log, counters, receipts, regulations, schema, close } = await openStore()
        await Promise.all([close(), close()])
        await close()
        const later = [
          () => log.append(sampleBatch(), []),
          () => log.requireRoom('w1'),
          () => log.read('w1', 0, 1),
          () => log.commit(progress(1)),
          () => counters.read('w1'),
          () => receipts.find('w1', 'm1'),
          () => regulations.add([]),
          () => schema.models('w1'),
        ]
        for (const call of later) await expect(call()).rejects.toThrow(StoreClosedError)
        expect(() => log.watch('w1', () => {})).toThrow(StoreClosedError)
      })
    })

    it('forgets a user: replaces their events by empty ones, read or not, and changes nothing else', async () => {
      const { log } = await openStore()
      const of = (...users: readonly string[]) =>
        sampleBatch({ events: users.map((userId, i) => ({ userId, messageId: `${i}`, note: 'names "u1"' })) })
      for (const batch of [of('u1', 'u2'), of('u2'), of(' u1 '), sampleBatch({ ...of('u1'), workspaceId: 'w2' })])
        await log.append(batch, [])
      // A log may keep the events of each user apart.
      const texts = async () =>
        (await log.read('w1', 0, 9)).flatMap(({ events }) => events.map((each) => JSON.stringify(each)))
      const others = (await texts()).filter((text) => text.includes('"u2"'))
      expect(await log.forgetUsers('w1', ['u1'])).toBe(2)
      expect(await log.forgetUsers('w1', ['u1'])).toBe(0)
      expect((await texts()).sort()).toEqual([...others, '{}', '{}'].sort())
      expect((await log.read('w2', 0, 9))[0]?.events[0]).toMatchObject({ userId: 'u1' })
    })

    it('forgets a user whose id was written differently: with invisible characters, as a number, as an object', async () => {
      const { log } = await openStore()
      const ids = ['4\u200b2', '4\n2', '4\ud8002', 42, '42', '\ufeff42\t', { a: '"' }, 'other']
      await log.append(sampleBatch({ events: ids.map((userId, i) => ({ userId: userId as string, n: i })) }), [])
      expect(await log.forgetUsers('w1', ['42'])).toBe(6)
      expect(await log.forgetUsers('w1', ['{"a":"\\""}'])).toBe(1)
      const left = (await log.read('w1', 0, 9)).flatMap(({ events }) => events)
      expect(left).toHaveLength(ids.length)
      expect(left.filter((event) => Object.keys(event).length > 0)).toEqual([{ userId: 'other', n: 7 }])
    })

    it('forgets a user by any identifier of an event, in any Unicode form', async () => {
      const { log } = await openStore()
      const id = 'zo\u00eb'
      const other = 'zoe\u0308'
      const events: readonly Event[] = [
        { userId: other },
        { anonymousId: id, userId: 'u' },
        { type: 'alias', previousId: other, userId: 'u' },
        { type: 'identify', traits: { id }, anonymousId: 'a' },
        { type: 'track', context: { traits: { userId: id } }, anonymousId: 'a' },
        {
          type: 'track',
          context: {
            externalId: [
              { type: 't', id: 'x' },
              { type: 'u', id: other },
            ],
          },
          userId: 'u',
        },
        { type: 'merge', anonymousId: 'a', mergeProperties: [{ type: 'userId', value: other }] },
        { type: 'group', traits: { id }, userId: 'u' },
        { type: 'track', properties: { id, userId: id }, userId: 'u' },
        { type: 'track', userId: 'zoe' },
      ]
      for (const event of events) await log.append(sampleBatch({ events: [event] }), [])
      expect(await log.forgetUsers('w1', [id])).toBe(7)
      const left = (await log.read('w1', 0, 99)).flatMap((batch) => batch.events)
      const kept = left.filter((event) => Object.keys(event).length > 0)
      expect(kept.map(({ type }) => type).sort()).toEqual(['group', 'track', 'track'])
    })

    it('forgets several users in one call, wherever in the log and in an event their ids are', async () => {
      const { log } = await openStore()
      const ids = ['u1', 'q"uote', 'back\\slash', '[1]', 'ünï', 'kept']
      const event = (userId: string) => ({ properties: { userId: 'u9', user: '"userId":"u9"' }, userId })
      await Promise.all(ids.map((userId) => log.append(sampleBatch({ events: [event(userId)] }), [])))
      const large = 'x'.repeat(3 * 1024 ** 2)
      for (const userId of ['u1', 'kept', 'u1'])
        await log.append(sampleBatch({ events: [{ ...event(userId), large }] }), [])
      await Promise.all(
        Array.from({ length: 450 }, (_, n) => log.append(sampleBatch({ events: [event(`n${n % 30}`)] }), [])),
      )
      expect(await log.forgetUsers('w1', [...ids.slice(0, -1), 'n0', 'n29', 'unknown', 'u9'])).toBe(5 + 2 + 2 * 15)
      const left = (await log.read('w1', 0, 999)).flatMap(({ events }) => events.map((each) => each['userId']))
      expect(left).toHaveLength(6 + 3 + 450)
      expect(left.filter((userId) => userId === 'kept')).toHaveLength(2)
      expect(left.filter((userId) => userId === undefined)).toHaveLength(37)
      expect(await log.forgetUsers('w1', [])).toBe(0)
    })

    if (reopen)
      it('has what was acknowledged after close and reopen', async () => {
        const store = await openStore()
        await store.log.register('w1', 'c1')
        const [first = 0, second = 0] = await appendAll(store, 'a', 'b')
        await store.log.commit(progress(first))
        await store.log.trim('w1', keepNothing)
        await store.close()
        const again = await reopenStore()
        expect(await messageIds(again)).toEqual(['b'])
        expect(await again.log.cursors('w1')).toEqual(new Map([['c1', first]]))
        expect(await again.log.end('w1')).toBe(second)
        const [third] = await appendAll(again, 'c')
        expect(third).toBeGreaterThan(second)
      })
  })
}

/** Listeners are called in a later turn of the event loop. */
const laterTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5))
