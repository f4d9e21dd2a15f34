import { lookMsMax, type SubjectRequest } from '@sluice/regulation'
import { describe, expect, it } from 'vitest'
import { type OpenStore, openStores } from '../open-stores.ts'

const request = (id: string, more: Partial<SubjectRequest> = {}): SubjectRequest => ({
  workspaceId: 'w1',
  id,
  type: 'erasure',
  digest: 'd',
  receivedAt: 1_000,
  address: 'https://dsr.shop.test',
  regulationIds: [`regulation-${id}`, `second-${id}`],
  callbacks: [{ url: 'https://privacy.shop.test/', reported: 'pending', attempts: 0, dueAt: 1_000 }],
  callbacksFailed: 0,
  ...more,
})

/** The promises of the `SubjectRequestStore` port. */
export function describeSubjectRequestStore(name: string, open: OpenStore): void {
  describe(`subject request store: ${name}`, () => {
    const openStore = openStores(open)
    const openRequests = async () => (await openStore()).regulations.requests
    const idsOf = (found: readonly { readonly request: SubjectRequest }[]) => found.map((each) => each.request.id)

    it('keeps the first request with an id, per workspace', async () => {
      const requests = await openRequests()
      const first = request('a', { report: { held: [], note: 'u\u0000\ud800' } })
      expect(await requests.add({ request: first, dueAt: undefined })).toEqual(first)
      expect(await requests.add({ request: request('a', { digest: 'other' }), dueAt: 5 })).toEqual(first)
      const elsewhere = request('a', { workspaceId: 'w2' })
      expect(await requests.add({ request: elsewhere, dueAt: 7 })).toEqual(elsewhere)
      expect(await requests.find('w1', 'a')).toEqual(first)
      expect(await requests.find('w2', 'a')).toEqual(elsewhere)
      expect(await requests.find('w1', 'unknown')).toBeUndefined()
      expect(await requests.due(7, 10)).toEqual([{ request: elsewhere, dueAt: 7 }])
    })

    it('returns those that are due, the earliest first, and those that lie too far ahead', async () => {
      const requests = await openRequests()
      const times = { late: 30, early: 10, next: 40, ahead: 40 + lookMsMax, none: undefined }
      for (const [id, dueAt] of Object.entries(times)) await requests.add({ request: request(id), dueAt })
      expect(idsOf(await requests.due(39, 10))).toEqual(['early', 'late', 'ahead'])
      expect(idsOf(await requests.due(39, 1))).toEqual(['early'])
      expect(await requests.nextDueAt(39)).toBe(40)
      expect(await requests.nextDueAt(50 + lookMsMax)).toBeUndefined()
    })

    it('stores what a look found, and keeps a time that was brought forward since', async () => {
      const requests = await openRequests()
      await requests.add({ request: request('a'), dueAt: 100 })
      const looked = request('a', { callbacksFailed: 1 })
      await requests.bringForward('w1', ['regulation-a', 'unknown'], 50)
      await requests.bringForward('w2', ['regulation-a'], 20)
      await requests.update({ request: looked, dueAt: 900 }, 100)
      expect(await requests.due(60, 10)).toEqual([{ request: looked, dueAt: 50 }])
      await requests.update({ request: looked, dueAt: undefined }, 50)
      expect(await requests.due(1_000, 10)).toEqual([])
      await requests.bringForward('w1', ['regulation-a'], 70)
      await requests.bringForward('w1', [], 70)
      expect(await requests.due(1_000, 10)).toEqual([])
      await requests.update({ request: request('unknown'), dueAt: 1 }, 1)
      expect(await requests.find('w1', 'unknown')).toBeUndefined()
    })

    it('is brought forward by each of the regulations of a request', async () => {
      const requests = await openRequests()
      for (const [id, regulationId] of [
        ['a', 'regulation-a'],
        ['b', 'second-b'],
      ] as const) {
        await requests.add({ request: request(id), dueAt: 900 })
        await requests.bringForward('w1', [regulationId], 50)
        expect(idsOf(await requests.due(60, 10))).toContain(id)
      }
      // The second call with an id adds nothing, so its regulations are not those of the request.
      await requests.add({ request: request('c'), dueAt: 900 })
      await requests.add({ request: request('c', { regulationIds: ['other'] }), dueAt: 900 })
      await requests.bringForward('w1', ['other'], 50)
      expect(idsOf(await requests.due(60, 10))).not.toContain('c')
    })

    it('forgets old requests, but none that still has something to report', async () => {
      const requests = await openRequests()
      await requests.add({ request: request('old', { receivedAt: 10 }), dueAt: undefined })
      await requests.add({ request: request('open', { receivedAt: 10 }), dueAt: 500 })
      await requests.add({ request: request('young', { receivedAt: 20 }), dueAt: undefined })
      await requests.forget(20)
      const left = await Promise.all(['old', 'open', 'young'].map((id) => requests.find('w1', id)))
      expect(left.map((each) => each?.id)).toEqual([undefined, 'open', 'young'])
    })
  })
}
