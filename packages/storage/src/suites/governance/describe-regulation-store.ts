import { aliasOf, keysOfRegulation, type RegulationStore } from '@sluice/regulation'
import { describe, expect, it } from 'vitest'
import { type OpenStore, openStores, type SuiteOptions } from '../open-stores.ts'
import { sampleJob, sampleRegulation } from '../sample-records.ts'

/** The promises of the `RegulationStore` port. */
export function describeRegulationStore(name: string, open: OpenStore, { reopen }: SuiteOptions = {}): void {
  describe(`regulation store: ${name}`, () => {
    const openStore = openStores(open)
    const reopenStore = openStores(reopen ?? open)
    const idOf = (number: number): string => `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`
    const listed = async (regulations: RegulationStore, workspaceId = 'w1') =>
      (await regulations.list(workspaceId, { limit: 10_000 })).regulations

    it('lists in the order in which they were added, cancelled ones included', async () => {
      const { regulations } = await openStore()
      const [first, second, third] = [1, 2, 3].map((number) => sampleRegulation({ id: idOf(number) }))
      if (!first || !second || !third) throw new Error('expected three regulations')
      await regulations.add([third, first])
      await regulations.add([second])
      await regulations.cancel('w1', second.id)
      expect(await listed(regulations)).toEqual([third, first, { ...second, canceled: true }])
    })

    it('returns those of all workspaces, page by page, in the order in which they were added', async () => {
      const { regulations } = await openStore()
      const added = ['w2', 'w1', 'w2'].map((workspaceId, i) => sampleRegulation({ workspaceId, id: idOf(9 - i) }))
      for (const each of added) await regulations.add([each])
      const first = await regulations.all({ limit: 2 })
      expect(first).toEqual({ regulations: added.slice(0, 2), next: expect.any(Number) })
      expect(await regulations.all({ after: first.next ?? 0, limit: 2 })).toEqual({ regulations: added.slice(2) })
    })

    it('keeps what it has of the ledger, until that is forgotten', async () => {
      const store = await openStore()
      const { ledger } = store.regulations
      expect(await ledger.marks()).toEqual(new Map())
      await ledger.mark(
        new Map([
          ['ledger', 'a'],
          ['chain 1', '{}'],
        ]),
      )
      await ledger.mark(new Map([['chain 1', '{"lines":1}']]))
      if (reopen) await store.close()
      const again = reopen ? (await reopenStore()).regulations.ledger : ledger
      expect(await again.marks()).toEqual(
        new Map([
          ['chain 1', '{"lines":1}'],
          ['ledger', 'a'],
        ]),
      )
      await again.forget()
      expect(await again.marks()).toEqual(new Map())
    })

    it('gives regulations other ids, with their changes and jobs', async () => {
      const { regulations } = await openStore()
      const [first, second, gone] = [1, 2, 3].map((number) =>
        sampleRegulation({ id: idOf(number), attributes: { userId: `alias-${number}` } }),
      )
      if (!first || !second || !gone) throw new Error('expected three regulations')
      const job = (id: string, regulationId: string, status: 'waiting' | 'aborted' | 'pending') =>
        sampleJob({ id, regulationId, destinationId: id, status, reason: 'no ids', attempts: 0 })
      const jobs = [
        job('a', first.id, 'waiting'),
        job('b', first.id, 'aborted'),
        job('c', second.id, 'waiting'),
        job('d', gone.id, 'waiting'),
        job('e', gone.id, 'aborted'),
      ]
      await regulations.add([first, second, gone], jobs)
      expect(await regulations.deletions.countHeld()).toEqual({ forKey: 3, forIds: 0 })
      await regulations.cancel('w1', gone.id)
      const before = (await regulations.changes(0, 100)).at(-1)?.position ?? 0
      const attributes = { userId: 'kim', email: 'kim@x.test' }
      await regulations.identify([
        { workspaceId: 'w1', id: first.id, attributes },
        { workspaceId: 'w1', id: gone.id, attributes: { userId: 'gone' } },
        { workspaceId: 'w2', id: second.id, attributes: { userId: 'other' } },
      ])
      expect(await listed(regulations)).toEqual([{ ...first, attributes }, second, { ...gone, canceled: true }])
      expect((await regulations.changes(before, 100)).map(({ userId, delta }) => [userId, delta])).toEqual([
        ['kim', 1],
        ['alias-1', -1],
      ])
      expect((await regulations.activeOf('w1', ['kim', 'alias-1'])).map(({ id }) => id)).toEqual([first.id])
      const statesOf = async (id: string) =>
        (await regulations.deletions.ofRegulation('w1', id)).map(({ status, reason, attributes: ids }) => [
          status,
          reason,
          ids.userId,
        ])
      expect(await statesOf(first.id)).toEqual([
        ['pending', undefined, 'kim'],
        ['pending', undefined, 'kim'],
      ])
      expect((await statesOf(second.id)).map(([status]) => status)).toEqual(['waiting'])
      expect((await statesOf(gone.id)).map(([status, reason]) => [status, reason])).toEqual([
        ['aborted', 'cancelled'],
        ['aborted', 'no ids'],
      ])
      expect(await regulations.deletions.countHeld()).toEqual({ forKey: 1, forIds: 0 })
    })

    it('returns every member', async () => {
      const { regulations } = await openStore()
      const regulation = sampleRegulation({
        regulationType: 'suppress_with_delete',
        attributes: { userId: 'ü😀', phone: '\ud800' },
        sourceIds: [],
        destinationIds: ['d1', 'd2'],
      })
      await regulations.add([regulation])
      expect(await listed(regulations)).toEqual([regulation])
    })

    it('changes nothing when an id is added again', async () => {
      const { regulations } = await openStore()
      await regulations.add([sampleRegulation()])
      await regulations.cancel('w1', sampleRegulation().id)
      await regulations.add([sampleRegulation({ attributes: { userId: 'u2' } }), sampleRegulation({ id: idOf(2) })])
      expect(await listed(regulations)).toEqual([
        sampleRegulation({ canceled: true }),
        sampleRegulation({ id: idOf(2) }),
      ])
    })

    it('returns the cancelled regulation from a cancel, also when repeated', async () => {
      const { regulations } = await openStore()
      await regulations.add([sampleRegulation()])
      const canceled = sampleRegulation({ canceled: true })
      expect(await regulations.cancel('w1', canceled.id)).toEqual(canceled)
      expect(await regulations.cancel('w1', canceled.id)).toEqual(canceled)
      expect(await regulations.cancel('w1', idOf(9))).toBeUndefined()
    })

    it('lists page by page, with regulations added meanwhile at the end', async () => {
      const { regulations } = await openStore()
      const added = Array.from({ length: 450 }, (_, index) => sampleRegulation({ id: idOf(index + 10) }))
      await regulations.add(added)
      const seen = []
      let page = await regulations.list('w1', { limit: 100 })
      const late = sampleRegulation({ id: idOf(1) })
      await regulations.add([sampleRegulation({ workspaceId: 'w2' }), late])
      for (;;) {
        expect(page.regulations.length).toBeLessThanOrEqual(100)
        seen.push(...page.regulations)
        if (page.next === undefined) break
        page = await regulations.list('w1', { after: page.next, limit: 100 })
      }
      expect(seen).toEqual([...added, late])
    })

    it('lists those of one user, page by page, in the same order', async () => {
      const { regulations } = await openStore()
      const added = ['u1', 'u2', 'u1', 'u1', 'u2'].map((userId, i) =>
        sampleRegulation({ id: idOf(9 - i), attributes: { userId } }),
      )
      await regulations.add([...added, sampleRegulation({ workspaceId: 'w2' })])
      const first = await regulations.list('w1', { limit: 2, userId: 'u1' })
      expect(first).toEqual({ regulations: [added[0], added[2]], next: expect.any(Number) })
      const after = first.next ?? 0
      expect(await regulations.list('w1', { after, limit: 2, userId: 'u1' })).toEqual({ regulations: [added[3]] })
      expect(await regulations.list('w1', { limit: 2, userId: 'u3' })).toEqual({ regulations: [] })
    })

    it('has no next page when the last one is full', async () => {
      const { regulations } = await openStore()
      await regulations.add([1, 2].map((number) => sampleRegulation({ id: idOf(number) })))
      await regulations.add([sampleRegulation({ workspaceId: 'w2' })])
      expect((await regulations.list('w1', { limit: 2 })).next).toBeUndefined()
      expect(await regulations.list('w3', { limit: 2 })).toEqual({ regulations: [] })
    })

    it('finds many by their ids, of one workspace', async () => {
      const { regulations } = await openStore()
      const added = Array.from({ length: 450 }, (_, i) => sampleRegulation({ id: idOf(i) }))
      await regulations.add([...added, sampleRegulation({ id: idOf(0), workspaceId: 'w2' })])
      await regulations.cancel('w1', idOf(7))
      const ids = Array.from({ length: 460 }, (_, i) => idOf(i))
      const found = await regulations.findAll('w1', ids)
      const byId = [...found].sort((a, b) => (a.id < b.id ? -1 : 1))
      expect(byId).toEqual(added.map((each, i) => ({ ...each, canceled: i === 7 })))
      expect(await regulations.findAll('w2', ids)).toHaveLength(1)
      expect(await regulations.findAll('w1', [])).toEqual([])
    })

    it('finds the active ones of users, of one workspace', async () => {
      const { regulations } = await openStore()
      const of = (number: number, userId: string, more = {}) =>
        sampleRegulation({ id: idOf(number), attributes: { userId }, ...more })
      const [first, second, third] = [of(1, 'a'), of(2, 'b'), of(3, 'a', { sourceIds: ['s9'] })]
      await regulations.add([first, second, third, of(4, 'a', { workspaceId: 'w2' })])
      await regulations.cancel('w1', second.id)
      expect(await regulations.activeOf('w1', ['b', 'a', 'unknown', 'a'])).toEqual([first, third])
      expect(await regulations.activeOf('w1', [])).toEqual([])
    })

    it('finds active ones by each key of the person, and has a change for each', async () => {
      const { regulations } = await openStore()
      const attributes = { userId: 'u1', email: ' Ann@Mail.test', phone: '+49 (30) 12', loyalty: '7' }
      const guest = sampleRegulation({ id: idOf(1), regulationType: 'suppress_with_delete', attributes })
      expect(keysOfRegulation({ ...guest, regulationType: 'suppress' })).toEqual(['u1'])
      const other = sampleRegulation({ id: idOf(2), attributes: { userId: 'email:ann@mail.test' } })
      await regulations.add([other])
      expect(await regulations.hasFurtherKeys()).toBe(false)
      await regulations.add([guest])
      expect(await regulations.hasFurtherKeys()).toBe(true)
      const keys = keysOfRegulation(guest)
      expect(keys).toHaveLength(3)
      expect(await regulations.activeOf('w1', keys)).toEqual([guest])
      for (const key of keys) expect(await regulations.activeOf('w1', [key])).toEqual([guest])
      expect(await regulations.activeOf('w1', ['email:ann@mail.test', 'ann@mail.test', '4930'])).toEqual([other])
      const changesNow = async () => (await regulations.changes(0, 9)).map(({ userId, delta }) => `${delta} ${userId}`)
      const added = [...keys, 'email:ann@mail.test'].map((key) => `1 ${key}`)
      expect((await changesNow()).sort()).toEqual(added.sort())
      const { position } = (await regulations.changes(0, 9)).at(-1) ?? { position: 0 }
      expect(await regulations.activeAt(position)).toBe(4)
      await regulations.index.reset()
      expect((await changesNow()).sort()).toEqual(added)
      await regulations.cancel('w1', guest.id)
      expect(await regulations.activeOf('w1', keys)).toEqual([])
      expect(await regulations.hasFurtherKeys()).toBe(false)
      expect((await changesNow()).slice(-3).sort()).toEqual(keys.map((key) => `-1 ${key}`).sort())
      const last = (await regulations.changes(0, 9)).at(-1)?.position ?? 0
      expect(await regulations.activeAt(last)).toBe(1)
    })

    it('tells a regulation that was put back without ids from one of a user with such an id', async () => {
      const { regulations } = await openStore()
      const attributes = { userId: 'ledger:abc', email: 'ledger:def' }
      const regulationType = 'suppress_with_delete'
      const putBack = sampleRegulation({ id: idOf(1), regulationType, attributes, hasNoIds: true })
      const real = sampleRegulation({ id: idOf(2), attributes: { userId: 'ledger:abc' } })
      await regulations.add([putBack, real])
      expect(await regulations.findAll('w1', [idOf(1), idOf(2)])).toEqual(expect.arrayContaining([putBack, real]))
      expect(await regulations.activeOf('w1', ['ledger:abc'])).toEqual([real])
      expect(await regulations.activeOf('w1', [aliasOf('abc')])).toEqual([putBack])
      expect(await regulations.activeOf('w1', [aliasOf('def')])).toEqual([putBack])
      expect((await regulations.list('w1', { limit: 9, userId: 'ledger:abc' })).regulations).toEqual([real])
      const either = await regulations.list('w1', { limit: 9, userId: 'ledger:abc', alias: aliasOf('abc') })
      expect(either.regulations).toEqual([putBack, real])
    })

    it('returns each change once, in order, over all workspaces, from any position', async () => {
      const { regulations } = await openStore()
      const of = (number: number, userId: string, workspaceId = 'w1') =>
        sampleRegulation({ id: idOf(number), attributes: { userId }, workspaceId })
      await regulations.add([of(1, 'a'), of(2, 'b', 'w2')])
      await regulations.add([of(1, 'a')])
      for (let times = 0; times < 2; times += 1) await regulations.cancel('w1', idOf(1))
      const changes = await regulations.changes(0, 100)
      expect(changes.map(({ workspaceId, userId, delta }) => [workspaceId, userId, delta])).toEqual([
        ['w1', 'a', 1],
        ['w2', 'b', 1],
        ['w1', 'a', -1],
      ])
      const positions = changes.map(({ position }) => position)
      expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b))
      expect(await regulations.changes(positions[0] ?? 0, 1)).toEqual([changes[1]])
      expect(await regulations.changes(positions[2] ?? 0, 100)).toEqual([])
    })

    it('keeps the segments of the index, and deletes settled changes', async () => {
      const { regulations } = await openStore()
      const { index } = regulations
      await regulations.add([sampleRegulation()])
      const [change] = await regulations.changes(0, 10)
      const position = change?.position ?? 0
      const secret = await index.secret(Uint8Array.of(1, 2, 3))
      expect(await index.secret(Uint8Array.of(4, 5, 6))).toEqual(secret)
      expect(await index.settled()).toEqual({ position: 0 })
      const segment = { number: 7, position, bytes: Uint8Array.of(0, 255, 1) }
      await index.write({ ...segment, bytes: Uint8Array.of(9) })
      await index.write(segment)
      const digest = Uint8Array.of(5, 6)
      await index.settle(position, digest)
      const { digest: stored, ...settled } = await index.settled()
      expect([...(stored ?? [])]).toEqual([5, 6])
      expect([settled, await index.numbers(), await regulations.changes(0, 10)]).toEqual([{ position }, [7], []])
      const read = await index.read(7)
      expect(read && { ...read, bytes: [...read.bytes] }).toEqual({ ...segment, bytes: [0, 255, 1] })
      expect(await index.read(8)).toBeUndefined()
      await regulations.add([sampleRegulation({ id: idOf(2) })])
      expect((await regulations.changes(position, 10)).length).toBe(1)
    })

    it('counts the active regulations as of its last change', async () => {
      const { regulations } = await openStore()
      expect(await regulations.activeAt(0)).toBe(0)
      await regulations.add([1, 2, 3].map((number) => sampleRegulation({ id: idOf(number) })))
      await regulations.add([sampleRegulation({ id: idOf(4), workspaceId: 'w2' })])
      await regulations.cancel('w1', idOf(2))
      const end = (await regulations.changes(0, 10)).at(-1)?.position ?? 0
      expect([await regulations.activeAt(end), await regulations.activeAt(end - 1)]).toEqual([3, undefined])
      await regulations.index.settle(end, Uint8Array.of(1))
      expect(await regulations.activeAt(end)).toBe(3)
    })

    it('turns all active regulations into changes when the index is reset', async () => {
      const { regulations } = await openStore()
      await regulations.add(
        [1, 2].map((number) => sampleRegulation({ id: idOf(number), attributes: { userId: `u${number}` } })),
      )
      await regulations.cancel('w1', idOf(1))
      const before = await regulations.changes(0, 10)
      await regulations.index.secret(Uint8Array.of(1))
      await regulations.index.write({ number: 1, position: 3, bytes: Uint8Array.of(1) })
      await regulations.index.settle(before.at(-1)?.position ?? 0, Uint8Array.of(1))
      await regulations.index.reset()
      expect([await regulations.index.settled(), await regulations.index.numbers()]).toEqual([{ position: 0 }, []])
      const changes = await regulations.changes(0, 10)
      expect(changes.map(({ userId, delta }) => [userId, delta])).toEqual([['u2', 1]])
      expect(changes[0]?.position).toBeGreaterThan(before.at(-1)?.position ?? 0)
    })

    it('does not share objects with its caller', async () => {
      const { regulations } = await openStore()
      const sourceIds = ['s1']
      await regulations.add([sampleRegulation({ sourceIds })])
      sourceIds.push('s2')
      expect(await listed(regulations)).toEqual([sampleRegulation()])
    })

    it('shows a workspace nothing of another', async () => {
      const { regulations } = await openStore()
      await regulations.add([sampleRegulation()])
      expect(await listed(regulations, 'w2')).toEqual([])
      expect(await regulations.cancel('w2', sampleRegulation().id)).toBeUndefined()
      expect(await listed(regulations)).toEqual([sampleRegulation()])
    })

    if (reopen)
      it('has what was acknowledged after close and reopen', async () => {
        const store = await openStore()
        await store.regulations.add([sampleRegulation()])
        await store.regulations.cancel('w1', sampleRegulation().id)
        await store.close()
        expect(await listed((await reopenStore()).regulations)).toEqual([sampleRegulation({ canceled: true })])
      })
  })
}
