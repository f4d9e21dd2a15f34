import { createManualClock, createSeededRandom, type Event, type SourcedEvent } from '@sluice/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SchemaDelta } from '../catalogue/schema-delta.ts'
import { overflowHash } from '../catalogue/schema-store.ts'
import type { SchemaLimits } from '../schema-limits.ts'
import { createObserveStage, type ObserveStage } from './observe-stage.ts'

const live = new AbortController().signal
const from = (event: Event): SourcedEvent => ({ workspaceId: 'w', sourceId: 's', writeKey: 'k', event })
const named = (name: string, ...keys: readonly string[]): Event => ({
  type: 'track',
  event: name,
  properties: Object.fromEntries(keys.map((key) => [key, 1])),
})
const numbered = (count: number, eventOf: (n: number) => Event): readonly Event[] =>
  Array.from({ length: count }, (_, n) => eventOf(n))

function open(limits: Partial<SchemaLimits> = {}) {
  const clock = createManualClock(0)
  return { clock, stage: createObserveStage({ clock, random: createSeededRandom(1), limits }) }
}
const observe = (stage: ObserveStage, events: readonly Event[], receivedAt?: number) =>
  stage.run(
    events.map((event) => (receivedAt === undefined ? from(event) : { ...from(event), receivedAt })),
    live,
  )
const counted = ({ versions }: SchemaDelta, name: string, hash?: string): number =>
  versions.reduce(
    (sum, { eventIdentifier, schemaHash, count }) =>
      eventIdentifier === name && (hash === undefined || schemaHash === hash) ? sum + count : sum,
    0,
  )
const countedOnly = ({ bounds = [] }: SchemaDelta): number =>
  bounds.find(({ bound }) => bound === 'countedOnly')?.count ?? 0

describe('the learning allowance per batch and second', () => {
  it('of a batch of 20,000 new names some are learnt and the rest is counted', async () => {
    const { stage } = open()
    await observe(
      stage,
      numbered(20_000, (n) => named(`name ${n}`, 'a', 'b')),
    )
    const delta = stage.take()
    expect(delta.versions.length).toBeLessThan(2_000)
    expect(delta.versions.length + countedOnly(delta)).toBe(20_000)
  })

  it('of a batch of new keys some are learnt, and every event is counted under its model', async () => {
    const { stage } = open()
    const keys = (n: number) => Array.from({ length: 100 }, (_, i) => `key ${n} ${i}`)
    await observe(
      stage,
      numbered(2_000, (n) => named('E', ...keys(n))),
    )
    const delta = stage.take()
    expect(delta.versions.length).toBeLessThan(220)
    expect(counted(delta, 'E')).toBe(2_000)
    expect(counted(delta, 'E', overflowHash)).toBe(countedOnly(delta))
  })

  it('known models are observed normally while others flood with new names', async () => {
    const { stage } = open()
    await observe(stage, [named('Known', 'a')])
    await observe(
      stage,
      numbered(20_000, (n) => (n % 20 === 0 ? named('Known', 'a') : named(`name ${n}`))),
    )
    const known = stage.take().versions.filter(({ eventIdentifier }) => eventIdentifier === 'Known')
    expect(known).toMatchObject([{ count: 1_001, schema: { 'properties.a': 'float64' } }])
    const values = stage.pendingValues({ writeKey: 'k', eventType: 'track', eventIdentifier: 'Known' })
    expect(values.get('properties.a')?.observations).toBe(1_001)
  })

  it('the reserve is used up by consecutive batches, and refills with time, but not when the clock is set back', async () => {
    const { stage, clock } = open({ newKeysPerSecondMax: 1_000 })
    const flood = async (run: number): Promise<number> => {
      await observe(
        stage,
        numbered(2_000, (n) => named(`${run} ${n}`)),
      )
      return stage.take().versions.length
    }
    expect(await flood(0)).toBeGreaterThan(500)
    expect(await flood(1)).toBe(0)
    clock.advance(-5_000)
    expect(await flood(2)).toBe(0)
    clock.advance(1_000)
    const aSecond = await flood(3)
    expect(aSecond).toBeGreaterThan(30)
    expect(aSecond).toBeLessThan(150)
  })

  it('batches that were received at the same moment, as the parts of a call are, learn together what one may learn', async () => {
    const { stage } = open()
    const learnt = async (run: string, receivedAt: number): Promise<number> => {
      await observe(
        stage,
        numbered(2_000, (n) => named(`${run} ${n}`)),
        receivedAt,
      )
      return stage.take().versions.length
    }
    const first = await learnt('a', 1_000)
    expect(first).toBeGreaterThan(500)
    expect(await learnt('b', 1_000)).toBe(0)
    expect(await learnt('c', 1_001)).toBe(first)
  })

  it('evicted models are counted by version while nothing may be learnt, however often they occur', async () => {
    const { stage } = open({ modelsMax: 10, newKeysPerSecondMax: 76 })
    const names = numbered(50, (n) => named(`name ${n}`, 'a'))
    await observe(stage, names)
    stage.take()
    await observe(stage, Array.from({ length: 20 }, () => names).flat())
    const delta = stage.take()
    expect(countedOnly(delta)).toBeGreaterThan(500)
    expect(delta.versions.length).toBeLessThanOrEqual(60)
    for (const { event } of names) expect(counted(delta, String(event))).toBe(20)
    expect(delta.versions.filter(({ schemaHash }) => schemaHash === overflowHash)).toEqual([])
  })

  it('counts every event once, whatever may be learnt, and by key as long as no event is only counted', async () => {
    const event = fc
      .record({ name: fc.constantFrom('A', 'B', 'C'), keys: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd')) })
      .map(({ name, keys }) => named(name, ...keys))
    const batches = fc.array(fc.array(event, { maxLength: 8 }), { maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(batches, fc.integer({ min: 1, max: 40 }), async (all, keys) => {
        const { stage } = open({ newKeysPerBatchMax: keys, newKeysPerSecondMax: keys / 5, modelsMax: 2 })
        for (const batch of all) await observe(stage, batch)
        const delta = stage.take()
        const events = all.flat()
        const total = delta.versions.reduce((sum, { count }) => sum + count, 0)
        const inOverflow = delta.versions.reduce(
          (sum, { schemaHash, count }) => (schemaHash === overflowHash ? sum + count : sum),
          0,
        )
        // Those of new models are in no version.
        expect(total).toBeLessThanOrEqual(events.length)
        expect(total + countedOnly(delta)).toBeGreaterThanOrEqual(events.length)
        const ofKey = (key: string) =>
          delta.versions.reduce((sum, { schema, count }) => (`properties.${key}` in schema ? sum + count : sum), 0)
        for (const key of ['a', 'b', 'c', 'd']) {
          const truth = events.filter(({ properties }) => key in (properties as object)).length
          expect(ofKey(key)).toBeLessThanOrEqual(truth)
          expect(ofKey(key)).toBeGreaterThanOrEqual(truth - inOverflow - (events.length - total))
        }
      }),
    )
  })
})

it('an event of more than 5,000 keys is counted, but not analysed', async () => {
  const { stage } = open()
  const wide = (count: number) => named('Wide', ...Array.from({ length: count }, (_, n) => `key ${n}`))
  await observe(stage, [wide(4_000), wide(6_000), { ...named('Deep'), properties: { list: Array(6_000).fill(1) } }])
  const { versions, bounds } = stage.take()
  expect(versions.map(({ eventIdentifier, schemaHash }) => [eventIdentifier, schemaHash === overflowHash])).toEqual([
    ['Wide', false],
    ['Wide', true],
    ['Deep', true],
  ])
  expect(bounds).toContainEqual({ writeKey: 'k', bound: 'countedOnly', count: 2 })
})

it('a large batch yields to the event loop', async () => {
  const { stage } = open()
  let turns = 0
  let isDone = false
  const count = (): void => {
    turns += 1
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await observe(
    stage,
    numbered(20_000, (n) => named(n % 2 === 0 ? 'Known' : `name ${n}`, 'a', 'b', 'c')),
  )
  isDone = true
  expect(turns).toBeGreaterThan(10)
})
