import { createSeededRandom, detectors, type Event, type JsonObject, type SourcedEvent } from '@sluice/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayMs, daysOf, sumDays } from '../catalogue/day-counts.ts'
import type { BoundDelta, SchemaDelta, VersionDelta } from '../catalogue/schema-delta.ts'
import { overflowHash } from '../catalogue/schema-store.ts'
import { defaultSchemaLimits, type SchemaLimits } from '../schema-limits.ts'
import { flattenEvent } from '../shapes/flatten-event.ts'
import { modelKeyOf, modelKeyText } from '../shapes/model-key.ts'
import { schemaHash } from '../shapes/schema-hash.ts'
import type { ValueCounter } from '../values/value-counter.ts'
import type { ObservedSource } from './observed-source.ts'
import { Observer } from './observer.ts'

const from = (event: Event, writeKey = 'k1'): SourcedEvent => ({ workspaceId: 'w1', sourceId: 's1', writeKey, event })
const bought = (properties: JsonObject, more: JsonObject = {}): Event => ({
  type: 'track',
  event: 'Bought',
  properties,
  ...more,
})

function observerOf(limits: Partial<SchemaLimits> = {}, sources: readonly ObservedSource[] = []) {
  const memory = { bytes: 0 }
  const observer = new Observer(createSeededRandom(1), { ...defaultSchemaLimits, ...limits }, memory)
  observer.configure(sources)
  const see = (...events: Event[]): void => {
    for (const event of events) observer.observe(from(event), 1_000)
  }
  return { observer, memory, see }
}
const boundsOf = ({ bounds = [] }: SchemaDelta) =>
  Object.fromEntries(bounds.map(({ bound, count }: BoundDelta) => [bound, count]))
const model = { writeKey: 'k1', eventType: 'track', eventIdentifier: 'Bought' }
const valuesOf = (counters: ReadonlyMap<string, ValueCounter>, path: string) =>
  counters
    .get(path)
    ?.frequent()
    .map(({ value }) => value)

describe('observer', () => {
  it('counts events on the day on which they were received, in any order and with any calls of take', () => {
    const law = fc.property(fc.array(fc.nat(5 * dayMs), { maxLength: 40 }), fc.nat(10), (times, every) => {
      const { observer } = observerOf()
      const deltas: SchemaDelta[] = []
      for (const [index, at] of times.entries()) {
        observer.observe(from({ type: 'page' }), at)
        if (index % (every + 1) === every) deltas.push(observer.take())
      }
      const versions = [...deltas, observer.take()].flatMap((delta) => delta.versions)
      expect(daysOf(versions)).toEqual(sumDays(times.map((at) => ({ day: Math.floor(at / dayMs), count: 1 }))))
    })
    fc.assert(law)
  })

  it('agrees with a plain recount, for any events in any order and any calls of take', () => {
    const value = fc.constantFrom(1, 'x', true, null, { a: 1 }, { b: [1, 'x'] }, [], [{ a: null }])
    const event = fc.record(
      {
        type: fc.constantFrom('track', 'page', 7),
        event: fc.constantFrom('Bought', 'Sold', '', 5),
        properties: fc.dictionary(fc.constantFrom('a', 'b', 'a.a', '1', '__proto__'), value, { maxKeys: 4 }),
      },
      { requiredKeys: [] },
    )
    const law = fc.property(fc.array(event, { maxLength: 60 }), fc.nat(10), (events, every) => {
      const { observer } = observerOf({ versionsMax: 3, modelsMax: 2 })
      const counted = new Map<string, number>()
      const add = ({ versions }: SchemaDelta): void => {
        for (const version of versions) {
          const key = `${modelKeyText(version)} ${version.schemaHash}`
          counted.set(key, (counted.get(key) ?? 0) + version.count)
          expect(schemaHash(version.schema)).toBe(version.schemaHash)
        }
      }
      const exact = new Map<string, number>()
      for (const [i, each] of (events as Event[]).entries()) {
        observer.observe(from(each), i)
        if (i % (every + 1) === 0) add(observer.take())
        const key = modelKeyOf(from(each))
        if (key === undefined) continue
        const text = `${modelKeyText(key)} ${schemaHash(flattenEvent(each))}`
        exact.set(text, (exact.get(text) ?? 0) + 1)
      }
      add(observer.take())
      expect(new Map([...counted].sort())).toEqual(new Map([...exact].sort()))
    })
    fc.assert(law, { numRuns: 300 })
  })

  it('counts values per version, with numbers written as texts', () => {
    const { observer, see } = observerOf()
    see(bought({ price: 5 }), bought({ price: 5 }), bought({ price: 'free' }), bought({ price: null }))
    expect(valuesOf(observer.pendingValues(model), 'properties.price')).toEqual(['5', 'free'])
    const [ofNumbers] = observer.take().versions as [VersionDelta]
    expect(valuesOf(observer.pendingValues(model, ofNumbers.schemaHash), 'properties.price')).toEqual(['5'])
  })

  it('hands over value counters once, keeps those that could not be written, and releases memory', async () => {
    const { observer, memory, see } = observerOf()
    see(bought({ price: 5 }), bought({ price: 'x' }))
    const full = memory.bytes
    expect(full).toBeGreaterThan(0)
    let writes = 0
    see({ type: 'page', price: 6 })
    const failing = observer.storeValues(async () => {
      writes += 1
      if (writes === 2) throw new Error('disk')
    })
    await expect(failing).rejects.toThrow('disk')
    expect(memory.bytes).toBeLessThan(full)
    expect(valuesOf(observer.pendingValues(model), 'properties.price')).toBeUndefined()
    see(bought({ price: 'y' }))
    const written: string[] = []
    await observer.storeValues(async ({ eventType, versions }) => {
      for (const { counters } of versions)
        for (const path of ['price', 'properties.price'])
          written.push(...(valuesOf(counters, path) ?? []).map((value) => `${eventType} ${value}`))
    })
    expect(written.sort()).toEqual(['page 6', 'track y'])
    expect(memory.bytes).toBe(0)
  })

  it('hands over the counters of many versions in parts, each once: a store writes nothing else meanwhile', async () => {
    const { observer, memory, see } = observerOf()
    for (let n = 0; n < 450; n += 1) see(bought({ [`key${n}`]: n }))
    const parts: number[] = []
    const hashes = new Set<string>()
    await observer.storeValues(async ({ versions }) => {
      parts.push(versions.length)
      for (const { schemaHash } of versions) hashes.add(schemaHash)
    })
    expect(Math.max(...parts)).toBeLessThanOrEqual(200)
    expect(hashes.size).toBe(450)
    expect(parts.reduce((sum, part) => sum + part)).toBe(450)
    expect(memory.bytes).toBe(0)
  })

  it('hands over no more samples of a version than are kept, however many events come between', () => {
    const { observer, see } = observerOf()
    for (let n = 0; n < 200; n += 1) see(bought({ n }))
    expect(observer.pendingCharacters).toBeGreaterThan(0)
    const ranks = observer.take().versions[0]?.samples?.map(({ rank }) => rank) ?? []
    expect(ranks).toHaveLength(5)
    for (let n = 0; n < 2_000; n += 1) see(bought({ n }))
    const later = observer.take().versions[0]?.samples ?? []
    expect(later.length).toBeLessThanOrEqual(5)
    for (const { rank } of later) expect(rank).toBeLessThan(Math.max(...ranks))
    expect(observer.pendingCharacters).toBe(0)
  })

  it('lets no more texts of counters wait because versions are evicted again and again', async () => {
    const { observer, memory, see } = observerOf({ versionsMax: 1, newKeysPerBatchMax: 1e9, newKeysPerSecondMax: 1e9 })
    for (let n = 0; n < 7_000; n += 1) see(bought({ [n % 2 === 0 ? 'even' : 'odd']: 'x' }))
    const texts: string[] = []
    const failing = observer.storeValues(() => Promise.reject(new Error('disk')))
    await expect(failing).rejects.toThrow('disk')
    for (let n = 0; n < 1_000; n += 1) see(bought({ [n % 2 === 0 ? 'even' : 'odd']: 'x' }))
    await observer.storeValues(async ({ versions }) => {
      for (const version of versions) texts.push(...(version.texts ?? []))
    })
    expect(texts.length).toBe(6_000)
    expect(boundsOf(observer.take())['valuesMissed']).toBeGreaterThanOrEqual(2_000)
    expect(memory.bytes).toBe(0)
  })

  it('has stored all values when it says so, also those that another call was storing', async () => {
    const { observer, see } = observerOf()
    see(bought({ a: 1 }))
    let fail = (_: Error): void => {}
    const first = observer.storeValues(() => new Promise((_, reject) => (fail = reject)))
    const stored: number[] = []
    const second = observer.storeValues(async ({ versions }) => void stored.push(versions.length))
    await new Promise((resolve) => setImmediate(resolve))
    expect(stored).toEqual([])
    fail(new Error('disk'))
    await expect(first).rejects.toThrow('disk')
    await second
    expect(stored).toEqual([1])
  })

  it('keeps five samples of a version, each event as likely as another, masked', () => {
    const kept = new Map<number, number>()
    for (let seed = 0; seed < 400; seed += 1) {
      const observer = new Observer(createSeededRandom(seed), defaultSchemaLimits, { bytes: 0 })
      for (let i = 0; i < 20; i += 1) observer.observe(from(bought({ i }, { userId: 'a@b.test' })), i)
      const samples = (observer.take().versions[0]?.samples ?? []).toSorted((a, b) => a.rank - b.rank).slice(0, 5)
      expect(samples).toHaveLength(5)
      for (const { text } of samples) {
        expect(text).toContain('"userId":"[email]"')
        const { i } = JSON.parse(text).properties as { i: number }
        kept.set(i, (kept.get(i) ?? 0) + 1)
      }
    }
    // 400 times 5 of 20: 100 each, with a deviation of 9.
    expect(kept.size).toBe(20)
    for (const count of kept.values()) expect(Math.abs(count - 100)).toBeLessThan(40)
  })

  it('does not return earlier samples again', () => {
    const { observer, see } = observerOf()
    const offered: number[] = []
    for (let round = 0; round < 200; round += 1) {
      see(...Array.from({ length: 10 }, (_, i) => bought({ i })))
      offered.push(observer.take().versions.reduce((sum, { samples = [] }) => sum + samples.length, 0))
    }
    expect(offered.slice(100).reduce((sum, count) => sum + count, 0)).toBeLessThan(20)
  })

  it('starts over when the events will be read again', () => {
    const { observer, memory, see } = observerOf({ versionsMax: 1 })
    const events = [bought({ price: 5 }), bought({ price: 'x' }), bought({ price: 6, extra: {} })]
    see(...events)
    observer.discard()
    expect(memory.bytes).toBe(0)
    expect(observer.take()).toEqual({ versions: [], bounds: [] })
    see(...events)
    const { versions } = observer.take()
    expect(versions.map(({ count }) => count)).toEqual([1, 1, 1])
    for (const { structure, samples } of versions) {
      expect(structure).toBeDefined()
      expect(samples).toHaveLength(1)
    }
    expect(observer.pendingValues(model).get('properties.price')?.observations).toBe(3)
  })

  it('reports the structure of events once per shape', () => {
    const { observer, see } = observerOf()
    see(bought({ price: 5 }), bought({ price: 6 }))
    expect(observer.take().versions[0]?.structure).toBeDefined()
    see(bought({ price: 7 }))
    expect(observer.take().versions[0]?.structure).toBeUndefined()
    see(bought({ price: 7, note: null }))
    expect(observer.take().versions[0]?.structure).toMatchObject({
      properties: { properties: { required: ['note', 'price'] } },
    })
  })

  describe('limits', () => {
    it('holds the most recently seen models and versions', () => {
      const { observer, see } = observerOf({ modelsMax: 2, versionsMax: 2 })
      see({ type: 'page' }, { type: 'screen' }, { type: 'page' }, { type: 'group' }, { type: 'page' })
      expect(boundsOf(observer.take())).toEqual({ modelsArchived: 1 })
      see(bought({ a: 1 }), bought({ b: 1 }), bought({ a: 1 }), bought({ c: 1 }), bought({ a: 1 }))
      expect(boundsOf(observer.take())).toEqual({ modelsArchived: 1, versionsArchived: 1 })
    })

    it('omits keys, levels and long paths beyond the limits', () => {
      const { observer, see } = observerOf({ keysPerEventMax: 4, depthMax: 2, pathLengthMax: 20 })
      see(bought({ a: 1, b: 1, c: 1, deep: { x: 1 } }, { a_path_that_is_too_long: 1 }))
      const delta = observer.take()
      expect(Object.keys(delta.versions[0]?.schema ?? {})).toEqual([
        'event',
        'properties.a',
        'properties.b',
        'properties.c',
      ])
      expect(boundsOf(delta)).toEqual({ keysPerEvent: 1, depth: 1, pathLength: 1 })
      see({ type: 'page', 'a.b': 1, a: { b: 1 } })
      expect(boundsOf(observer.take())).toEqual({ pathCollisions: 1 })
    })

    it('counts values of a limited number of keys of a model, and cuts long ones', () => {
      const { observer, see } = observerOf({ keysPerModelMax: 4, valueLengthMax: 10 })
      see(bought({ a: 'x'.repeat(11), b: 1, c: 1 }))
      expect([...observer.pendingValues(model).keys()]).toEqual([
        'event',
        'properties.a',
        'properties.b',
        'properties.c',
      ])
      expect(valuesOf(observer.pendingValues(model), 'properties.a')).toEqual(['x'.repeat(10)])
      expect(boundsOf(observer.take())).toEqual({ keysPerModel: 1, valuesCut: 1 })
    })

    it('stays within the memory limit for values, and reports what it missed', () => {
      const { observer, memory, see } = observerOf({ valueMemoryBytesMax: 20_000 })
      for (let i = 0; i < 1_000; i += 1) see(bought({ id: `value-${i}` }))
      expect(memory.bytes).toBeLessThan(20_200)
      expect(boundsOf(observer.take())['valuesMissed']).toBeGreaterThan(500)
      expect(observer.pendingValues(model).get('properties.id')?.observations).toBe(1_000)
    })

    it('keeps no sample that is too large', () => {
      const { observer, see } = observerOf({ sampleBytesMax: 200 })
      see(bought({ text: 'x'.repeat(200) }), bought({ text: 'x' }))
      const delta = observer.take()
      expect(delta.versions[0]?.samples).toHaveLength(1)
      expect(boundsOf(delta)).toEqual({ sampleBytes: 1 })
    })

    it('counts an event of more keys than the tree of shapes accepts, without analysing it', () => {
      const { observer, see } = observerOf()
      const wide = Object.fromEntries(Array.from({ length: 6_000 }, (_, i) => [`k${i}`, i]))
      see(bought(wide), bought(wide))
      const delta = observer.take()
      expect(delta.versions).toMatchObject([{ schemaHash: overflowHash, schema: {}, count: 2 }])
      expect(boundsOf(delta)).toEqual({ countedOnly: 2 })
      expect(observer.pendingValues(model).size).toBe(0)
    })
  })

  describe('personal data', () => {
    const source = (more: Partial<ObservedSource>): ObservedSource => ({
      writeKey: 'k1',
      samples: true,
      values: true,
      maskPaths: [],
      detectors,
      ...more,
    })
    const event = bought({ mail: 'a@b.test', name: 'Omar' }, { userId: 'u1' })

    it('is masked in values and samples, by detectors and by path', () => {
      const { observer, see } = observerOf({}, [source({ maskPaths: ['properties.name'] })])
      see(event, event)
      const counters = observer.pendingValues(model)
      expect(valuesOf(counters, 'properties.mail')).toEqual(['[email]'])
      expect(valuesOf(counters, 'properties.name')).toEqual(['[masked]'])
      const text = JSON.stringify(observer.take())
      for (const secret of ['a@b.test', 'Omar']) expect(text).not.toContain(secret)
    })

    it('is not stored at all if the source says so', () => {
      const { observer, see } = observerOf({}, [source({ samples: false, values: false })])
      see(event)
      expect(observer.pendingValues(model).size).toBe(0)
      const { versions } = observer.take()
      expect(versions[0]?.samples).toBeUndefined()
      expect(versions[0]?.count).toBe(1)
      observer.configure([source({ detectors: [] })])
      see(event)
      expect(valuesOf(observer.pendingValues(model), 'properties.mail')).toEqual(['a@b.test'])
      expect(observer.take().versions[0]?.samples?.[0]?.text).toContain('a@b.test')
    })

    it('in a key is masked in schema, structure, values and samples, where any source masks it', () => {
      const { observer, see } = observerOf({}, [source({ detectors: [] }), source({ writeKey: 'k2' })])
      see(bought({ seen: { 'ann@x.test': 1, 'ben%40x.test': { at: 2 }, plan: 3 } }))
      const [version] = observer.take().versions
      expect(Object.keys(version?.schema ?? {}).filter((path) => path.includes('seen'))).toEqual([
        'properties.seen.[email]',
        'properties.seen.[email].at',
        'properties.seen.plan',
      ])
      expect(JSON.stringify(version?.structure)).not.toContain('x.test')
      expect([...observer.pendingValues(model).keys()].join()).not.toContain('x.test')
      const open = observerOf({}, [source({ detectors: [] })])
      open.see(bought({ 'ann@x.test': 1 }))
      expect(Object.keys(open.observer.take().versions[0]?.schema ?? {})).toContain('properties.ann@x.test')
    })

    it('of one user is removed on request', async () => {
      const { observer, see } = observerOf({ versionsMax: 1 })
      see(event, { ...event, userId: 'u2' }, bought({ other: 'u1' }, { userId: ' u1 ' }), event)
      observer.forget(['u1'])
      const samples = observer.take().versions.flatMap((version) => version.samples ?? [])
      expect(samples.map(({ text }) => JSON.parse(text).userId)).toEqual(['u2'])
      const counters = observer.pendingValues(model)
      expect(valuesOf(counters, 'userId')).toEqual(['u2'])
      expect(valuesOf(counters, 'properties.other')).toEqual([])
    })

    it('of a user is removed from what is handed over but not stored yet', async () => {
      const { observer, see } = observerOf()
      see(event)
      const delta = observer.take()
      const written: (readonly string[] | undefined)[] = []
      const failing = observer.storeValues(async () => {
        observer.forget(['u1'])
        throw new Error('disk')
      })
      await expect(failing).rejects.toThrow('disk')
      await observer.storeValues(async ({ versions }) => {
        for (const { counters } of versions) written.push(valuesOf(counters, 'userId'))
      })
      expect(written).toEqual([[]])
      expect(delta.versions[0]?.samples).toEqual([])
    })

    it('is masked where a long value is cut', () => {
      const { observer, see } = observerOf({ valueLengthMax: 30 })
      see(bought({ text: 'please write to omar.muller@mail.test' }))
      expect(valuesOf(observer.pendingValues(model), 'properties.text')).toEqual(['please write to '])
    })

    it('is removed where it was cut', () => {
      const { observer, see } = observerOf({ valueLengthMax: 10 })
      const userId = 'a-very-long-user-id'
      see(bought({}, { userId }))
      expect(valuesOf(observer.pendingValues(model), 'userId')).toEqual(['a-very-lon'])
      observer.forget([userId])
      expect(valuesOf(observer.pendingValues(model), 'userId')).toEqual([])
    })

    it('is removed where the event of another user mentions the user', () => {
      const { observer, see } = observerOf()
      see({ type: 'alias', userId: 'u2', previousId: 'u1' }, bought({ friends: [{ id: 'u1' }] }, { userId: 'u2' }))
      see(bought({ name: 'u1 and more' }, { userId: 'u2' }))
      observer.forget(['u1'])
      const samples = observer.take().versions.flatMap((version) => version.samples ?? [])
      expect(samples).toEqual([])
    })
  })
})

describe('the shapes that an observer keeps', () => {
  /** Shows events whose keys have never been seen, a tenth of a second apart, which teach as much as is allowed. */
  function flood(observer: Observer, count: number): void {
    for (let n = 0; n < count; n += 1) {
      if (n % 100 === 0) observer.beginBatch(n * 100, [n, n])
      const properties = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`key ${n} ${i}`, i]))
      observer.observe(from(bought(properties)), 1_000)
    }
  }
  const store = (observer: Observer) => observer.storeValues(async () => {})
  const large = 8 * 1_024 ** 2

  it('are released once a flood of new ones is over, and usual events are learnt again', async () => {
    const { observer, see } = observerOf()
    flood(observer, 3_000)
    expect(observer.shapeBytes).toBeGreaterThan(large)
    await store(observer)
    // New shapes may still come.
    expect(observer.shapeBytes).toBeGreaterThan(large)
    await store(observer)
    expect(observer.shapeBytes).toBe(0)
    observer.take()
    see(bought({ a: 1 }), bought({ a: 2 }))
    expect(observer.take().versions).toMatchObject([{ count: 2 }])
  })

  it('stay when they are in use: when as many come again', async () => {
    const { observer } = observerOf()
    for (let round = 0; round < 3; round += 1) {
      flood(observer, 3_000)
      await store(observer)
      await store(observer)
    }
    expect(observer.shapeBytes).toBeGreaterThan(large)
  })

  it('stay while they are few', async () => {
    const { observer, see } = observerOf()
    see(bought({ a: 1 }))
    const { shapeBytes } = observer
    expect(shapeBytes).toBeGreaterThan(0)
    for (let n = 0; n < 3; n += 1) await store(observer)
    expect(observer.shapeBytes).toBe(shapeBytes)
  })
})
