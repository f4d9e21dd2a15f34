import { describe, expect, it } from 'vitest'
import { type OpenStore, openStores, type SuiteOptions } from './open-stores.ts'
import { sampleVersion } from './sample-records.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The promises of the `SchemaStore` port. */
export function describeSchemaStore(name: string, open: OpenStore, { reopen }: SuiteOptions = {}): void {
  describe(`schema store: ${name}`, () => {
    const openStore = openStores(open)
    const reopenStore = openStores(reopen ?? open)

    it('has nothing at first', async () => {
      const { schema } = await openStore()
      await schema.merge('w1', { versions: [] })
      expect(await schema.models('w1')).toEqual([])
      expect(await schema.versions('w1', 'nobody')).toEqual([])
    })

    it('creates a model and its version from what was seen first', async () => {
      const { schema } = await openStore()
      await schema.merge('w1', { versions: [sampleVersion({ count: 3, firstSeen: 5, lastSeen: 9 })] })
      const [model, ...otherModels] = await schema.models('w1')
      expect(otherModels).toEqual([])
      expect(model).toStrictEqual({
        id: expect.any(Number),
        eventId: expect.stringMatching(uuid),
        createdAt: expect.any(Number),
        writeKey: 'k1',
        eventType: 'track',
        eventIdentifier: 'Bought',
        schema: { event: 'string', type: 'string' },
        lastSeen: 9,
        totalCount: 3,
      })
      expect(await schema.versions('w1', model?.eventId ?? '')).toStrictEqual([
        {
          id: expect.any(Number),
          versionId: expect.stringMatching(uuid),
          eventModelId: model?.eventId,
          schema: { event: 'string', type: 'string' },
          firstSeen: 5,
          lastSeen: 9,
          totalCount: 3,
        },
      ])
    })

    it('adds counts up and widens times, whatever the order, without touching ids or the time of creation', async () => {
      const { schema } = await openStore()
      await schema.merge('w1', { versions: [sampleVersion({ firstSeen: 50, lastSeen: 60 })] })
      const [before] = await schema.models('w1')
      const [versionBefore] = await schema.versions('w1', before?.eventId ?? '')
      await schema.merge('w1', {
        versions: [
          sampleVersion({ count: 2, firstSeen: 10, lastSeen: 20 }),
          sampleVersion({ count: 4, firstSeen: 70, lastSeen: 80 }),
        ],
      })
      expect(await schema.models('w1')).toEqual([{ ...before, totalCount: 7, lastSeen: 80 }])
      expect(await schema.versions('w1', before?.eventId ?? '')).toEqual([
        { ...versionBefore, totalCount: 7, firstSeen: 10, lastSeen: 80 },
      ])
    })

    it('unites the schemas of versions: new keys come last, a new type of a key behind a comma', async () => {
      const { schema } = await openStore()
      await schema.merge('w1', {
        versions: [
          sampleVersion({ schemaHash: 'a', schema: { m: 'string', z: 'string' } }),
          sampleVersion({ schemaHash: 'b', schema: { a: 'bool', m: 'float64' } }),
        ],
      })
      await schema.merge('w1', { versions: [sampleVersion({ schemaHash: 'c', schema: { m: 'string', z: 'bool' } })] })
      const [model] = await schema.models('w1')
      expect(Object.entries(model?.schema ?? {})).toEqual([
        ['m', 'string,float64'],
        ['z', 'string,bool'],
        ['a', 'bool'],
      ])
      const versions = await schema.versions('w1', model?.eventId ?? '')
      expect(versions.map((version) => version.schema)).toEqual([
        { m: 'string', z: 'string' },
        { a: 'bool', m: 'float64' },
        { m: 'string', z: 'bool' },
      ])
      expect(versions.map(({ id }) => id)).toEqual(versions.map(({ id }) => id).toSorted((a, b) => a - b))
    })

    it('tells models apart by source, type and name, and lists them in order of id or of one source only', async () => {
      const { schema } = await openStore()
      const versions = [
        sampleVersion(),
        sampleVersion({ writeKey: 'k2' }),
        sampleVersion({ eventType: 'page', eventIdentifier: '' }),
        sampleVersion({ eventIdentifier: 'bought' }),
      ]
      await schema.merge('w1', { versions })
      const models = await schema.models('w1')
      expect(models).toMatchObject(
        versions.map(({ writeKey, eventType, eventIdentifier }) => ({ writeKey, eventType, eventIdentifier })),
      )
      expect(models.map(({ id }) => id)).toEqual(models.map(({ id }) => id).toSorted((a, b) => a - b))
      expect(new Set(models.flatMap(({ id, eventId }) => [id, eventId])).size).toBe(8)
      expect(await schema.models('w1', 'k2')).toEqual([models[1]])
      expect(await schema.models('w1', 'k3')).toEqual([])
    })

    it('keeps keys of any kind', async () => {
      const { schema } = await openStore()
      const odd = Object.fromEntries(['__proto__', '', 'a:b,', '10', '9', 'ä😀'].map((key) => [key, 'bool' as const]))
      await schema.merge('w1', { versions: [sampleVersion({ schema: odd })] })
      const [model] = await schema.models('w1')
      expect(Object.entries(model?.schema ?? {})).toEqual(Object.entries(odd))
      const [version] = await schema.versions('w1', model?.eventId ?? '')
      expect(Object.entries(version?.schema ?? {})).toEqual(Object.entries(odd))
    })

    it('counts all of what is merged at once', async () => {
      const { schema } = await openStore()
      await Promise.all(Array.from({ length: 50 }, () => schema.merge('w1', { versions: [sampleVersion()] })))
      expect(await schema.models('w1')).toMatchObject([{ totalCount: 50 }])
    })

    it('shows a workspace nothing of another', async () => {
      const { schema } = await openStore()
      await schema.merge('w1', { versions: [sampleVersion()] })
      await schema.merge('w2', { versions: [sampleVersion({ count: 5 })] })
      const [ours] = await schema.models('w1')
      const [theirs] = await schema.models('w2')
      expect([ours?.totalCount, theirs?.totalCount]).toEqual([1, 5])
      expect(ours?.eventId).not.toBe(theirs?.eventId)
      expect(await schema.versions('w1', theirs?.eventId ?? '')).toEqual([])
    })

    if (reopen)
      it('has what was acknowledged after close and reopen', async () => {
        const store = await openStore()
        await store.schema.merge('w1', { versions: [sampleVersion()] })
        const models = await store.schema.models('w1')
        const versions = await store.schema.versions('w1', models[0]?.eventId ?? '')
        await store.close()
        const { schema } = await reopenStore()
        expect(await schema.models('w1')).toEqual(models)
        expect(await schema.versions('w1', models[0]?.eventId ?? '')).toEqual(versions)
      })
  })
}
