import type { Change, ChangeFilter } from '@sluice/pipeline'
import { describe, expect, it } from 'vitest'
import { type OpenStore, openStores, type SuiteOptions } from '../open-stores.ts'

const sampleChange = (more: Partial<Change> = {}): Change => ({
  workspaceId: 'w1',
  at: 1_767_225_600_000,
  who: 'ü😀@mail.test',
  kind: 'paused',
  subject: { kind: 'destination', id: 'hook', name: 'Webhook shop' },
  text: 'paused destination Webhook shop',
  ...more,
})

/** The promises of the `ChangeLog` port. */
export function describeChangeLog(name: string, open: OpenStore, { reopen }: SuiteOptions = {}): void {
  describe(`change log: ${name}`, () => {
    const openStore = openStores(open)
    const reopenStore = openStores(reopen ?? open)

    it('returns the newest changes of one workspace first, whole, with ids that continue on the next page', async () => {
      const { changeLog } = await openStore()
      const some = [
        sampleChange({ before: 'a', after: 'b', call: 'PUT /v2/destinations/hook', ref: 'v1' }),
        sampleChange({ kind: 'resumed', at: 0 }),
      ]
      await changeLog.add([sampleChange({ workspaceId: 'w2' })])
      await changeLog.add(some)
      await changeLog.add([])
      await changeLog.add([sampleChange({ at: 5 })])
      const listed = await changeLog.list('w1', 10)
      expect(listed.map(({ id: _, ...change }) => change)).toEqual([sampleChange({ at: 5 }), ...some.reverse()])
      const ids = listed.map(({ id }) => id)
      expect(ids).toEqual([...ids].sort((a, b) => b - a))
      expect(Math.min(...ids)).toBeGreaterThan(0)
      const first = await changeLog.list('w1', 2)
      expect([...first, ...(await changeLog.list('w1', 2, { before: first.at(-1)?.id ?? 0 }))]).toEqual(listed)
      expect(await changeLog.list('w3', 10)).toEqual([])
    })

    it('returns what a filter chooses: time, kind, kind and id of the subject', async () => {
      const { changeLog } = await openStore()
      await changeLog.add([
        sampleChange({ at: 1 }),
        sampleChange({ at: 2, kind: 'created', subject: { kind: 'source', id: 'hook', name: 'Web' } }),
        sampleChange({ at: 3, kind: 'deleted', subject: { kind: 'destination', id: 'Hook', name: 'Other' } }),
      ])
      const chosen = async (filter: ChangeFilter) => (await changeLog.list('w1', 10, filter)).map(({ at }) => at)
      expect(await chosen({ kind: 'created' })).toEqual([2])
      expect(await chosen({ subjectKind: 'destination' })).toEqual([3, 1])
      expect(await chosen({ subjectId: 'hook' })).toEqual([2, 1])
      expect(await chosen({ subjectKind: 'source', subjectId: 'hook' })).toEqual([2])
      expect(await chosen({ since: 2, until: 3 })).toEqual([2])
    })

    it('adds more changes at once than fit into one statement, in their order', async () => {
      const { changeLog } = await openStore()
      await changeLog.add(Array.from({ length: 250 }, (_, at) => sampleChange({ at })))
      const times = (await changeLog.list('w1', 1_000)).map(({ at }) => at)
      expect(times).toEqual(Array.from({ length: 250 }, (_, place) => 249 - place))
    })

    if (reopen)
      it('has what was acknowledged after close and reopen', async () => {
        const store = await openStore()
        await store.changeLog.add([sampleChange()])
        await store.close()
        expect(await (await reopenStore()).changeLog.list('w1', 10)).toMatchObject([sampleChange()])
      })
  })
}
