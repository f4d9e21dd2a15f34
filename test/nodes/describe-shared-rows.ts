import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KnownPast } from '../../packages/postgres/src/membership/known-past.ts'
import type { NewNode, SharedRows } from '../../packages/postgres/src/membership/shared-rows.ts'

/** Rows of a cluster without processes, and what others than processes do to them. */
export interface SharedRowsHost {
  readonly rows: SharedRows
  /** Makes a change that all processes have to apply. */
  change(): Promise<void>
  close(): Promise<void>
}

export interface SharedRowsSuiteOptions {
  /** Why it has no definitions and no barriers, where it has none. */
  readonly lacks?: string
}

const newNode = (id: string, more: Partial<NewNode> = {}): NewNode => ({
  id,
  isMember: true,
  isDraining: false,
  leaseMs: 5_000,
  knows: { shared: 1, cluster: 1 },
  definition: '',
  file: '',
  deduplicationMs: undefined,
  ...more,
})

/** The promises of `SharedRows`, on which the protocol of a cluster rests. */
export function describeSharedRows(
  name: string,
  open: () => Promise<SharedRowsHost>,
  { lacks }: SharedRowsSuiteOptions = {},
): void {
  describe(`shared rows: ${name}`, () => {
    let host: SharedRowsHost
    let rows: SharedRows
    beforeEach(async () => {
      host = await open()
      rows = host.rows
    })
    afterEach(() => host.close())

    const idsOf = async () => (await rows.nodes()).map(({ id }) => id).toSorted()
    /** Lanes by process. */
    const owners = async () => {
      const held = (await rows.lanes()).filter(({ node_id }) => node_id !== null)
      return held.map(({ number, node_id }) => `${node_id} ${number}`).toSorted()
    }

    it('count the beats of a process, and know none of one that is not there', async () => {
      await rows.addNode(newNode('a'))
      expect(await rows.beat('a')).toMatchObject({ beat: 1, is_draining: false, losses: 0 })
      expect(await rows.beat('a')).toMatchObject({ beat: 2 })
      expect(await rows.beat('b')).toBeUndefined()
      expect(await rows.nodes()).toMatchObject([{ id: 'a', beat: 2, lease_ms: 5_000, is_member: true }])
    })

    it('show which processes are members, and which are asked to hold no lanes', async () => {
      await rows.addNode(newNode('a', { isMember: false }))
      await rows.addNode(newNode('b', { isDraining: true }))
      const shown = async () =>
        (await rows.nodes()).map(({ id, is_member, is_draining }) => [id, is_member, is_draining])
      expect((await shown()).toSorted()).toEqual([
        ['a', false, false],
        ['b', true, true],
      ])
      await rows.makeMember('a', undefined)
      await rows.makeMember('gone', undefined)
      expect((await shown()).toSorted()[0]).toEqual(['a', true, false])
      expect(await rows.beat('b')).toMatchObject({ is_draining: true })
    })

    it('remove a silent process only if it has not beaten since it was looked at', async () => {
      await rows.addNode(newNode('a'))
      await rows.beat('a')
      await rows.beat('a')
      await rows.removeSilent('a', 1)
      expect(await idsOf()).toEqual(['a'])
      await rows.removeSilent('a', 2)
      expect([await idsOf(), await rows.beat('a')]).toEqual([[], undefined])
    })

    it('give a lane to one process at a time: the first that takes it', async () => {
      await rows.addNode(newNode('a'))
      await rows.addNode(newNode('b'))
      expect([...(await rows.take('a', [1, 2]))].toSorted()).toEqual([1, 2])
      expect(await rows.take('b', [2, 3])).toEqual([3])
      // What it has already, it gets again: the answer may have been lost.
      expect(await rows.take('a', [2])).toEqual([2])
      expect(await owners()).toEqual(['a 1', 'a 2', 'b 3'])
    })

    it('give lanes of a process that is gone to the next one, and none to a process that is not there', async () => {
      await rows.addNode(newNode('a'))
      await rows.addNode(newNode('b'))
      await rows.take('a', [1])
      expect(await rows.take('gone', [5])).toEqual([])
      await rows.removeNode('a')
      expect(await rows.take('a', [1])).toEqual([])
      expect(await owners()).toEqual(['a 1'])
      expect(await rows.take('b', [1])).toEqual([1])
      expect(await owners()).toEqual(['b 1'])
    })

    it('take from a process only lanes that it holds', async () => {
      for (const id of ['a', 'b']) await rows.addNode(newNode(id))
      await rows.take('a', [1])
      await rows.take('b', [2])
      await rows.give('a', [1, 2, 3])
      expect(await owners()).toEqual(['b 2'])
    })

    it('free all lanes of a process that leaves, or that stays without being a member', async () => {
      for (const id of ['a', 'b']) {
        await rows.addNode(newNode(id))
        await rows.take(id, id === 'a' ? [1, 2] : [3])
      }
      await rows.leave('a', true)
      expect([await owners(), await idsOf()]).toEqual([['b 3'], ['a', 'b']])
      expect((await rows.nodes()).find(({ id }) => id === 'a')?.is_member).toBe(false)
      await rows.leave('b', false)
      expect([await owners(), await idsOf()]).toEqual([[], ['a']])
    })

    it('say which members have not applied all changes, beginning with those after they came', async () => {
      await host.change()
      await rows.addNode(newNode('a'))
      await rows.addNode(newNode('out', { isMember: false }))
      const count = (await rows.changes())?.count ?? 0
      expect(await rows.changesAndBehind()).toMatchObject({ count, behind: [] })
      await host.change()
      expect(await rows.changes()).toMatchObject({ count: count + 1 })
      expect(await rows.beat('a')).toMatchObject({ changes: count + 1 })
      expect(await rows.changesAndBehind()).toMatchObject({ count: count + 1, behind: ['a'] })
      expect([await rows.behind(count), await rows.behind(count + 1)]).toEqual([[], ['a']])
      await rows.sayApplied('a', count + 1)
      // What was said late takes nothing back.
      await rows.sayApplied('a', count)
      expect(await rows.behind(count + 1)).toEqual([])
      await rows.makeMember('out', undefined)
      expect(await rows.behind(count + 1)).toEqual(['out'])
    })

    it('find nothing missing in a database that has all that a process knew of it', async () => {
      const { state, missing } = await rows.resume(new KnownPast(), { as: undefined, others: [] })
      expect(missing).toMatchObject({ batches: 0, changes: 0 })
      expect(state.changes).toBe((await rows.changes())?.count)
    })

    // The simulation has no rows for what follows: its member calls none of these.
    if (lacks !== undefined) return

    it('have the work for which a call waits, until every member has passed it', async () => {
      await rows.addNode(newNode('a'))
      const first = await rows.addBarrier('w', undefined)
      const second = await rows.addBarrier('w', 'd')
      expect(second).toBeGreaterThan(first)
      expect(await rows.barriersAfter(0, 9)).toMatchObject([
        { id: first, workspace_id: 'w', destination_id: null },
        { id: second, workspace_id: 'w', destination_id: 'd' },
      ])
      expect([(await rows.barriersAfter(first, 9)).length, (await rows.barriersAfter(0, 1)).length]).toEqual([1, 1])
      expect(await rows.hasNotPassed(first)).toBe(true)
      await rows.sayPassed('a', first)
      expect([await rows.hasNotPassed(first), await rows.hasNotPassed(second)]).toEqual([false, true])
      expect(await rows.beat('a')).toMatchObject({ passed: first })
      // One that comes later waits for nothing that was there before.
      await rows.addNode(newNode('b'))
      await rows.sayPassed('a', second)
      expect(await rows.hasNotPassed(second)).toBe(false)
    })

    describe('with definitions', () => {
      const say = (id: string, file: string, before = '') =>
        rows.sayDefinition(id, { digest: `of ${file}`, file, revision: 1, routes: new Map() }, before)
      const newest = async () =>
        [...(await rows.nodes())].toSorted((a, b) => b.seen_at - a.seen_at).find(({ file }) => file !== '')?.file

      it('take the file for the newest that was seen last for the first time, or returned to', async () => {
        for (const id of ['a', 'b']) await rows.addNode(newNode(id))
        await say('a', 'old')
        await say('b', 'new')
        expect(await newest()).toBe('new')
        await say('a', 'old')
        expect(await newest()).toBe('new')
        expect([await rows.differs('a', 'of old'), await rows.differs('b', 'of new')]).toEqual([true, true])
        // It has the older file already, and returns to nothing.
        await say('a', 'old', 'old')
        expect(await newest()).toBe('new')
        await say('b', 'old', 'new')
        await rows.addNode(newNode('c', { file: 'new' }))
        expect(await newest()).toBe('old')
        await rows.removeNode('c')
        expect([await rows.differs('a', 'of old'), await rows.differs('b', 'of old')]).toEqual([false, false])
        await rows.sayChanging('b')
        expect([await rows.differs('a', 'of old'), await rows.differs('b', '')]).toEqual([true, true])
        expect(await rows.routesOf('old')).toBe('[]')
        expect(await rows.routesOf('none')).toBeUndefined()
      })

      it('let a process return to a file only from the newest one', async () => {
        for (const id of ['a', 'b', 'c']) await rows.addNode(newNode(id))
        await say('a', 'first')
        await say('a', 'second', 'first')
        await say('b', 'third')
        // It has left a file that was not the newest: what it has now is not, either.
        await say('a', 'first', 'second')
        expect(await newest()).toBe('third')
        // The same when the newest is that of a process that went silent, and may come back.
        await rows.removeSilent('b', 0)
        await say('a', 'second', 'first')
        await say('c', 'third')
        expect(await newest()).toBe('third')
        // Also when it was removed meanwhile: the file it left was the newest.
        await rows.removeSilent('c', 0)
        await say('c', 'first', 'third')
        await say('a', 'first', 'second')
        await rows.addNode(newNode('d', { file: 'third' }))
        expect(await newest()).toBe('first')
      })

      it('remember the file of a process that went silent, until one with it leaves', async () => {
        for (const id of ['a', 'b', 'c']) await rows.addNode(newNode(id))
        await say('a', 'old')
        await say('b', 'new')
        expect(await rows.silentFiles()).toEqual([])
        await rows.removeSilent('b', 0)
        expect(await rows.silentFiles()).toMatchObject([{ file: 'new', revision: 1 }])
        // It has a newer one, so what it knows may be too little.
        expect(await rows.differs('a', 'of old')).toBe(true)
        await say('c', 'new')
        await rows.leave('c', false)
        expect(await rows.silentFiles()).toEqual([])
      })
    })
  })
}
