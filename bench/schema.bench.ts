import assert from 'node:assert/strict'
import { inferSchema } from '@jsonhero/schema-infer'
import { createManualClock, detectors, type Event, type SourcedEvent, systemClock, systemRandom } from '@sluice/core'
import {
  createObserveStage,
  flattenEvent,
  type ObservedSource,
  type ObserveStage,
  type SchemaLimits,
  schemaHash,
  structureOf,
  toJsonSchema,
} from '@sluice/schema'
import { createMemoryStore, openSqliteStore } from '@sluice/storage'
import { createSchema, extendSchema, type Schema } from 'genson-js'
import type { BenchCase, OpenCase } from './bench-case.ts'
import { type Figure, runBench } from './bench-kit.ts'
import { type Corpus, loadCorpus } from './corpus.ts'

const live = new AbortController().signal
const batchSize = 200
const everything: ObservedSource = { writeKey: 'k', samples: true, values: true, maskPaths: [], detectors }

const from = (event: Event): SourcedEvent => ({ workspaceId: 'w', sourceId: 's', writeKey: 'k', event, receivedAt: 0 })
const batches = (events: readonly Event[]): readonly (readonly SourcedEvent[])[] =>
  Array.from({ length: Math.ceil(events.length / batchSize) }, (_, i) =>
    events.slice(i * batchSize, (i + 1) * batchSize).map(from),
  )
const counted = (stage: ObserveStage): number => stage.take().versions.reduce((sum, { count }) => sum + count, 0)

/** The events once, by a stage that has seen them before, as it would in the long run. */
function observing(events: readonly Event[], source: Partial<ObservedSource> = {}): OpenCase {
  const sources = [{ ...everything, ...source }]
  const stage = createObserveStage({ clock: systemClock, random: systemRandom, sources })
  const inBatches = batches(events)
  const run = async (): Promise<void> => {
    for (const batch of inBatches) await stage.run(batch, live)
  }
  return {
    events: events.length,
    check: async () => {
      await run()
      assert.equal(counted(stage), events.length)
    },
    run: async () => {
      await run()
      stage.take()
    },
  }
}

/** Other identifiers and times at each call, as real events have: they are new to the counters, and to the caches. */
function observingFresh({ texts }: Corpus): OpenCase {
  const copies = Array.from({ length: 20 }, (_, copy) =>
    freshTexts(texts, copy).map((text) => JSON.parse(text) as Event),
  )
  const stage = createObserveStage({ clock: systemClock, random: systemRandom, sources: [everything] })
  const inBatches = copies.map(batches)
  let turn = 0
  return {
    events: texts.length,
    check: async () => {
      for (const batch of inBatches.flat()) await stage.run(batch, live)
      assert.equal(counted(stage), texts.length * copies.length)
    },
    run: async () => {
      turn += 1
      for (const batch of inBatches[turn % inBatches.length] ?? []) await stage.run(batch, live)
      stage.take()
      // As often as a data plane would that takes a few thousand events a second.
      if (turn % 40 === 0) await stage.storeValues(async () => {})
    },
  }
}

/** The events with identifiers and times that only this copy has. */
function freshTexts(texts: readonly string[], copy: number): readonly string[] {
  return texts.map((text, i) =>
    text
      .replaceAll(/"[0-9a-f]{8}-/g, (_, at) => `"${hex(copy * 7_919_777 + i * 31 + Number(at))}-`)
      .replaceAll(/\.\d{3}Z/g, () => `.${String((copy * 37 + i) % 1_000).padStart(3, '0')}Z`),
  )
}
const hex = (number: number): string => (Math.imul(number, 2_654_435_761) >>> 0).toString(16).padStart(8, '0')

/** What a flood under a public write key may cost: every event has a new name. Each run has a stage that has seen nothing. */
function flooding(limits: Partial<SchemaLimits>): OpenCase {
  const count = 5_000
  const flood = Array.from({ length: count }, (_, n) => from({ type: 'track', event: `name ${n}`, properties: { n } }))
  const run = async (): Promise<void> => {
    const stage = createObserveStage({ clock: systemClock, random: systemRandom, sources: [everything], limits })
    await stage.run(flood, live)
  }
  return { events: count, check: run, run }
}
const unlimited = { newKeysPerBatchMax: Number.MAX_SAFE_INTEGER, newKeysPerSecondMax: Number.MAX_SAFE_INTEGER }

/** With the store behind it: what is committed for so many events at a time. */
async function observingIntoStore(events: readonly Event[]): Promise<OpenCase> {
  const store = await openSqliteStore({ path: ':memory:', clock: systemClock, random: systemRandom })
  const stage = createObserveStage({ clock: systemClock, random: systemRandom, sources: [everything] })
  const inBatches = batches(events)
  const run = async (): Promise<void> => {
    for (const batch of inBatches) await stage.run(batch, live)
    await store.schema.merge('w', stage.take())
  }
  return {
    events: events.length,
    check: async () => {
      await run()
      const models = await store.schema.models('w')
      assert.equal(
        models.reduce((sum, { totalCount }) => sum + totalCount, 0),
        events.length,
      )
    },
    run,
    close: () => store.close(),
  }
}

function plain(events: readonly Event[], each: (event: Event) => unknown): OpenCase {
  const run = (): void => {
    for (const event of events) each(event)
  }
  return { events: events.length, check: run, run }
}

/** Keeps one schema per event name, as the peers let you. */
function perName<Kept>(events: readonly Event[], learn: (known: Kept | undefined, event: Event) => Kept): OpenCase {
  const known = new Map<unknown, Kept>()
  return plain(events, (event) => known.set(event['event'], learn(known.get(event['event']), event)))
}

const wide: readonly Event[] = Array.from({ length: 100 }, (_, n) => ({
  type: 'track',
  event: 'Wide',
  properties: Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`key_${i}`, (n * i) % 7])),
}))
const deepOf = (n: number, levels: number): Event => {
  let inner: Event = { value: n % 7, name: 'x' }
  for (let level = 0; level < levels; level += 1) inner = { inner, level, name: `level ${level}` }
  return { type: 'track', event: 'Deep', properties: inner }
}
const deep: readonly Event[] = Array.from({ length: 100 }, (_, n) => deepOf(n, 25))
const parsing = (events: readonly Event[]): OpenCase => {
  const texts = events.map((event) => JSON.stringify(event))
  const run = (): void => {
    for (const text of texts) JSON.stringify(JSON.parse(text))
  }
  return { events: events.length, check: run, run }
}

const limits = { depthMax: 32, propertiesMax: 2_000 }

const cases = (corpus: Corpus): readonly BenchCase[] => {
  const { events } = corpus
  return [
    { name: 'observe, everything on (goal: 0.45)', open: () => observing(events) },
    { name: 'observe, everything on, identifiers and times never come twice', open: () => observingFresh(corpus) },
    { name: 'observe, no masking', open: () => observing(events, { detectors: [] }) },
    { name: 'observe, no values', open: () => observing(events, { values: false }) },
    { name: 'observe, shapes only', open: () => observing(events, { values: false, samples: false }) },
    { name: 'observe and merge into SQLite, 1,000 events at a time', open: () => observingIntoStore(events) },
    { name: 'a batch of 5,000 new names', open: () => flooding({}) },
    { name: 'the same, all of it learnt', open: () => flooding(unlimited) },
    {
      name: 'naive: flatten and hash each event',
      open: () => plain(events, (event) => schemaHash(flattenEvent(event))),
    },
    {
      name: 'naive: JSON Schema of each event',
      open: () => plain(events, (event) => toJsonSchema(structureOf(event, limits), { title: '' })),
    },
    {
      name: 'peer: genson-js, one schema per event name',
      open: () => perName<Schema>(events, (known, event) => (known ? extendSchema(known, event) : createSchema(event))),
    },
    {
      name: 'peer: @jsonhero/schema-infer, one schema per event name',
      open: () => perName<ReturnType<typeof inferSchema>>(events, (known, event) => inferSchema(event, known)),
    },
    { name: 'wide events of 1,000 keys: round trip', open: () => parsing(wide) },
    { name: 'wide events of 1,000 keys: observe', open: () => observing(wide) },
    {
      name: 'wide events of 1,000 keys: flatten and hash',
      open: () => plain(wide, (event) => schemaHash(flattenEvent(event))),
    },
    { name: 'deep events of 25 levels: round trip', open: () => parsing(deep) },
    { name: 'deep events of 25 levels: observe', open: () => observing(deep) },
    {
      name: 'deep events of 25 levels: flatten and hash',
      open: () => plain(deep, (event) => schemaHash(flattenEvent(event))),
    },
  ]
}

/**
 * RT of observing fresh events that were parsed just before, as in a data plane: their texts are in the caches of the
 * processor, and have never been hashed. Parsing is not counted.
 */
async function observingParsed(): Promise<number> {
  const { texts } = loadCorpus()
  const copies = Array.from({ length: 8 }, (_, copy) => freshTexts(texts, copy))
  const stage = createObserveStage({ clock: systemClock, random: systemRandom, sources: [everything] })
  const observe = async (copy: readonly string[]): Promise<number> => {
    let time = 0
    for (let at = 0; at < copy.length; at += 50) {
      const batch = copy.slice(at, at + 50).map((text) => from(JSON.parse(text) as Event))
      const before = performance.now()
      await stage.run(batch, live)
      time += performance.now() - before
    }
    assert.equal(counted(stage), copy.length)
    return time
  }
  const roundTrip = (): number => {
    const before = performance.now()
    for (const text of texts) JSON.stringify(JSON.parse(text))
    return performance.now() - before
  }
  const rounds: { readonly observed: number; readonly parsed: number }[] = []
  for (let round = 0; round < 120; round += 1) {
    rounds.push({ observed: await observe(copies[round % copies.length] ?? []), parsed: roundTrip() })
    if (round % 40 === 39) await stage.storeValues(async () => {})
  }
  // The first ones compile code.
  const lower = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 4)] ?? 0
  const measured = rounds.slice(40)
  return lower(measured.map(({ observed }) => observed)) / lower(measured.map(({ parsed }) => parsed))
}

/** The memory of a model, in the observer and in a store, when each has one version of 40 keys and few values. */
async function bytesPerModel(isStored: boolean): Promise<number> {
  const models = 1_000
  const clock = createManualClock()
  const store = createMemoryStore({ clock, random: systemRandom })
  const eventOf = (n: number): Event => ({
    type: 'track',
    event: `Event ${n}`,
    properties: Object.fromEntries(Array.from({ length: 38 }, (_, i) => [`key_${i}`, `value ${n % 3}`])),
  })
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  // Without `unlimited`, most models would only be counted: all their events are received at the same moment.
  const stage = createObserveStage({ clock, random: systemRandom, limits: { modelsMax: models, ...unlimited } })
  const learnt = new Set<string>()
  for (let n = 0; n < models * 10; n += batchSize) {
    await stage.run(
      Array.from({ length: batchSize }, (_, i) => from(eventOf((n + i) % models))),
      live,
    )
    const delta = stage.take()
    if (isStored) await store.schema.merge('w', delta)
    else for (const { eventIdentifier } of delta.versions) learnt.add(eventIdentifier)
  }
  if (isStored) await stage.storeValues((values) => store.schema.mergeValues('w', values))
  globalThis.gc?.()
  const after = process.memoryUsage().heapUsed
  assert.equal(isStored ? (await store.schema.models('w')).length : learnt.size, models)
  assert.equal(counted(stage), 0)
  return (after - before) / models
}

const figures: readonly Figure[] = [
  {
    name: 'observe, everything on, new values, parsed just before',
    unit: 'RT',
    goal: 'none, to know',
    measure: observingParsed,
  },
  {
    name: 'a model of 40 keys in the observer, counters of values included',
    unit: 'bytes',
    goal: 'none, to know',
    measure: () => bytesPerModel(false),
  },
  {
    name: 'the same with its record in a memory store',
    unit: 'bytes',
    goal: 'none, to know',
    measure: () => bytesPerModel(true),
  },
]

await runBench('what does it cost to learn the schemas of events?', cases, figures)
