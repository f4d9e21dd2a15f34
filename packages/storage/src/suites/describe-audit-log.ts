import type { AuditEntry } from '@sluice/pipeline'
import { describe, expect, it } from 'vitest'
import { type OpenStore, openStores, type SuiteOptions } from './open-stores.ts'

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
      expect(await audit.list('w1', 10)).toStrictEqual([...entries].reverse())
      expect(await audit.list('w1', 1)).toStrictEqual(entries.slice(2))
      expect(await audit.list('w2', 10)).toHaveLength(1)
      expect(await audit.list('w3', 10)).toEqual([])
    })

    if (reopen)
      it('has what was acknowledged after close and reopen', async () => {
        const store = await openStore()
        await store.audit.add(sampleEntry())
        await store.close()
        expect(await (await reopenStore()).audit.list('w1', 10)).toStrictEqual([sampleEntry()])
      })
  })
}
