import { type DeletionJob, deletionWaitMsMax, needsIds } from '@sluice/regulation'
import { describe, expect, it } from 'vitest'
import { type OpenStore, openStores, type SuiteOptions } from '../open-stores.ts'
import { sampleJob, sampleRegulation } from '../sample-records.ts'

/** The promises of the `DeletionStore` port. */
export function describeDeletionStore(name: string, open: OpenStore, { reopen }: SuiteOptions = {}): void {
  describe(`deletion store: ${name}`, () => {
    const openStore = openStores(open)
    const reopenStore = openStores(reopen ?? open)
    const regulation = sampleRegulation()
    const job = (id: string, more: Partial<DeletionJob> = {}) => sampleJob({ id, regulationId: regulation.id, ...more })
    const target = { workspaceId: 'w1', destinationId: 'd1' }

    async function openWith(...jobs: readonly DeletionJob[]) {
      const store = await openStore()
      await store.regulations.add([regulation], jobs)
      return store.regulations
    }

    it('keeps jobs together with their regulation, in order of destination', async () => {
      const jobs = [job('a', { destinationId: 'd2' }), job('b'), job('c', { destinationId: '' })]
      const { deletions } = await openWith(...jobs)
      expect(await deletions.ofRegulation('w1', regulation.id)).toEqual([jobs[2], jobs[1], jobs[0]])
      expect(await deletions.ofRegulation('w2', regulation.id)).toEqual([])
    })

    it('returns which of many regulations have jobs, of one workspace', async () => {
      const { deletions } = await openWith(job('a'), job('b', { destinationId: 'd2' }))
      const ids = [regulation.id, ...Array.from({ length: 500 }, (_, i) => `unknown-${i}`)]
      expect(await deletions.ordered('w1', ids)).toEqual(new Set([regulation.id]))
      expect(await deletions.ordered('w2', ids)).toEqual(new Set())
    })

    it('has jobs wait that were aborted before they began, unless their regulation was cancelled', async () => {
      const aborted = { status: 'aborted', reason: 'no ids' } as const
      const regulations = await openWith(
        job('a', { ...aborted, attempts: 0 }),
        job('b', { ...aborted, destinationId: 'd2', attempts: 5 }),
        job('c', { destinationId: 'd3' }),
      )
      const { deletions } = regulations
      await deletions.hold('w2', [regulation.id], 'needs a key')
      expect(await deletions.countHeld()).toEqual({ forKey: 0, forIds: 0 })
      await deletions.hold('w1', [regulation.id, 'unknown'], 'needs a key')
      const states = (await deletions.ofRegulation('w1', regulation.id)).map(({ status, reason }) => [status, reason])
      expect(states).toEqual([
        ['waiting', 'needs a key'],
        ['aborted', 'no ids'],
        ['pending', undefined],
      ])
      // What waits is not due, whatever its time is.
      expect(await deletions.due(10 ** 12)).toEqual([{ workspaceId: 'w1', destinationId: 'd3' }])
      await regulations.cancel('w1', regulation.id)
      await deletions.hold('w1', [regulation.id], 'needs a key')
      expect(await deletions.countHeld()).toEqual({ forKey: 0, forIds: 0 })
    })

    it('completes a job that was aborted, unless its regulation was cancelled', async () => {
      const regulations = await openWith(
        job('a', { status: 'aborted', reason: 'cannot' }),
        job('b', { destinationId: 'd2' }),
        job('c', { destinationId: 'd3', status: 'aborted', reason: 'cannot' }),
      )
      const { deletions } = regulations
      const complete = (destinationId: string, workspaceId = 'w1') =>
        deletions.complete(workspaceId, regulation.id, destinationId, 'by hand ü😀')
      expect(await complete('d1', 'w2')).toBe(false)
      expect(await complete('d2')).toBe(false)
      expect(await complete('unknown')).toBe(false)
      expect(await complete('d1')).toBe(true)
      expect(await complete('d1')).toBe(false)
      await regulations.cancel('w1', regulation.id)
      expect(await complete('d3')).toBe(false)
      const states = (await deletions.ofRegulation('w1', regulation.id)).map(({ status, reason }) => [status, reason])
      expect(states).toEqual([
        ['complete', 'by hand ü😀'],
        ['aborted', 'cancelled'],
        ['aborted', 'cannot'],
      ])
    })

    it('makes a job due that waits after a failure, unless its regulation was cancelled', async () => {
      const regulations = await openWith(
        job('a', { status: 'failed', dueAt: 99 }),
        job('b', { destinationId: 'd2' }),
        job('c', { destinationId: 'd3', status: 'aborted', reason: 'cannot' }),
        job('d', { destinationId: 'd4', status: 'failed', dueAt: 99 }),
      )
      const { deletions } = regulations
      const bringForward = (destinationId: string, workspaceId = 'w1') =>
        deletions.bringForward(workspaceId, regulation.id, destinationId, 50)
      expect(await bringForward('d1', 'w2')).toBe(false)
      for (const destinationId of ['d2', 'd3', 'unknown']) expect(await bringForward(destinationId)).toBe(false)
      expect(await deletions.begin(target, 50, 9)).toEqual([])
      expect(await bringForward('d1')).toBe(true)
      expect(await deletions.begin(target, 50, 9)).toMatchObject([{ id: 'a', status: 'running' }])
      await regulations.cancel('w1', regulation.id)
      expect(await bringForward('d4')).toBe(false)
    })

    it('counts the jobs that need a key, and those that need ids, until their regulation is cancelled', async () => {
      const regulations = await openWith(
        job('a', { status: 'waiting', reason: 'needs a key', attempts: 0 }),
        job('b', { status: 'aborted', reason: needsIds, destinationId: 'd2', attempts: 0 }),
        job('c', { status: 'aborted', reason: 'given up', destinationId: 'd3' }),
        job('d', { destinationId: 'd4' }),
      )
      expect(await regulations.deletions.countHeld()).toEqual({ forKey: 1, forIds: 1 })
      await regulations.cancel('w1', regulation.id)
      expect(await regulations.deletions.countHeld()).toEqual({ forKey: 0, forIds: 0 })
    })

    it('adds nothing beyond the limit of jobs of a workspace since a time', async () => {
      const store = await openStore()
      const second = sampleRegulation({ id: '00000000-0000-7000-8000-0000000000ff' })
      const limit = { workspaceId: 'w1', fromId: 'b', max: 3 }
      // Before the time, and of another workspace: neither counts.
      await store.regulations.add([regulation], [job('a'), job('b1'), job('b2', { workspaceId: 'w2' }), job('b3')])
      expect(await store.regulations.add([second], [job('c'), job('d')], limit)).toBe(false)
      expect(await store.regulations.find('w1', second.id)).toBeUndefined()
      expect(await store.regulations.add([second], [job('c')], limit)).toBe(true)
      expect(await store.regulations.add([second], [job('e')], limit)).toBe(false)
      expect(await store.regulations.add([second], [], limit)).toBe(true)
    })

    it('returns which jobs are due, and when the next one will be', async () => {
      const { deletions } = await openWith(job('a', { dueAt: 10 }), job('b', { destinationId: 'd2', dueAt: 20 }))
      expect(await deletions.due(9)).toEqual([])
      expect(await deletions.due(10)).toEqual([target])
      expect([await deletions.nextDueAt(9), await deletions.nextDueAt(10), await deletions.nextDueAt(20)]).toEqual([
        10,
        20,
        undefined,
      ])
    })

    it('has jobs due whose time lies further ahead than any wait: the clock was set back', async () => {
      const far = { destinationId: 'd2', dueAt: 50 + deletionWaitMsMax + 1 }
      const { deletions } = await openWith(job('a', { dueAt: 50 + deletionWaitMsMax }), job('b', far))
      expect(await deletions.due(50)).toEqual([{ workspaceId: 'w1', destinationId: 'd2' }])
      const begun = await Promise.all(
        ['d1', 'd2'].map((destinationId) => deletions.begin({ workspaceId: 'w1', destinationId }, 50, 9)),
      )
      expect(begun.flat().map(({ id }) => id)).toEqual(['b'])
    })

    it('begins the oldest due jobs of a destination, each once', async () => {
      const { deletions } = await openWith(job('a'), job('b', { destinationId: 'd2' }), job('c'), job('d'))
      const ids = async () => (await deletions.begin(target, 50, 2)).map(({ id, status }) => [id, status])
      expect(await ids()).toEqual([
        ['a', 'running'],
        ['c', 'running'],
      ])
      expect(await ids()).toEqual([['d', 'running']])
      expect(await ids()).toEqual([])
      expect(await deletions.due(50)).toEqual([{ workspaceId: 'w1', destinationId: 'd2' }])
    })

    it('stores the results of running jobs, and changes no others', async () => {
      const { deletions } = await openWith(job('a'), job('b'))
      const [begun] = await deletions.begin(target, 50, 1)
      const failed = { id: 'a', status: 'failed', attempts: 1, dueAt: 90, updatedAt: 60, reason: 'busy' } as const
      await deletions.end('w1', [failed, { ...failed, id: 'b' }])
      expect(await deletions.ofRegulation('w1', regulation.id)).toEqual(
        expect.arrayContaining([{ ...begun, ...failed }, job('b')]),
      )
      await deletions.begin(target, 90, 1)
      await deletions.end('w1', [{ id: 'a', status: 'complete', attempts: 2, dueAt: 90, updatedAt: 91 }])
      const done = (await deletions.ofRegulation('w1', regulation.id)).find(({ id }) => id === 'a')
      expect(done).toMatchObject({ status: 'complete', attempts: 2 })
      expect(done?.reason).toBe(undefined)
    })

    it('aborts waiting jobs when the regulation is cancelled, and leaves running and ended ones', async () => {
      const { deletions, cancel } = await openWith(job('a'), job('b'), job('c', { status: 'failed', dueAt: 99 }))
      await deletions.begin(target, 50, 1)
      await cancel('w1', regulation.id)
      const after = new Map((await deletions.ofRegulation('w1', regulation.id)).map((each) => [each.id, each]))
      expect([...'abc'].map((id) => after.get(id)?.status)).toEqual(['running', 'aborted', 'aborted'])
      expect(after.get('b')?.reason).toBe('cancelled')
      // The time is known.
      expect(after.get('b')?.updatedAt).toBeGreaterThan(job('b').updatedAt)
    })

    it('does not retry jobs that were running when the regulation was cancelled', async () => {
      const { deletions, cancel } = await openWith(job('a'), job('b'))
      await deletions.begin(target, 50, 9)
      await cancel('w1', regulation.id)
      await deletions.end('w1', [{ id: 'a', status: 'failed', attempts: 1, dueAt: 90, updatedAt: 60, reason: 'busy' }])
      const outcomes = async () =>
        (await deletions.ofRegulation('w1', regulation.id)).map(({ id, status, reason }) => [id, status, reason]).sort()
      expect(await outcomes()).toEqual([
        ['a', 'aborted', 'cancelled'],
        ['b', 'running', undefined],
      ])
      await deletions.resume()
      expect((await outcomes())[1]).toEqual(['b', 'aborted', 'cancelled'])
    })

    it('keeps the progress of running jobs through failure and restart, and none of others', async () => {
      const { deletions } = await openWith(job('a'), job('b'))
      await deletions.begin(target, 50, 1)
      await deletions.mark('w1', ['a', 'b'], 'half')
      await deletions.mark('w2', ['a'], 'elsewhere')
      await deletions.end('w1', [{ id: 'a', status: 'failed', attempts: 1, dueAt: 90, updatedAt: 60 }])
      const marks = async () => (await deletions.begin(target, 90, 9)).map(({ id, mark }) => [id, mark])
      expect(await marks()).toEqual([
        ['a', 'half'],
        ['b', undefined],
      ])
      await deletions.resume()
      expect((await marks())[0]).toEqual(['a', 'half'])
    })

    it('sets jobs to pending again that were running when the process ended', async () => {
      const { deletions } = await openWith(job('a'), job('b'))
      await deletions.begin(target, 50, 1)
      expect(await deletions.resume()).toBe(1)
      expect((await deletions.begin(target, 50, 9)).map(({ id }) => id)).toEqual(['a', 'b'])
    })

    if (reopen)
      it('has what was acknowledged after close and reopen', async () => {
        const store = await openStore()
        await store.regulations.add([regulation], [job('a')])
        await store.close()
        const { deletions } = (await reopenStore()).regulations
        expect(await deletions.ofRegulation('w1', regulation.id)).toEqual([job('a')])
      })
  })
}
