import { createManualClock, createSeededRandom, type Event, type SourcedEvent } from '@sluice/core'
import { createObserveStage, flattenEvent, schemaHash } from '@sluice/schema'
import { describe, expect, it } from 'vitest'
import { conformanceJson, hasConformance } from '../support/texts/conformance.ts'

const live = new AbortController().signal
const from = (event: Event): SourcedEvent => ({ workspaceId: 'w1', sourceId: 's1', writeKey: 'k1', event })
const model = { writeKey: 'k1', eventType: 'track', eventIdentifier: 'Bought' }
const stageOf = () => createObserveStage({ clock: createManualClock(), random: createSeededRandom(1) })

describe.runIf(hasConformance)('recorded vectors of the schema catalogue', () => {
  interface SchemaCase {
    readonly name: string
    readonly event: Event
    readonly schema: Record<string, string>
    readonly schemaHash: string
  }

  it('agree in schemas and hashes', async () => {
    const { cases } = conformanceJson('governance/event-schema/schema_vectors.json') as { cases: SchemaCase[] }
    for (const { name, event, schema, schemaHash: hash } of cases) {
      expect(flattenEvent(event), name).toEqual(schema)
      expect(schemaHash(flattenEvent(event)), name).toBe(hash)
      const stage = stageOf()
      await stage.run([from(event)], live)
      expect(stage.take().versions, name).toMatchObject([{ schema, schemaHash: hash, count: 1 }])
    }
  })

  it('agree for the event of a thousand keys', () => {
    const { benchInput } = conformanceJson('governance/event-schema/schema_vectors.json') as {
      benchInput: { flattenedKeys: number; schemaHash: string }
    }
    const input = conformanceJson('governance/event-schema/bench_test_input.json') as { batch?: Event[] } & Event
    const flat = flattenEvent(input.batch?.[0] ?? input)
    expect(Object.keys(flat)).toHaveLength(benchInput.flattenedKeys)
    expect(schemaHash(flat)).toBe(benchInput.schemaHash)
  })

  it('agree in frequent values', async () => {
    const { vectors } = conformanceJson('governance/lossy-count/lossy_vectors.json') as {
      vectors: { name: string; sequence: string; frequentCount: number; frequent: Record<string, number> }[]
    }
    for (const { name, sequence, frequentCount, frequent } of vectors) {
      const stage = stageOf()
      await stage.run(
        sequenceOf(name, sequence).map((v) => from({ type: 'track', event: 'Bought', properties: { v } })),
        live,
      )
      const listed = stage.pendingValues(model).get('properties.v')?.frequent() ?? []
      expect(listed, name).toHaveLength(frequentCount)
      const { each, ...named } = frequent
      for (const { value, frequency } of listed)
        expect(frequency, `${name} ${value}`).toBeCloseTo(each ?? named[value] ?? -1, 12)
    }
  })

  /** The vectors describe their sequences in words. */
  function sequenceOf(name: string, words: string): string[] {
    const distinct = /^(\d+) distinct/.exec(words)
    if (distinct) return Array.from({ length: Number(distinct[1]) }, (_, i) => `v${i}`)
    if (name === 'skew-3000') return Array.from({ length: 3_000 }, (_, i) => (i % 2 === 0 ? 'a' : `v${i}`))
    return [...words.matchAll(/(\d+) x "(\w+)"/g)].flatMap(([, count, value]) => Array(Number(count)).fill(value))
  }
})
