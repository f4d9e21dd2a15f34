import { identifierText } from '@sluice/core'
import type { Store } from '@sluice/pipeline'
import { describe, expect, it } from 'vitest'
import { type OpenStore, openStores, type SuiteOptions } from '../open-stores.ts'
import { sampleBatch, sampleCount, sampleDeadLetter, sampleDeferred, sampleReceipt } from '../sample-records.ts'

/** The promises of the `RetryStore` port. */
export function describeRetryStore(name: string, open: OpenStore, { reopen }: SuiteOptions = {}): void {
  describe(`retry store: ${name}`, () => {
    const openStore = openStores(open)
    const reopenStore = openStores(reopen ?? open)

    it('has nothing before something is deferred', async () => {
      const { retries } = await openStore()
      expect([await retries.destinations('w1'), await retries.entries('w1', 'd1')]).toEqual([[], []])
    })

    it('keeps what a consumer deferred together with its cursor, in the order it was deferred', async () => {
      const store = await openStore()
      const events = ['c', 'a', 'b'].map((id) => sampleDeferred({ id, userKeys: [`user of ${id}`], dueAt: 7 }))
      await commitWith(store, { deferred: events })
      await commitWith(store, { deferred: [sampleDeferred({ id: 'd', destinationId: 'd2' })] })
      expect(await store.retries.destinations('w1')).toEqual(['d1', 'd2'])
      expect(await store.retries.entries('w1', 'd1')).toEqual(
        events.map(({ id, userKeys, dueAt }) => ({ id, userKeys, dueAt })),
      )
      expect(await store.retries.read('w1', ['b', 'c', 'unknown'])).toEqual([events[0], events[2]])
    })

    it('keeps events that are added directly, with their counts', async () => {
      const store = await openStore()
      const events = ['b', 'a'].map((id) => sampleDeferred({ id }))
      await store.retries.add('w1', events, [sampleCount({ kind: 'replayed', count: 2 })])
      expect(await store.retries.read('w1', ['a', 'b'])).toEqual(events)
      expect(await store.counters.read('w1')).toEqual([sampleCount({ kind: 'replayed', count: 2 })])
    })

    it('finds those of one message at all destinations, up to the given number', async () => {
      const store = await openStore()
      const other = { ...sampleDeferred().source, event: { messageId: 'ä\u0000😀' } }
      const events = ['a', 'b', 'c'].map((id) => sampleDeferred({ id, destinationId: `of ${id}`, source: other }))
      await commitWith(store, { deferred: [...events, sampleDeferred({ id: 'd' })] })
      expect(await store.retries.ofMessage('w1', other.event.messageId, 2)).toEqual([])
      expect(await store.retries.ofMessage('w1', identifierText(other.event.messageId), 2)).toEqual(events.slice(0, 2))
      expect(await store.retries.ofMessage('w2', identifierText(other.event.messageId), 2)).toEqual([])
    })

    it('shows a workspace nothing of another', async () => {
      const store = await openStore()
      await commitWith(store, { deferred: [sampleDeferred({ id: 'a' })] })
      expect([await store.retries.destinations('w2'), await store.retries.read('w2', ['a'])]).toEqual([[], []])
    })

    it('stores what became of retried events: ended ones are deleted, others keep their place', async () => {
      const store = await openStore()
      await commitWith(store, { deferred: ['a', 'b', 'c'].map((id) => sampleDeferred({ id })) })
      const again = sampleDeferred({ id: 'a', attempts: 9, dueAt: 99, userKeys: ['another'] })
      await store.retries.commit({
        writeId: 'write 1',
        workspaceId: 'w1',
        destinationId: 'd1',
        ended: ['b'],
        again: [again],
        counts: [sampleCount({ destinationId: 'd1', kind: 'delivered' })],
        receipts: [sampleReceipt()],
        deadLetters: [sampleDeadLetter({ id: 'l' })],
      })
      expect(await store.retries.read('w1', ['a', 'b', 'c'])).toEqual([again, sampleDeferred({ id: 'c' })])
      expect((await store.retries.entries('w1', 'd1')).map(({ id, dueAt }) => [id, dueAt])).toEqual([
        ['a', 99],
        ['c', sampleDeferred({}).dueAt],
      ])
      expect(await store.counters.read('w1')).toMatchObject([{ kind: 'delivered', count: 1 }])
      expect(await store.receipts.find('w1', 'm1')).toEqual([sampleReceipt()])
      expect(await store.deadLetters.find('w1', 'l')).toEqual(sampleDeadLetter({ id: 'l' }))
    })

    it('stores a commit once that is tried again under its id, also behind others, and other commits each', async () => {
      const store = await openStore()
      await commitWith(store, { deferred: ['a', 'b'].map((id) => sampleDeferred({ id })) })
      const failed = (id: string) => ({
        writeId: `write of ${id}`,
        workspaceId: 'w1',
        destinationId: 'd1',
        ended: [id],
        again: [],
        counts: [sampleCount({ destinationId: 'd1', kind: 'failed' })],
        receipts: [],
        deadLetters: [sampleDeadLetter({ id: `letter of ${id}` })],
      })
      for (const id of ['a', 'a', 'b', 'a', 'b']) await store.retries.commit(failed(id))
      expect(await store.counters.read('w1')).toMatchObject([{ kind: 'failed', count: 2 }])
      expect(await store.deadLetters.ids('w1', {}, 10)).toEqual(['letter of a', 'letter of b'])
      expect(await store.deadLetters.usage('w1')).toMatchObject({ letters: 2 })
    })

    it('changes nothing for an event that no longer exists', async () => {
      const store = await openStore()
      await store.retries.commit({
        writeId: 'write 1',
        workspaceId: 'w1',
        destinationId: 'd1',
        ended: ['x'],
        again: [sampleDeferred({ id: 'y' })],
        counts: [],
        receipts: [],
        deadLetters: [],
      })
      expect(await store.retries.entries('w1', 'd1')).toEqual([])
    })

    it('finds the events of one user', async () => {
      const store = await openStore()
      const { source } = sampleDeferred()
      const other = { ...source, event: { ...source.event, userId: 'u2' } }
      await commitWith(store, { deferred: [sampleDeferred({ id: 'a' }), sampleDeferred({ id: 'b', source: other })] })
      expect(await store.retries.ofUser('w1', 'u2')).toEqual([{ id: 'b', destinationId: 'd1' }])
      expect(await store.retries.ofUser('w2', 'u2')).toEqual([])
    })

    it('finds the events of each of their users, also after they are deferred again with other outputs', async () => {
      const store = await openStore()
      const otherOrigins = [{ sourceId: 's1', identifiers: ['u3', 'a3'] }]
      const event = sampleDeferred({ id: 'a', source: { ...sampleDeferred().source, otherOrigins } })
      const withOutput = (userId: string) => ({ ...event, outputs: [{ event: { userId }, done: [] }] })
      await commitWith(store, { deferred: [withOutput('u4')] })
      const found = [{ id: 'a', destinationId: 'd1' }]
      for (const userId of ['u1', 'u3', 'a3', 'u4']) expect(await store.retries.ofUser('w1', userId)).toEqual(found)
      const again = [withOutput('u5')]
      const nothing = { counts: [], receipts: [], deadLetters: [] }
      await store.retries.commit({ writeId: '1', workspaceId: 'w1', destinationId: 'd1', ended: [], again, ...nothing })
      for (const userId of ['u1', 'u3', 'a3', 'u5']) expect(await store.retries.ofUser('w1', userId)).toEqual(found)
      expect(await store.retries.ofUser('w1', 'u4')).toEqual([])
      await store.retries.commit({
        writeId: '2',
        workspaceId: 'w1',
        destinationId: 'd1',
        ended: ['a'],
        again: [],
        ...nothing,
      })
      for (const userId of ['u1', 'u3', 'u5']) expect(await store.retries.ofUser('w1', userId)).toEqual([])
    })

    if (reopen)
      it('knows the ids of commits after close and reopen', async () => {
        const store = await openStore()
        const counts = [sampleCount({ destinationId: 'd1', kind: 'failed' })]
        const retried = { writeId: 'w', workspaceId: 'w1', destinationId: 'd1', ended: [], again: [], counts }
        const commit = ({ retries }: Store) => retries.commit({ ...retried, receipts: [], deadLetters: [] })
        await commit(store)
        await store.close()
        const again = await reopenStore()
        await commit(again)
        expect(await again.counters.read('w1')).toMatchObject([{ kind: 'failed', count: 1 }])
      })

    if (reopen)
      it('has what was acknowledged after close and reopen', async () => {
        const store = await openStore()
        await commitWith(store, { deferred: [sampleDeferred({ id: 'a' })] })
        await store.close()
        expect(await (await reopenStore()).retries.read('w1', ['a'])).toEqual([sampleDeferred({ id: 'a' })])
      })
  })
}

/** Stores deferred events and dead letters with the progress of a consumer. */
export async function commitWith(
  { log }: Store,
  made: Pick<Parameters<Store['log']['commit']>[0], 'deferred' | 'deadLetters'>,
): Promise<void> {
  await log.register('w1', 'consumer')
  const position = await log.append(sampleBatch(), [])
  await log.commit({ workspaceId: 'w1', consumer: 'consumer', position, counts: [], receipts: [], ...made })
}
