import type { ConfigurationRecord } from '@sluice/configuration'
import { describe, expect, it } from 'vitest'
import { type OpenStore, openStores, type SuiteOptions } from '../open-stores.ts'

const sample = (id: string, more: Partial<ConfigurationRecord> = {}): ConfigurationRecord => ({
  workspaceId: 'w1',
  kind: 'source',
  id,
  revision: 1,
  createdAt: 1_767_225_600_000,
  updatedAt: 1_767_225_600_000,
  body: { writeKey: `key of ${id}`, observe: { samples: false, maskPaths: ['ü😀'] } },
  ...more,
})

/** The promises of the `ConfigurationStore` port. */
export function describeConfigurationStore(name: string, open: OpenStore, { reopen }: SuiteOptions = {}): void {
  describe(`configuration store: ${name}`, () => {
    const openStore = openStores(open)
    const reopenStore = openStores(reopen ?? open)

    it('is empty at revision 0, and counts commits', async () => {
      const { configuration } = await openStore()
      expect(await configuration.read()).toEqual({ revision: 0, records: [] })
      expect(await configuration.commit({ put: [sample('a')] }, 0)).toBe(1)
      expect(await configuration.revision()).toBe(1)
      expect(await configuration.commit({}, 1)).toBe(2)
      expect(await configuration.revision()).toBe(2)
      expect(await configuration.read()).toEqual({ revision: 2, records: [sample('a')] })
    })

    it('returns records whole, in order of creation, also those that were replaced', async () => {
      const { configuration } = await openStore()
      const records = [
        sample('b'),
        sample('a', { externalId: 'their a', kind: 'destination' }),
        sample('a', { workspaceId: 'w2' }),
        sample('a', { kind: 'pause', body: {} }),
      ]
      await configuration.commit({ put: records }, 0)
      const changed = sample('b', { revision: 2, externalId: 'their b', body: { enabled: false } })
      await configuration.commit({ put: [changed, sample('c')] }, 1)
      expect((await configuration.read()).records).toEqual([changed, ...records.slice(1), sample('c')])
    })

    it('deletes by workspace, kind and id, and skips what is not there', async () => {
      const { configuration } = await openStore()
      await configuration.commit(
        { put: [sample('a'), sample('a', { kind: 'token' }), sample('a', { workspaceId: 'w2' })] },
        0,
      )
      await configuration.commit({ remove: [sample('a'), sample('none')] }, 1)
      expect((await configuration.read()).records).toEqual([
        sample('a', { kind: 'token' }),
        sample('a', { workspaceId: 'w2' }),
      ])
    })

    it('refuses a commit that is based on an older revision, and leaves nothing of it', async () => {
      const { configuration } = await openStore()
      await configuration.commit({ put: [sample('a')] }, 0)
      expect(await configuration.commit({ put: [sample('b')], remove: [sample('a')] }, 0)).toBeUndefined()
      expect(await configuration.commit({ put: [sample('b')] }, 2)).toBeUndefined()
      expect(await configuration.read()).toEqual({ revision: 1, records: [sample('a')] })
    })

    it('lets only one of several commits at the same time through', async () => {
      const { configuration } = await openStore()
      const results = await Promise.all(
        Array.from({ length: 10 }, (_, index) => configuration.commit({ put: [sample(`s${index}`)] }, 0)),
      )
      expect(results.filter((revision) => revision !== undefined)).toEqual([1])
      expect((await configuration.read()).records).toHaveLength(1)
    })

    it('takes thousands of records in one commit', async () => {
      const { configuration } = await openStore()
      const records = Array.from({ length: 2_500 }, (_, index) => sample(`s${index}`))
      await configuration.commit({ put: records }, 0)
      await configuration.commit({ remove: records.slice(1) }, 1)
      expect((await configuration.read()).records).toEqual(records.slice(0, 1))
    })

    it('returns copies, which callers may change', async () => {
      const { configuration } = await openStore()
      const record = sample('a')
      await configuration.commit({ put: [record] }, 0)
      const [read] = (await configuration.read()).records
      Object.assign(read?.body as object, { writeKey: 'other' })
      expect((await configuration.read()).records).toEqual([sample('a')])
    })

    if (reopen)
      it('has what was acknowledged after close and reopen', async () => {
        const store = await openStore()
        await store.configuration.commit({ put: [sample('a')] }, 0)
        await store.close()
        expect(await (await reopenStore()).configuration.read()).toEqual({ revision: 1, records: [sample('a')] })
      })
  })
}
