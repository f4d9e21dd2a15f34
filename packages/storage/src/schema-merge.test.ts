import { createManualClock, createSeededRandom, type Event, type JsonObject } from '@sluice/core'
import type { Store } from '@sluice/pipeline'
import {
  createCatalogue,
  createObservers,
  createObserveStage,
  type ModelValues,
  overflowHash,
  type SchemaDelta,
  type SchemaLimits,
  ValueCounter,
} from '@sluice/schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMemoryStore } from './memory/memory-store.ts'
import { openSqliteStore } from './sqlite/sqlite-store.ts'
import { sampleVersion } from './suites/sample-records.ts'

/** An event and when it was seen. */
interface Seen {
  readonly event: Event
  readonly at: number
}

// Few names and values, so that models and versions coincide often, and keys have two types often.
const value = fc.constantFrom<JsonObject[string][]>(
  1,
  'x',
  true,
  null,
  { a: 1 },
  { a: 'x', b: [] },
  [1, 'x'],
  [{ a: 1 }],
)
const seen: fc.Arbitrary<Seen> = fc.record({
  event: fc.record(
    {
      type: fc.constantFrom('track', 'page', 'identify'),
      event: fc.constantFrom('Bought', 'Sold', 1),
      properties: fc.dictionary(fc.constantFrom('a', 'b', 'a.a', '1', '__proto__'), value, { maxKeys: 3 }),
    },
    { requiredKeys: ['type'] },
  ),
  at: fc.integer({ min: 0, max: 50 }),
})

const live = new AbortController().signal

async function deltaOf(events: readonly Seen[]): Promise<SchemaDelta> {
  const clock = createManualClock(0)
  const stage = createObserveStage({ clock, random: createSeededRandom(1) })
  for (const { event, at } of events) {
    clock.advance(at - clock.now())
    await stage.run([{ workspaceId: 'w1', sourceId: 's1', writeKey: 'k1', event }], live)
  }
  return stage.take()
}

/** Returns the catalogue without what depends on the order of creation: ids, creation time, order of keys and types. */
async function catalogue({ schema }: Store): Promise<readonly string[]> {
  const described = (await schema.models('w1')).map(async (model) => {
    const versions = await schema.versions('w1', model.eventId)
    const types = Object.entries(model.schema).map(([key, text]) => [key, text.split(',').sort()])
    const { eventType, eventIdentifier, lastSeen, totalCount } = model
    return JSON.stringify([
      { eventType, eventIdentifier, lastSeen, totalCount },
      types.map((entry) => JSON.stringify(entry)).sort(),
      versions
        .map(({ schema, firstSeen, lastSeen, totalCount }) =>
          JSON.stringify({ schema, firstSeen, lastSeen, totalCount }),
        )
        .sort(),
    ])
  })
  return (await Promise.all(described)).sort()
}

const options = (schemaLimits: Partial<SchemaLimits> = {}) => ({
  clock: createManualClock(),
  random: createSeededRandom(1),
  schemaLimits,
})
type Open = (limits?: Partial<SchemaLimits>) => Promise<Store>
const stores: readonly { name: string; runs: number; open: Open }[] = [
  { name: 'memory', runs: 200, open: async (limits) => createMemoryStore(options(limits)) },
  { name: 'sqlite', runs: 25, open: (limits) => openSqliteStore({ path: ':memory:', ...options(limits) }) },
]

describe('merging schema deltas', () => {
  for (const { name, runs, open } of stores) {
    it(`gives the same catalogue for any split and order of the same events: ${name}`, async () => {
      const sameEvents = fc.array(seen, { maxLength: 12 }).chain((events) =>
        fc.record({
          events: fc.constant(events),
          shuffled: fc.shuffledSubarray(events, { minLength: events.length }),
          cuts: fc.array(fc.nat(events.length), { maxLength: 4 }),
        }),
      )
      const law = fc.asyncProperty(sameEvents, async ({ events, shuffled, cuts }) => {
        const whole = await open()
        await whole.schema.merge('w1', await deltaOf(events))
        const split = await open()
        const bounds = [0, ...cuts.sort((a, b) => a - b), events.length]
        for (const [index, start] of bounds.slice(0, -1).entries()) {
          await split.schema.merge('w1', await deltaOf(shuffled.slice(start, bounds[index + 1])))
        }
        expect(await catalogue(split)).toEqual(await catalogue(whole))
        await Promise.all([whole.close(), split.close()])
      })
      await fc.assert(law, { numRuns: runs })
    })
  }
})

const valuesOf = (schemaHash: string, counters: ReadonlyMap<string, ValueCounter>): ModelValues => ({
  writeKey: 'k1',
  eventType: 'track',
  eventIdentifier: 'Bought',
  versions: [{ schemaHash, counters }],
})

describe('limits of the schema catalogue in a store', () => {
  for (const { name, open } of stores) {
    it(`only counts events of models beyond the limit: ${name}`, async () => {
      const { schema, close } = await open({ modelsMax: 1, archivedModelsMax: 1 })
      for (const eventIdentifier of ['A', 'B', 'C', 'D', 'A'])
        await schema.merge('w1', { versions: [sampleVersion({ eventIdentifier, count: 2 })] })
      await schema.merge('w1', { versions: [sampleVersion({ writeKey: 'k2', eventIdentifier: 'C' })] })
      const models = await schema.models('w1')
      expect(models.map((model) => [model.writeKey, model.eventIdentifier, model.totalCount])).toEqual([
        ['k1', 'A', 4],
        ['k1', 'B', 2],
        ['k2', 'C', 1],
      ])
      expect(await schema.bounds('w1')).toEqual([{ writeKey: 'k1', bound: 'modelsOverflow', count: 4 }])
      await close()
    })

    it(`counts shapes beyond the limit into one overflow version, with their keys: ${name}`, async () => {
      const { schema, close } = await open({ versionsMax: 1, archivedVersionsMax: 1 })
      const shape = (key: string, count = 1) =>
        sampleVersion({ schemaHash: key, schema: { [key]: 'bool', type: 'string' }, count, lastSeen: count * 1_000 })
      await schema.merge('w1', { versions: [shape('a'), shape('b'), shape('c', 2)] })
      await schema.merge('w1', { versions: [shape('d', 3), shape('a'), shape('c')] })
      await schema.mergeValues('w1', valuesOf('d', new Map([['d', new ValueCounter()]])))
      const [model] = await schema.models('w1')
      expect(model).toMatchObject({ totalCount: 9, lastSeen: 3_000, schema: { a: 'bool', d: 'bool', type: 'string' } })
      const versions = await schema.versions('w1', model?.eventId ?? '')
      expect(versions.map((version) => [version.schemaHash, version.totalCount])).toEqual([
        ['a', 2],
        ['b', 1],
        [overflowHash, 6],
      ])
      expect(await schema.bounds('w1')).toEqual([{ writeKey: 'k1', bound: 'versionsOverflow', count: 6 }])
      const catalogue = createCatalogue({ store: schema, observers: createObservers(options()) })
      expect(await catalogue.keyCounts('w1', model?.eventId ?? '')).toEqual({ a: 2, b: 1, c: 3, d: 3, type: 9 })
      const overflow = versions[2]?.versionId ?? ''
      expect(await catalogue.missingKeys('w1', overflow)).toEqual(['a', 'b'])
      expect([...(await schema.values('w1', overflow)).keys()]).toEqual(['d'])
      await close()
    })

    it(`counts events an observer did not learn from in the overflow version, even when there is room: ${name}`, async () => {
      const { schema, close } = await open({})
      const counted = sampleVersion({ schemaHash: overflowHash, schema: {}, count: 3, lastSeen: 5_000 })
      await schema.merge('w1', { versions: [sampleVersion(), counted] })
      await schema.merge('w1', { versions: [counted] })
      const [model] = await schema.models('w1')
      expect(model).toMatchObject({ totalCount: 7, lastSeen: 5_000, schema: sampleVersion().schema })
      const versions = await schema.versions('w1', model?.eventId ?? '')
      expect(versions.map(({ schemaHash, totalCount, keyCounts }) => [schemaHash, totalCount, keyCounts])).toEqual([
        ['hash-a', 1, undefined],
        [overflowHash, 6, {}],
      ])
      await close()
    })

    it(`limits the keys of a model and the bytes of its values: ${name}`, async () => {
      const { schema, close } = await open({ keysPerModelMax: 2, valueBytesMax: 2_000 })
      await schema.merge('w1', { versions: [sampleVersion({ schema: { a: 'bool', b: 'bool', c: 'bool' } })] })
      const [model] = await schema.models('w1')
      expect(model?.schema).toEqual({ a: 'bool', b: 'bool' })
      const counter = new ValueCounter()
      for (let i = 0; i < 900; i += 1) if (!counter.addKnown(`v${i % 899}`)) counter.addNew(`v${i % 899}`)
      const counters = new Map(['a', 'b', 'c'].map((path) => [path, counter]))
      await schema.mergeValues('w1', valuesOf('hash-a', counters))
      const kept = await schema.values('w1', model?.eventId ?? '')
      expect([...kept.keys()]).toEqual(['a', 'b'])
      expect(kept.get('a')?.size).toBeLessThan(100)
      expect(kept.get('a')?.observations).toBe(900)
      const bounds = new Map((await schema.bounds('w1')).map(({ bound, count }) => [bound, count]))
      expect(bounds.get('keysPerModel')).toBe(3)
      expect(bounds.get('valuesPruned')).toBeGreaterThan(1_000)
      await close()
    })
  }
})
