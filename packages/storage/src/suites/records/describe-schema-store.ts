import type { JsonObject } from '@sluice/core'
import { type SchemaStore, structureOf, toJsonSchema, userDigest, ValueCounter } from '@sluice/schema'
import { describe, expect, it } from 'vitest'
import { type OpenStore, openStores, type SuiteOptions } from '../open-stores.ts'
import { sampleBatch, sampleVersion } from '../sample-records.ts'

const dayMs = 86_400_000
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
      expect(await schema.versions('w1', 'unknown')).toEqual([])
    })

    it('creates a model and its version from what was seen first', async () => {
      const { schema } = await openStore()
      await schema.merge('w1', { versions: [sampleVersion({ count: 3, firstSeen: 5, lastSeen: 9 })] })
      const [model, ...otherModels] = await schema.models('w1')
      expect(otherModels).toEqual([])
      expect(model).toEqual({
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
      expect(await schema.versions('w1', model?.eventId ?? '')).toEqual([
        {
          id: expect.any(Number),
          versionId: expect.stringMatching(uuid),
          eventModelId: model?.eventId,
          schemaHash: 'hash-a',
          schema: { event: 'string', type: 'string' },
          firstSeen: 5,
          lastSeen: 9,
          totalCount: 3,
        },
      ])
    })

    it('adds a delta once that is tried again under an id', async () => {
      const { schema } = await openStore()
      for (const id of ['a', 'a', 'b']) await schema.merge('w1', { versions: [sampleVersion({ count: 2 })] }, id)
      expect(await schema.models('w1')).toMatchObject([{ totalCount: 4 }])
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

    it('stores hundreds of models and versions in one delta as it does one by one, also when half of them are known', async () => {
      const versions = Array.from({ length: 450 }, (_, n) =>
        sampleVersion({
          writeKey: `k${n % 2}`,
          eventIdentifier: n < 250 ? `Model ${n}` : 'Bought',
          schemaHash: `hash-${n}`,
          schema: { [`key${n}`]: 'string' },
          samples: [{ rank: n, text: `{"n":${n}}`, user: 'u' }],
        }),
      )
      const known = versions.filter((_, n) => n % 3 === 0)
      const [together, oneByOne] = [(await openStore()).schema, (await openStore()).schema]
      for (const schema of [together, oneByOne]) await schema.merge('w1', { versions: known })
      await together.merge('w1', { versions })
      for (const version of versions) await oneByOne.merge('w1', { versions: [version] })
      const contents = async (schema: SchemaStore) => {
        const models = await schema.models('w1')
        const rows = await Promise.all(models.map(async ({ eventId }) => schema.versions('w1', eventId)))
        return {
          models: models.map(({ eventId: _, createdAt: __, ...model }) => model),
          versions: rows.flat().map(({ id: _, versionId: __, eventModelId: ___, ...version }) => version),
          samples: await Promise.all(rows.flat().map(({ versionId }) => schema.samples('w1', versionId))),
        }
      }
      expect(await contents(together)).toEqual(await contents(oneByOne))
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

    it('distinguishes models by source, type and name, and lists all in order of id, or those of one source', async () => {
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

    it('loses no count of concurrent merges', async () => {
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

    it('returns one model and one version by id, and nothing for unknown ids', async () => {
      const { schema } = await openStore()
      await schema.merge('w1', { versions: [sampleVersion()] })
      const [model] = await schema.models('w1')
      const [version] = await schema.versions('w1', model?.eventId ?? '')
      expect(await schema.model('w1', model?.eventId ?? '')).toEqual(model)
      expect(await schema.version('w1', version?.versionId ?? '')).toEqual(version)
      for (const workspaceId of ['w1', 'w2']) {
        expect(await schema.model(workspaceId, 'unknown')).toBeUndefined()
        expect(await schema.version(workspaceId, 'unknown')).toBeUndefined()
        expect(await schema.structure(workspaceId, 'unknown')).toBeUndefined()
        expect([...(await schema.values(workspaceId, 'unknown'))]).toEqual([])
        expect(await schema.samples(workspaceId, 'unknown')).toEqual([])
      }
      expect(await schema.model('w2', model?.eventId ?? '')).toBeUndefined()
      expect(await schema.version('w2', version?.versionId ?? '')).toBeUndefined()
    })

    it('keeps the samples of the lowest ranks, of each version and of the model', async () => {
      const { schema } = await openStore()
      const sampled = (schemaHash: string, ...ranks: number[]) =>
        sampleVersion({ schemaHash, samples: ranks.map((rank) => ({ rank, text: `{"r":${rank}}`, user: 'u' })) })
      await schema.merge('w1', { versions: [sampled('a', 0.9, 0.1, 0.5), sampled('b', 0.2, 0.8)] })
      await schema.merge('w1', { versions: [sampled('a', 0.3, 0.4, 0.6, 0.7), sampled('b')] })
      const { model, ids } = await idsOf(schema)
      const ranksOf = async (id = '') => (await schema.samples('w1', id)).map(({ rank }) => rank)
      expect(await ranksOf(ids.get('a'))).toEqual([0.1, 0.3, 0.4, 0.5, 0.6])
      expect(await ranksOf(ids.get('b'))).toEqual([0.2, 0.8])
      expect(await ranksOf(model)).toEqual([0.1, 0.2, 0.3, 0.4, 0.5])
      expect((await schema.samples('w1', model))[0]).toEqual({ rank: 0.1, text: '{"r":0.1}', user: 'u' })
      expect(await schema.samples('w2', model)).toEqual([])
    })

    it('counts the samples of a user, of one workspace only', async () => {
      const { schema } = await openStore()
      const sampled = (schemaHash: string, ...users: string[]) =>
        sampleVersion({
          schemaHash,
          samples: users.map((user, rank) => ({ rank: rank / 10, text: '{}', user: userDigest(user) })),
        })
      await schema.merge('w1', { versions: [sampled('a', 'u1', 'u2', ''), sampled('b', 'u1')] })
      const counts = ['u1', 'u2', 'u3', ''].map((user) => schema.samplesOf('w1', user))
      expect(await Promise.all(counts)).toEqual([2, 1, 0, 0])
      expect(await schema.samplesOf('w2', 'u1')).toBe(0)
    })

    it('adds counters of values to those of the version and of the model', async () => {
      const { schema } = await openStore()
      await schema.merge('w1', { versions: [sampleVersion(), sampleVersion({ schemaHash: 'hash-b' })] })
      const counted = (schemaHash: string, ...values: (string | number)[]) => ({
        ...sampleModel,
        versions: [{ schemaHash, counters: new Map([['a', counterOf(values)]]) }],
      })
      await schema.mergeValues('w1', counted('hash-a', 'x', 'x', 1))
      await schema.mergeValues('w1', counted('hash-a', 'y', '1'))
      await schema.mergeValues('w1', counted('hash-b', 'x'))
      await schema.mergeValues('w1', counted('hash-unknown', 'z'))
      await schema.mergeValues('w1', { ...counted('hash-a', 'z'), eventIdentifier: 'Unknown' })
      const { model, ids } = await idsOf(schema)
      const frequent = async (id = '') => (await schema.values('w1', id)).get('a')?.frequent()
      expect(await frequent(ids.get('hash-a'))).toEqual([
        { value: '1', frequency: 2 / 5 + 0.01 },
        { value: 'x', frequency: 2 / 5 + 0.01 },
        { value: 'y', frequency: 1 / 5 + 0.01 },
      ])
      expect(await frequent(model)).toMatchObject([{ value: 'x' }, { value: '1' }, { value: 'y' }])
      expect([...(await schema.values('w2', model))]).toEqual([])
    })

    it('merges the structures of the events of a model', async () => {
      const { schema } = await openStore()
      const limits = { depthMax: 5, propertiesMax: 100 }
      const built = (event: JsonObject, schemaHash: string) =>
        sampleVersion({ schemaHash, structure: structureOf(event, limits) })
      await schema.merge('w1', { versions: [built({ a: 1, b: null }, 'a'), built({ a: 'x' }, 'b')] })
      await schema.merge('w1', { versions: [built({ a: 1, c: [] }, 'a'), sampleVersion({ schemaHash: 'a' })] })
      const { model } = await idsOf(schema)
      const structure = await schema.structure('w1', model)
      expect(structure && toJsonSchema(structure, { title: 'Bought' })).toMatchObject({
        properties: { a: { type: ['string', 'number'] }, b: { type: 'null' }, c: { type: 'array' } },
        required: ['a'],
      })
    })

    it('counts the events of a model by day, of the newest ninety days', async () => {
      const { schema } = await openStore()
      const seen = (lastSeen: number, more: Parameters<typeof sampleVersion>[0] = {}) =>
        schema.merge('w1', { versions: [sampleVersion({ lastSeen, ...more })] })
      await seen(100 * dayMs, { count: 2 })
      await seen(100 * dayMs + 1, { schemaHash: 'hash-b', count: 3 })
      await seen(105 * dayMs, {
        count: 7,
        days: [
          { day: 104, count: 4 },
          { day: 105, count: 3 },
        ],
      })
      await seen(100 * dayMs, { eventIdentifier: 'Other' })
      const { model } = await idsOf(schema)
      expect(await schema.days('w1', model)).toEqual([
        { day: 100, count: 5 },
        { day: 104, count: 4 },
        { day: 105, count: 3 },
      ])
      await seen(190 * dayMs)
      await seen(90 * dayMs)
      expect(await schema.days('w1', model)).toEqual([
        { day: 104, count: 4 },
        { day: 105, count: 3 },
        { day: 190, count: 1 },
      ])
      expect(await schema.days('w2', model)).toEqual([])
      expect(await schema.days('w1', 'unknown')).toEqual([])
    })

    it('adds up how often limits were reached, in order of write key and limit', async () => {
      const { schema } = await openStore()
      const bound = (writeKey: string, name: 'depth' | 'valuesCut', count: number) => ({ writeKey, bound: name, count })
      await schema.merge('w1', { versions: [], bounds: [bound('k2', 'depth', 1), bound('k1', 'valuesCut', 2)] })
      await schema.merge('w1', { versions: [], bounds: [bound('k1', 'depth', 3), bound('k1', 'valuesCut', 4)] })
      expect(await schema.bounds('w1')).toEqual([
        bound('k1', 'depth', 3),
        bound('k1', 'valuesCut', 6),
        bound('k2', 'depth', 1),
      ])
      expect(await schema.bounds('w1', 'k2')).toEqual([bound('k2', 'depth', 1)])
      expect(await schema.bounds('w2')).toEqual([])
    })

    it('forgets the samples of a user, and the values with the id, of one workspace only', async () => {
      const { schema } = await openStore()
      const samples = ['u1', 'u2'].map((user, i) => ({
        rank: i / 2,
        text: `{"userId":"${user}"}`,
        user: userDigest(user),
      }))
      const counters = new Map([['userId', counterOf(['u1', 'u2'])]])
      for (const workspaceId of ['w1', 'w2']) {
        await schema.merge(workspaceId, { versions: [sampleVersion({ samples })] })
        await schema.mergeValues(workspaceId, { ...sampleModel, versions: [{ schemaHash: 'hash-a', counters }] })
      }
      await schema.forget('w1', ['unknown', 'u1'])
      const kept = async (workspaceId: string) => {
        const { model, ids } = await idsOf(schema, workspaceId)
        const version = ids.get('hash-a') ?? ''
        const texts = (await schema.samples(workspaceId, version)).map(({ text }) => text)
        const values = await Promise.all([model, version].map((id) => schema.values(workspaceId, id)))
        return [
          texts,
          ...values.map((each) =>
            each
              .get('userId')
              ?.frequent()
              .map(({ value }) => value),
          ),
        ]
      }
      expect(await kept('w1')).toEqual([['{"userId":"u2"}'], ['u2'], ['u2']])
      expect(await kept('w2')).toEqual([samples.map(({ text }) => text), ['u1', 'u2'], ['u1', 'u2']])
    })

    it('forgets values and samples that contain any identifier, of any key, in any case', async () => {
      const { schema } = await openStore()
      const texts = ['{"properties":{"note":"call ANA@mail.test"}}', '{"properties":{"n":"other"}}']
      const samples = texts.map((text, i) => ({ rank: i / 2, text, user: userDigest('u2') }))
      const counters = new Map([
        ['properties.note', counterOf(['from Ana@Mail.test', 'other'])],
        ['properties.url', counterOf(['/users/user-42/orders', '/users/user-43/orders'])],
        ['properties.n', counterOf(['17', '7'])],
      ])
      await schema.merge('w1', { versions: [sampleVersion({ samples })] })
      await schema.mergeValues('w1', { ...sampleModel, versions: [{ schemaHash: 'hash-a', counters }] })
      await schema.forget('w1', ['user-42', 'ana@mail.test', '7'])
      const { model, ids } = await idsOf(schema, 'w1')
      expect((await schema.samples('w1', model)).map(({ text }) => text)).toEqual(texts.slice(1))
      for (const id of [model, ids.get('hash-a') ?? '']) {
        const values = await schema.values('w1', id)
        const left = [...values].map(([path, counter]) => [path, counter.frequent().map(({ value }) => value)])
        expect(Object.fromEntries(left)).toEqual({
          'properties.note': ['other'],
          'properties.url': ['/users/user-43/orders'],
          'properties.n': ['17'],
        })
      }
    })

    it('forgets values of a path that were not seen more often than users had them', async () => {
      const { schema } = await openStore()
      const counters = new Map([
        ['traits.city', counterOf(['Ulm', 'Ulm', 'Bonn', 'Bonn'])],
        ['traits.town', counterOf(['Ulm'])],
      ])
      await schema.merge('w1', { versions: [sampleVersion({})] })
      await schema.mergeValues('w1', { ...sampleModel, versions: [{ schemaHash: 'hash-a', counters }] })
      const city = new Map([
        ['Ulm', 2],
        ['Bonn', 1],
      ])
      await schema.forget('w1', ['u1'], new Map([['traits.city', city]]))
      const { model } = await idsOf(schema, 'w1')
      const left = [...(await schema.values('w1', model))].map(([path, counter]) => [
        path,
        counter.frequent().map(({ value }) => value),
      ])
      expect(Object.fromEntries(left)).toEqual({ 'traits.city': ['Bonn'], 'traits.town': ['Ulm'] })
    })

    it('forgets the samples that name a user, whatever the id is', async () => {
      const { schema } = await openStore()
      for (const [index, id] of ['u1', '100%_"\\x', 'ü', '7', 'x'.repeat(60_000)].entries()) {
        const workspaceId = `w${index}`
        const texts = [{ previousId: id }, { traits: [{ id }] }, { other: `${id} and more` }].map((event) =>
          JSON.stringify({ userId: 'u2', ...event }),
        )
        const samples = [...texts, JSON.stringify({ userId: 'u2', [id]: 1 })].map((text, rank) => ({
          rank: rank / 4,
          text,
          user: userDigest('u2'),
        }))
        await schema.merge(workspaceId, { versions: [sampleVersion({ samples })] })
        await schema.forget(workspaceId, [id])
        const { model } = await idsOf(schema, workspaceId)
        // Names of keys stay.
        expect((await schema.samples(workspaceId, model)).map(({ rank }) => rank)).toEqual([0.75])
      }
    })

    it('reports each version stored for the first time once, and none after the listener is removed', async () => {
      const { schema, log } = await openStore()
      const reported: string[] = []
      const stop = schema.watch((workspaceId, versions) => {
        for (const { eventIdentifier, versionId } of versions)
          reported.push(`${workspaceId} ${eventIdentifier} ${versionId}`)
      })
      const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
      await schema.merge('w1', { versions: [sampleVersion()] })
      await log.register('w1', 'observe')
      const position = await log.append(sampleBatch(), [])
      const observed = { versions: [sampleVersion(), sampleVersion({ eventIdentifier: 'Sold' })] }
      await log.commit({ workspaceId: 'w1', consumer: 'observe', position, counts: [], receipts: [], observed })
      await turn()
      const versionsOf = async (name: string) => {
        const model = (await schema.models('w1')).find(({ eventIdentifier }) => eventIdentifier === name)
        return (await schema.versions('w1', model?.eventId ?? '')).map(({ versionId }) => `w1 ${name} ${versionId}`)
      }
      expect(reported).toEqual([...(await versionsOf('Bought')), ...(await versionsOf('Sold'))])
      stop()
      await schema.merge('w1', { versions: [sampleVersion({ schemaHash: 'hash-b' })] })
      await turn()
      expect(reported).toHaveLength(2)
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

const sampleModel = { writeKey: 'k1', eventType: 'track', eventIdentifier: 'Bought' }

/** Returns the id of the only model, and those of its versions by hash. */
async function idsOf(schema: SchemaStore, workspaceId = 'w1') {
  const [model] = await schema.models(workspaceId)
  const versions = await schema.versions(workspaceId, model?.eventId ?? '')
  return {
    model: model?.eventId ?? '',
    ids: new Map(versions.map(({ schemaHash, versionId }) => [schemaHash, versionId])),
  }
}

function counterOf(values: readonly (string | number)[]): ValueCounter {
  const counter = new ValueCounter()
  for (const value of values) if (!counter.addKnown(value)) counter.addNew(value)
  return counter
}
