import type { CodeKind, CodeRecord, CodeVersion, TransformationStore, VersionedCode } from '@sluice/transformations'
import { versionBytes } from '@sluice/transformations/store'
import { describe, expect, it } from 'vitest'
import { type OpenStore, openStores, type SuiteOptions } from '../open-stores.ts'

const sampleCode = (id: string, kind: CodeKind = 'transformation', importName = ''): VersionedCode => {
  const version: CodeVersion = {
    id,
    versionId: `${id}.1`,
    number: 1,
    name: `name of ${id}`,
    description: 'ü😀',
    code: 'export const a = "\\0"\n',
    language: 'javascript',
    createdAt: 1_767_225_600_000,
  }
  const record: CodeRecord = {
    kind,
    id,
    workspaceId: 'w1',
    importName,
    newestVersionId: version.versionId,
    publishedVersionId: null,
    testInput: null,
    destinationIds: [],
    createdAt: version.createdAt,
    updatedAt: version.createdAt,
  }
  return { record, version }
}

const following = (version: CodeVersion, more: Partial<CodeVersion> = {}): CodeVersion => ({
  ...version,
  versionId: `${version.id}.${version.number + 1}`,
  number: version.number + 1,
  createdAt: version.createdAt + 1,
  ...more,
})

const publication = (id: string, more: object = {}) => ({
  id,
  versionId: `${id}.1`,
  testInput: null,
  at: 1_767_225_700_000,
  ...more,
})

/** Records with their first versions. */
async function create(store: TransformationStore, ...codes: readonly VersionedCode[]): Promise<void> {
  for (const code of codes) expect(await store.commit('w1', { create: code })).toBe('committed')
}

/** The promises of the `TransformationStore` port. */
export function describeTransformationStore(name: string, open: OpenStore, { reopen }: SuiteOptions = {}): void {
  describe(`transformation store: ${name}`, () => {
    const openStore = openStores(open)
    const reopenStore = openStores(reopen ?? open)
    const openTransformations = async () => (await openStore()).transformations

    it('returns records of one kind with their newest versions, in order of creation', async () => {
      const store = await openTransformations()
      const [b, a, library] = [sampleCode('b'), sampleCode('a'), sampleCode('l', 'library', 'lib')]
      await create(store, b, library, a)
      expect(await store.list('w1', 'transformation')).toEqual([b, a])
      expect(await store.list('w1', 'library')).toEqual([library])
      expect(await store.find('w1', 'transformation', 'a')).toEqual(a)
      expect(await store.find('w1', 'library', 'a')).toBeUndefined()
    })

    it('adds versions and keeps the earlier ones as they are', async () => {
      const store = await openTransformations()
      const first = sampleCode('a')
      const second = following(first.version, { name: 'other', language: 'typescript' })
      const third = following(second, { code: '' })
      await create(store, first, sampleCode('b'))
      for (const addVersion of [second, third]) expect(await store.commit('w1', { addVersion })).toBe('committed')
      const record = { ...first.record, newestVersionId: 'a.3', updatedAt: third.createdAt }
      expect(await store.find('w1', 'transformation', 'a')).toEqual({ record, version: third })
      expect(await store.findVersion('w1', 'a.1')).toEqual({ record, version: first.version })
      const all = [first.version, second, third]
      expect(await store.versions('w1', 'a', { order: 'ASC' })).toEqual(all)
      expect(await store.versions('w1', 'a', { order: 'DESC' })).toEqual([...all].reverse())
      expect(await store.versions('w1', 'a', { order: 'DESC', limit: 2 })).toEqual([third, second])
      const many = Number.MAX_SAFE_INTEGER
      expect(await store.versions('w1', 'a', { order: 'ASC', limit: many })).toEqual(all)
      expect(await store.versions('w1', 'none', { order: 'ASC' })).toEqual([])
      expect(await store.findVersion('w1', 'none')).toBeUndefined()
    })

    it('refuses a version that does not follow the newest one, so that none is lost', async () => {
      const store = await openTransformations()
      const { record, version } = sampleCode('a')
      await create(store, { record, version })
      const rivals = [following(version, { versionId: 'x' }), following(version, { versionId: 'y' })]
      const results = await Promise.all(rivals.map((addVersion) => store.commit('w1', { addVersion })))
      expect([...results].sort()).toEqual(['changed', 'committed'])
      expect(await store.versions('w1', 'a', { order: 'ASC' })).toHaveLength(2)
      expect(await store.commit('w1', { addVersion: following(sampleCode('none').version) })).toBe('changed')
    })

    it('keeps the note of a publication with its version, until another one comes', async () => {
      const store = await openTransformations()
      await create(store, sampleCode('a'))
      const publish = (liveRevision: number, more: object) =>
        store.commit('w1', { liveRevision, publish: [publication('a', more)] })
      expect(await publish(0, { commitId: 'c1' })).toBe('committed')
      expect((await store.findVersion('w1', 'a.1'))?.version).toMatchObject({ commitId: 'c1' })
      expect(await publish(1, {})).toBe('committed')
      expect((await store.versions('w1', 'a', { order: 'ASC' }))[0]).toMatchObject({ commitId: 'c1' })
      expect(await publish(2, { commitId: 'c2' })).toBe('committed')
      expect((await store.live('w1')).published[0]?.version).toMatchObject({ commitId: 'c2' })
    })

    it('connects a draft, which is not live, and keeps its destinations from others', async () => {
      const store = await openTransformations()
      await create(store, sampleCode('a'), sampleCode('b'))
      const draft = publication('a', { versionId: null, destinationIds: ['d'] })
      expect(await store.commit('w1', { liveRevision: 0, publish: [draft] })).toBe('committed')
      expect((await store.live('w1')).published).toEqual([])
      expect((await store.find('w1', 'transformation', 'a'))?.record).toMatchObject({
        publishedVersionId: null,
        destinationIds: ['d'],
      })
      const other = publication('b', { destinationIds: ['d'] })
      expect(await store.commit('w1', { liveRevision: 1, publish: [other] })).toBe('changed')
      expect(await store.commit('w1', { liveRevision: 1, publish: [publication('a')] })).toBe('committed')
      expect((await store.live('w1')).published[0]?.record.destinationIds).toEqual(['d'])
    })

    it('refuses a second library with the same import name, or the same in camel case', async () => {
      const store = await openTransformations()
      await create(store, sampleCode('l', 'library', 'myLib'), sampleCode('t'), sampleCode('u'))
      for (const importName of ['myLib', 'my-lib'])
        expect(await store.commit('w1', { create: sampleCode('m', 'library', importName) })).toBe('importNameTaken')
      expect(await store.list('w1', 'library')).toHaveLength(1)
      const { record, version } = sampleCode('m', 'library', 'myLib')
      const elsewhere = { record: { ...record, workspaceId: 'w2' }, version }
      expect(await store.commit('w2', { create: elsewhere })).toBe('committed')
    })

    it('keeps one external id for each record of a kind, given at creation or later', async () => {
      const store = await openTransformations()
      const withExternalId = ({ record, version }: VersionedCode, externalId: string): VersionedCode => ({
        record: { ...record, externalId },
        version,
      })
      const a = withExternalId(sampleCode('a'), 'mask')
      await create(store, a, sampleCode('b'), withExternalId(sampleCode('l', 'library', 'lib'), 'mask'))
      expect(await store.find('w1', 'transformation', 'a')).toEqual(a)
      expect(await store.commit('w1', { create: withExternalId(sampleCode('c'), 'mask') })).toBe('externalIdTaken')
      const set = (id: string, externalId: string) => store.commit('w1', { setExternalId: { id, externalId } })
      expect(await set('b', 'mask')).toBe('externalIdTaken')
      expect(await set('none', 'other')).toBe('changed')
      expect(await set('a', 'other')).toBe('committed')
      expect(await set('b', 'mask')).toBe('committed')
      expect((await store.list('w1', 'transformation')).map(({ record }) => record.externalId)).toEqual([
        'other',
        'mask',
      ])
    })

    it('shows what is live, at the revision of its last change', async () => {
      const store = await openTransformations()
      expect(await store.live('w1')).toEqual({ revision: 0, published: [] })
      const [a, b] = [sampleCode('a'), sampleCode('b')]
      await create(store, a, b)
      const testInput = [{ type: 'track', properties: { text: '\ud800' } }]
      const publish = [publication('a', { testInput, destinationIds: ['d2', 'd1'] }), publication('b')]
      expect(await store.commit('w1', { liveRevision: 0, publish })).toBe('committed')
      await store.commit('w1', { addVersion: following(a.version) })
      const published = { publishedVersionId: 'a.1', testInput, destinationIds: ['d1', 'd2'] }
      const record = { ...a.record, ...published, newestVersionId: 'a.2', updatedAt: 1_767_225_700_000 }
      expect(await store.live('w1')).toEqual({
        revision: 1,
        published: [
          { record, version: a.version },
          { record: { ...b.record, publishedVersionId: 'b.1', updatedAt: 1_767_225_700_000 }, version: b.version },
        ],
      })
      expect((await store.find('w1', 'transformation', 'a'))?.record).toEqual(record)
      expect((await store.list('w1', 'transformation'))[0]?.record).toEqual(record)
    })

    it('creates and publishes in one change, or adds a version and publishes it', async () => {
      const store = await openTransformations()
      const a = sampleCode('a')
      const first = await store.commit('w1', { create: a, liveRevision: 0, publish: [publication('a')] })
      const addVersion = following(a.version)
      const publish = [publication('a', { versionId: 'a.2' })]
      const second = await store.commit('w1', { addVersion, liveRevision: 1, publish })
      expect([first, second]).toEqual(['committed', 'committed'])
      expect((await store.live('w1')).published.map(({ version }) => version)).toEqual([addVersion])
    })

    it('creates a record with two versions and publishes the second, in one change', async () => {
      const store = await openTransformations()
      const create = sampleCode('a')
      const addVersion = following(create.version)
      const publish = [publication('a', { versionId: addVersion.versionId })]
      expect(await store.commit('w1', { create, addVersion, liveRevision: 0, publish })).toBe('committed')
      expect((await store.find('w1', 'transformation', 'a'))?.version).toEqual(addVersion)
      expect(await store.versions('w1', 'a', { order: 'ASC' })).toEqual([create.version, addVersion])
      expect((await store.live('w1')).published.map(({ version }) => version)).toEqual([addVersion])
    })

    it('stores nothing of a change made for other live code', async () => {
      const store = await openTransformations()
      const [a, b] = [sampleCode('a'), sampleCode('b')]
      await create(store, a)
      const changes = [
        { liveRevision: 7, publish: [publication('a')] },
        { publish: [publication('a')] },
        { liveRevision: 7, remove: 'a' },
        { create: b, liveRevision: 7, publish: [publication('b')] },
        { create: b, liveRevision: 0, publish: [publication('b'), publication('none')] },
        { addVersion: following(a.version), liveRevision: 7, publish: [publication('a')] },
        { liveRevision: 0, remove: 'none' },
      ]
      for (const change of changes) expect([change, await store.commit('w1', change)]).toEqual([change, 'changed'])
      expect(await store.list('w1', 'transformation')).toEqual([a])
      expect(await store.live('w1')).toEqual({ revision: 0, published: [] })
    })

    it('connects a destination to one transformation at a time', async () => {
      const store = await openTransformations()
      await create(store, sampleCode('a'), sampleCode('b'))
      const connect = (id: string, destinationIds: readonly string[], liveRevision: number) =>
        store.commit('w1', { liveRevision, publish: [publication(id, { destinationIds })] })
      expect(await connect('a', ['d1', 'd2'], 0)).toBe('committed')
      expect(await connect('b', ['d2'], 1)).toBe('changed')
      expect(await connect('a', [], 1)).toBe('committed')
      expect(await connect('b', ['d2'], 2)).toBe('committed')
      expect(await store.commit('w1', { liveRevision: 3, publish: [publication('b')] })).toBe('committed')
      const connected = (await store.live('w1')).published.map(({ record }) => record.destinationIds)
      expect(connected).toEqual([[], ['d2']])
    })

    it('forgets a record with its versions and connections', async () => {
      const store = await openTransformations()
      const [a, b] = [sampleCode('a'), sampleCode('b')]
      await create(store, a, b)
      await store.commit('w1', { liveRevision: 0, publish: [publication('a', { destinationIds: ['d1'] })] })
      expect(await store.commit('w1', { liveRevision: 1, remove: 'a' })).toBe('committed')
      expect(await store.find('w1', 'transformation', 'a')).toBeUndefined()
      expect(await store.findVersion('w1', 'a.1')).toBeUndefined()
      expect(await store.versions('w1', 'a', { order: 'ASC' })).toEqual([])
      expect(await store.live('w1')).toEqual({ revision: 2, published: [] })
      expect(await store.commit('w1', { addVersion: following(a.version) })).toBe('changed')
      const publish = [publication('b', { destinationIds: ['d1'] })]
      expect(await store.commit('w1', { liveRevision: 2, publish })).toBe('committed')
    })

    it('adds up the bytes of all versions', async () => {
      const store = await openTransformations()
      expect(await store.bytes('w1')).toBe(0)
      const a = sampleCode('a')
      const second = following(a.version, { code: 'ü' })
      await create(store, a, sampleCode('l', 'library', 'lib'))
      await store.commit('w1', { addVersion: second })
      const versions = [a.version, second, sampleCode('l').version]
      expect(await store.bytes('w1')).toBe(versions.reduce((sum, version) => sum + versionBytes(version), 0))
    })

    it('shows a workspace nothing of another', async () => {
      const store = await openTransformations()
      const a = sampleCode('a')
      await create(store, a)
      await store.commit('w1', { liveRevision: 0, publish: [publication('a', { destinationIds: ['d1'] })] })
      expect(await store.list('w2', 'transformation')).toEqual([])
      expect(await store.find('w2', 'transformation', 'a')).toBeUndefined()
      expect(await store.findVersion('w2', 'a.1')).toBeUndefined()
      expect(await store.live('w2')).toEqual({ revision: 0, published: [] })
      expect(await store.commit('w2', { addVersion: following(a.version) })).toBe('changed')
      expect(await store.commit('w2', { liveRevision: 0, remove: 'a' })).toBe('changed')
      const other = { record: { ...a.record, workspaceId: 'w2' }, version: a.version }
      const publish = [publication('a', { destinationIds: ['d1'] })]
      expect(await store.commit('w2', { create: other, liveRevision: 0, publish })).toBe('committed')
      expect((await store.live('w1')).revision).toBe(1)
    })

    if (reopen)
      it('has what was acknowledged after close and reopen', async () => {
        const store = await openStore()
        const a = sampleCode('a')
        await create(store.transformations, a)
        await store.transformations.commit('w1', { addVersion: following(a.version) })
        const publish = [publication('a', { destinationIds: ['d1'] })]
        await store.transformations.commit('w1', { liveRevision: 0, publish })
        const [listed, live] = [
          await store.transformations.list('w1', 'transformation'),
          await store.transformations.live('w1'),
        ]
        await store.close()
        const again = (await reopenStore()).transformations
        expect(await again.list('w1', 'transformation')).toEqual(listed)
        expect(await again.live('w1')).toEqual(live)
      })
  })
}
