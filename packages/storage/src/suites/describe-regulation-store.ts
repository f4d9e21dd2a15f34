import { describe, expect, it } from 'vitest'
import { type OpenStore, openStores, type SuiteOptions } from './open-stores.ts'
import { sampleRegulation } from './sample-records.ts'

/** The promises of the `RegulationStore` port. */
export function describeRegulationStore(name: string, open: OpenStore, { reopen }: SuiteOptions = {}): void {
  describe(`regulation store: ${name}`, () => {
    const openStore = openStores(open)
    const reopenStore = openStores(reopen ?? open)
    const idOf = (number: number): string => `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`
    const all = { limit: 10_000 }

    it('lists in order of id, cancelled ones included', async () => {
      const { regulations } = await openStore()
      const [first, second, third] = [1, 2, 3].map((number) => sampleRegulation({ id: idOf(number) }))
      if (!first || !second || !third) throw new Error('three were made')
      await regulations.add([third, first])
      await regulations.add([second])
      await regulations.cancel('w1', second.id)
      expect(await regulations.list('w1', all)).toEqual([first, { ...second, canceled: true }, third])
    })

    it('gives back every member', async () => {
      const { regulations } = await openStore()
      const regulation = sampleRegulation({
        regulationType: 'suppress_with_delete',
        attributes: { userId: 'ü😀\ud800', phone: '' },
        sourceIds: [],
        destinationIds: ['d1', 'd2'],
      })
      await regulations.add([regulation])
      expect(await regulations.list('w1', all)).toStrictEqual([regulation])
    })

    it('changes nothing when an id is added again', async () => {
      const { regulations } = await openStore()
      await regulations.add([sampleRegulation()])
      await regulations.cancel('w1', sampleRegulation().id)
      await regulations.add([sampleRegulation({ attributes: { userId: 'u2' } }), sampleRegulation({ id: idOf(2) })])
      expect(await regulations.list('w1', all)).toEqual([
        sampleRegulation({ canceled: true }),
        sampleRegulation({ id: idOf(2) }),
      ])
    })

    it('answers a cancel with the regulation as it is afterwards, also when repeated', async () => {
      const { regulations } = await openStore()
      await regulations.add([sampleRegulation()])
      const canceled = sampleRegulation({ canceled: true })
      expect(await regulations.cancel('w1', canceled.id)).toEqual(canceled)
      expect(await regulations.cancel('w1', canceled.id)).toEqual(canceled)
      expect(await regulations.cancel('w1', idOf(9))).toBeUndefined()
    })

    it('lists page by page, each behind the last id of the page before', async () => {
      const { regulations } = await openStore()
      const added = Array.from({ length: 450 }, (_, index) => sampleRegulation({ id: idOf(index) }))
      await regulations.add(added)
      const listed = []
      let page = await regulations.list('w1', { limit: 100 })
      while (page.length > 0) {
        expect(page.length).toBeLessThanOrEqual(100)
        listed.push(...page)
        page = await regulations.list('w1', { after: page.at(-1)?.id ?? '', limit: 100 })
      }
      expect(listed).toEqual(added)
    })

    it('keeps nothing of the objects it was given', async () => {
      const { regulations } = await openStore()
      const sourceIds = ['s1']
      await regulations.add([sampleRegulation({ sourceIds })])
      sourceIds.push('s2')
      expect(await regulations.list('w1', all)).toEqual([sampleRegulation()])
    })

    it('shows a workspace nothing of another', async () => {
      const { regulations } = await openStore()
      await regulations.add([sampleRegulation()])
      expect(await regulations.list('w2', all)).toEqual([])
      expect(await regulations.cancel('w2', sampleRegulation().id)).toBeUndefined()
      expect(await regulations.list('w1', all)).toEqual([sampleRegulation()])
    })

    if (reopen)
      it('has what was acknowledged after close and reopen', async () => {
        const store = await openStore()
        await store.regulations.add([sampleRegulation()])
        await store.regulations.cancel('w1', sampleRegulation().id)
        await store.close()
        expect(await (await reopenStore()).regulations.list('w1', all)).toEqual([sampleRegulation({ canceled: true })])
      })
  })
}
