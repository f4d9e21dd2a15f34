import type { DeadLetterLimits, Store } from '@sluice/pipeline'
import { describe, expect, it } from 'vitest'
import { openStores } from './open-stores.ts'
import { sampleBatch, sampleDeadLetter, sampleReceipt } from './sample-records.ts'

/** Limits over all workspaces. */
export interface SharedLimits {
  readonly receiptsMax?: number
  readonly deadLetterLimits?: Partial<DeadLetterLimits>
}

/** The promises of the ports about limits that workspaces share. */
export function describeSharedLimits(name: string, open: (limits: SharedLimits) => Promise<Store>): void {
  describe(`limits that workspaces share: ${name}`, () => {
    let limits: SharedLimits = {}
    const opened = openStores(() => open(limits))
    const openStore = (of: SharedLimits) => {
      limits = of
      return opened()
    }
    const ids = (count: number) => Array.from({ length: count }, (_, n) => String(n))
    /** Adds dead letters of a workspace, and receipts of as many events. */
    const fail = async ({ log }: Store, workspaceId: string, count: number): Promise<void> => {
      await log.register(workspaceId, 'c')
      const position = await log.append(sampleBatch({ workspaceId }), [])
      const receipts = ids(count).map((id) => sampleReceipt({ workspaceId, messageId: `${position} ${id}` }))
      const deadLetters = ids(count).map((id) =>
        sampleDeadLetter({ workspaceId, id: `${workspaceId} ${position} ${id}` }),
      )
      await log.commit({ workspaceId, consumer: 'c', position, counts: [], receipts, deadLetters })
    }
    const lettersOf = async ({ deadLetters }: Store, workspaceId: string) =>
      (await deadLetters.list(workspaceId, { limit: 1_000 })).length

    it('dead letters: a flood in one workspace deletes only its own, and counts them', async () => {
      const store = await openStore({ deadLetterLimits: { lettersMax: 100 } })
      await fail(store, 'b', 40)
      for (let round = 0; round < 5; round += 1) await fail(store, 'a', 50)
      expect([await lettersOf(store, 'a'), await lettersOf(store, 'b')]).toEqual([60, 40])
      expect(await store.deadLetters.usage('b')).toMatchObject({ letters: 40, share: 0.4 })
      expect(await store.deadLetters.usage()).toMatchObject({ letters: 100, share: 1 })
      expect(await store.counters.read('b')).toEqual([])
      expect(await store.counters.read('a')).toMatchObject([{ kind: 'forgotten', reason: 'letters', count: 190 }])
      const newest = (await store.deadLetters.list('a', { limit: 1_000 })).at(-1)
      expect(newest?.id).toMatch(/ 49$/)
      // Borrowed room is given up when the other workspace needs its part.
      await fail(store, 'b', 20)
      expect([await lettersOf(store, 'a'), await lettersOf(store, 'b')]).toEqual([50, 50])
    })

    it('dead letters: the same for their bytes', async () => {
      const bytes = Buffer.byteLength(JSON.stringify(sampleDeadLetter({ workspaceId: 'a', id: 'a 10 10' })))
      const store = await openStore({ deadLetterLimits: { bytesMax: 100.5 * bytes } })
      await fail(store, 'b', 40)
      for (let round = 0; round < 5; round += 1) await fail(store, 'a', 50)
      expect(await lettersOf(store, 'b')).toBe(40)
      expect(await lettersOf(store, 'a')).toBeGreaterThan(55)
      expect((await store.deadLetters.usage()).share).toBeLessThanOrEqual(1)
      expect(await store.counters.read('b')).toEqual([])
    })

    it('dead letters: removed and replayed ones no longer count for the workspace', async () => {
      const store = await openStore({})
      await fail(store, 'a', 3)
      await fail(store, 'b', 3)
      const [first] = await store.deadLetters.list('a', { limit: 1 })
      await store.deadLetters.remove('a', [first?.id ?? ''])
      expect([(await store.deadLetters.usage('a')).letters, (await store.deadLetters.usage('b')).letters]).toEqual([
        2, 3,
      ])
      expect(await store.deadLetters.usage('unknown')).toEqual({ letters: 0, bytes: 0, share: 0 })
    })

    it('receipts: a flood in one workspace deletes only its own', async () => {
      const store = await openStore({ receiptsMax: 100 })
      await fail(store, 'b', 40)
      for (let round = 0; round < 5; round += 1) await fail(store, 'a', 50)
      expect(await store.receipts.count('b')).toBe(40)
      expect(await store.receipts.count('a')).toBe(60)
      expect(store.receipts.receiptsMax).toBe(100)
      await fail(store, 'b', 20)
      expect([await store.receipts.count('a'), await store.receipts.count('b')]).toEqual([50, 50])
    })

    it('the log reports what a workspace takes of it', async () => {
      const store = await openStore({})
      await store.log.register('a', 'c')
      const batch = sampleBatch({ workspaceId: 'a' })
      await store.log.append(batch, [])
      expect((await store.log.usage('a')).bytes).toBe(Buffer.byteLength(JSON.stringify(batch.events)))
      expect((await store.log.usage('b')).bytes).toBe(0)
    })
  })
}
