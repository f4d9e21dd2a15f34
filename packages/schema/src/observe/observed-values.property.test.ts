import { createSeededRandom, type Event, type JsonValue, type SourcedEvent } from '@sluice/core'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { defaultSchemaLimits, type SchemaLimits } from '../schema-limits.ts'
import { flattenEvent } from '../shapes/flatten-event.ts'
import { type ModelKey, modelKeyOf } from '../shapes/model-key.ts'
import { schemaHash } from '../shapes/schema-hash.ts'
import { mergeValues, parseValues } from '../values/merged-values.ts'
import type { ValueCounter } from '../values/value-counter.ts'
import { Observer } from './observer.ts'

/** Times that a value was seen, by `model, hash, path, value`. */
type Counts = Map<string, number>
const add = (counts: Counts, key: readonly unknown[], count: number): Counts =>
  counts.set(JSON.stringify(key), (counts.get(JSON.stringify(key)) ?? 0) + count)
const sorted = (counts: Counts) => [...counts].sort(([a], [b]) => (a < b ? -1 : 1))

const lengthMax = 30

/** Counts the values of an event as plainly as possible: for each path the text of the value, cut. */
function countPlainly(counts: Counts, item: SourcedEvent): void {
  const model = modelKeyOf(item)
  if (model === undefined) return
  const hash = schemaHash(flattenEvent(item.event))
  const walk = (value: JsonValue | undefined, path: string): void => {
    if (value === null || value === undefined) return
    if (typeof value !== 'object') add(counts, [nameOf(model), hash, path, String(value).slice(0, lengthMax)], 1)
    else for (const [key, member] of Object.entries(value)) walk(member, path === '' ? key : `${path}.${key}`)
  }
  walk(item.event, '')
}
const nameOf = ({ writeKey, eventType, eventIdentifier }: ModelKey) => [writeKey, eventType, eventIdentifier].join(' ')

/** A store of counters as text, as all stores keep them. */
class TextStore {
  readonly texts = new Map<string, string>()

  async merge(observer: Observer): Promise<void> {
    await observer.storeValues(async ({ versions, ...model }) => {
      for (const { schemaHash: hash, counters } of versions) this.#add(JSON.stringify([nameOf(model), hash]), counters)
    })
  }

  #add(key: string, counters: ReadonlyMap<string, ValueCounter>): void {
    this.texts.set(key, mergeValues(this.texts.get(key), counters, defaultSchemaLimits).text)
  }

  get counts(): Counts {
    const counts: Counts = new Map()
    for (const [key, text] of this.texts)
      for (const [path, counter] of parseValues(text)) {
        const [, , ...values] = counter.toStored()
        for (const [value, seen] of values) add(counts, [...JSON.parse(key), path, value], seen)
      }
    return counts
  }
}

/** Keys of hostile senders: of the prototype, different only in case or in how Unicode writes them, and numbers. */
const key = fc.constantFrom(
  '__proto__',
  'constructor',
  'toString',
  'Key',
  'key',
  'é',
  'e\u0301',
  '',
  ' ',
  '0',
  '1',
  'a',
  'b',
)
const leaf = fc.oneof(
  fc.constantFrom<JsonValue>(null, true, false, 0, -0, 1, '1', '', 'é', 'e\u0301', '__proto__', 'x'.repeat(40)),
  fc.nat(30),
  fc.nat(30).map((n) => `value ${n}`),
  // Texts of one hash.
  fc.nat(30).map((n) => `${'x'.repeat(8)}${n % 10}${'x'.repeat(17)}`),
)
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, leaf, leaf, fc.array(tie('value'), { maxLength: 4 }), tie('object')),
  object: fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map((members) => Object.fromEntries(members)),
})) as { value: fc.Arbitrary<JsonValue> }
const item = fc
  .record({ writeKey: fc.constantFrom('k1', 'k2'), event: fc.constantFrom('Bought', 'Sold', 'X'), properties: value })
  .map(
    ({ writeKey, event, properties }): SourcedEvent => ({
      workspaceId: 'w',
      sourceId: 's',
      writeKey,
      // Parsed, as every event is: so that `__proto__` is a key like others.
      event: JSON.parse(JSON.stringify({ type: 'track', event, properties })) as Event,
    }),
  )

function observerOf(limits: Partial<SchemaLimits> = {}): Observer {
  const all = { ...defaultSchemaLimits, valueLengthMax: lengthMax, ...limits }
  const observer = new Observer(createSeededRandom(1), all, { bytes: 0 })
  const settings = { samples: false, values: true, maskPaths: [], detectors: [] }
  observer.configure(['k1', 'k2'].map((writeKey) => ({ writeKey, ...settings })))
  return observer
}

it('counts every value of every path, on several nodes that evict, store, fail to store and merge at any time', async () => {
  const step = fc.record({
    item,
    node: fc.nat(2),
    after: fc.constantFrom('nothing', 'nothing', 'nothing', 'nothing', 'store', 'aside', 'fail', 'take'),
  })
  const law = fc.asyncProperty(fc.array(step, { maxLength: 120 }), async (steps) => {
    const nodes = [observerOf(), observerOf({ versionsMax: 2 }), observerOf({ modelsMax: 1 })]
    const store = new TextStore()
    const plain: Counts = new Map()
    for (const { item: each, node, after } of steps) {
      const observer = nodes[node] as Observer
      observer.observe(each, 1)
      countPlainly(plain, each)
      if (after === 'store') await store.merge(observer)
      if (after === 'aside') observer.setValuesAside()
      if (after === 'fail') await observer.storeValues(() => Promise.reject(new Error('disk'))).catch(() => {})
      if (after === 'take') observer.take()
    }
    for (const observer of nodes) await store.merge(observer)
    expect(sorted(store.counts)).toEqual(sorted(plain))
  })
  await fc.assert(law, { numRuns: 80 })
})

it('counts from zero what is read again, and never has what mentions a forgotten user', async () => {
  const law = fc.asyncProperty(fc.array(item, { maxLength: 40 }), fc.nat(30), async (items, user) => {
    const observer = observerOf({ versionsMax: 2 })
    for (const each of items) observer.observe(each, 1)
    observer.discard()
    const plain: Counts = new Map()
    for (const each of items) {
      observer.observe(each, 1)
      countPlainly(plain, each)
    }
    const mention = `value ${user}`
    observer.forget([mention])
    const store = new TextStore()
    await store.merge(observer)
    const kept = [...plain].filter(([text]) => !mentions(JSON.parse(text)[3], mention))
    expect(sorted(store.counts)).toEqual(sorted(new Map(kept)))
  })
  await fc.assert(law, { numRuns: 80 })
})

/** Identifiers of four and more characters are found anywhere in a value. */
const mentions = (counted: string, identifier: string): boolean => counted.includes(identifier)
