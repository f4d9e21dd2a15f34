import type { AuditEntry, AuditFilter } from '@sluice/pipeline'
import { describe, expect, it } from 'vitest'
import { type OpenStore, openStores, type SuiteOptions } from '../open-stores.ts'

const sampleEntry = (more: Partial<AuditEntry> = {}): AuditEntry => ({
  workspaceId: 'w1',
  token: 'ci',
  user: 'ü😀@mail.test',
  method: 'POST',
  path: '/transformations',
  status: 200,
  at: 1_767_225_600_000,
  ...more,
})

/** The promises of the `AuditLog` port. */
export function describeAuditLog(name: string, open: OpenStore, { reopen }: SuiteOptions = {}): void {
  describe(`audit log: ${name}`, () => {
    const openStore = openStores(open)
    const reopenStore = openStores(reopen ?? open)

    it('returns the newest entries of one workspace first, whole', async () => {
      const { audit } = await openStore()
      const entries = [
        sampleEntry(),
        sampleEntry({ status: 401, user: '' }),
        sampleEntry({ path: '/libraries', at: 0 }),
      ]
      await audit.add(sampleEntry({ workspaceId: 'w2' }))
      for (const entry of entries) await audit.add(entry)
      const listed = await audit.list('w1', 10)
      expect(listed.map(({ id: _, ...entry }) => entry)).toEqual([...entries].reverse())
      expect(await audit.list('w1', 1)).toEqual(listed.slice(0, 1))
      expect(await audit.list('w2', 10)).toHaveLength(1)
      expect(await audit.list('w3', 10)).toEqual([])
    })

    it('gives later entries larger ids, from which the next page continues', async () => {
      const { audit } = await openStore()
      for (const at of [5, 3, 9, 1]) await audit.add(sampleEntry({ at }))
      const all = await audit.list('w1', 10)
      const ids = all.map(({ id }) => id)
      expect(ids).toEqual([...ids].sort((a, b) => b - a))
      expect(Math.min(...ids)).toBeGreaterThan(0)
      const first = await audit.list('w1', 3)
      const second = await audit.list('w1', 3, { before: first.at(-1)?.id ?? 0 })
      expect([...first, ...second]).toEqual(all)
    })

    it('returns what a filter chooses: token, method, beginning of the path, time', async () => {
      const { audit } = await openStore()
      const entries = [
        sampleEntry({ at: 1, path: '/v2/sources/a%b' }),
        sampleEntry({ at: 2, path: '/V2/sources', token: 'studio' }),
        sampleEntry({ at: 3, path: '/v2/sources/😀x', method: 'DELETE' }),
        sampleEntry({ at: 4, path: '/v2/sinks' }),
      ]
      for (const entry of entries) await audit.add(entry)
      const chosen = async (filter: AuditFilter) => (await audit.list('w1', 10, filter)).map(({ at }) => at)
      expect(await chosen({ token: 'studio' })).toEqual([2])
      expect(await chosen({ method: 'DELETE' })).toEqual([3])
      expect(await chosen({ path: '/v2/sources' })).toEqual([3, 1])
      expect(await chosen({ path: '/v2/sources/😀' })).toEqual([3])
      expect(await chosen({ path: '/v2/sources/a%' })).toEqual([1])
      expect(await chosen({ path: '%' })).toEqual([])
      expect(await chosen({ since: 2, until: 4 })).toEqual([3, 2])
      expect(await chosen({ method: 'POST', path: '/v2', since: 2 })).toEqual([4])
    })

    if (reopen)
      it('has what was acknowledged after close and reopen', async () => {
        const store = await openStore()
        await store.audit.add(sampleEntry())
        await store.close()
        expect(await (await reopenStore()).audit.list('w1', 10)).toMatchObject([sampleEntry()])
      })
  })
}
