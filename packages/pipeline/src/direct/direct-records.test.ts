import { createManualClock, createSeededRandom, type SourcedEvent } from '@sluice/core'
import { createObserveStage, type ModelValues, type SchemaDelta } from '@sluice/schema'
import { describe, expect, it } from 'vitest'
import type { CountDelta } from '../ports/stores/counter-store.ts'
import { DirectRecords, type DirectStore } from './direct-records.ts'

const live = new AbortController().signal
const accepted = (count: number): CountDelta => {
  return { workspaceId: 'w', sourceId: 's', destinationId: '', kind: 'accepted', reason: '', count }
}
const tracked = (name: string): SourcedEvent => {
  return { workspaceId: 'w', sourceId: 's', writeKey: 'k', event: { type: 'track', event: name, colour: 'red' } }
}
const soon = () => new Promise((resolve) => setTimeout(resolve, 5))

function setUp() {
  const clock = createManualClock()
  const observe = createObserveStage({ clock, random: createSeededRandom(1), limits: { modelsMax: 5_000 } })
  const counted: (readonly CountDelta[])[] = []
  /** Ids of all calls that add counts, also of those that failed. */
  const writeIds: (string | undefined)[] = []
  const merged: SchemaDelta[] = []
  const values: ModelValues[] = []
  const broken = new Set<'counters' | 'schema'>()
  const errors: unknown[] = []
  const store: DirectStore = {
    counters: {
      add: async (deltas, writeId) => {
        writeIds.push(writeId)
        if (broken.has('counters')) throw new Error('no counters')
        counted.push(deltas)
      },
    },
    schema: {
      merge: async (_, delta) => {
        if (broken.has('schema')) throw new Error('no schema')
        merged.push(delta)
      },
      mergeValues: async (_, of) => {
        values.push(of)
      },
    },
  }
  const onError = (error: unknown) => errors.push((error as Error).message)
  const records = new DirectRecords({ workspaceId: 'w', store, observe, clock, random: createSeededRandom(2), onError })
  const pass = async (milliseconds: number) => {
    clock.advance(milliseconds)
    await soon()
  }
  return { records, observe, counted, writeIds, merged, values, broken, errors, pass }
}

const namesOf = (deltas: readonly SchemaDelta[]) => {
  return deltas.map(({ versions }) => versions.map(({ eventIdentifier }) => eventIdentifier))
}

describe('records of batches without a log', () => {
  it('are stored once for all batches of half a second', async () => {
    const { records, observe, counted, merged, pass } = setUp()
    for (const name of ['A', 'B']) {
      await observe.run([tracked(name)], live)
      records.add([accepted(1)])
    }
    await pass(499)
    expect(counted).toEqual([])
    await pass(1)
    expect(counted).toEqual([[accepted(2)]])
    expect(namesOf(merged)).toEqual([['A', 'B']])
  })

  it('are kept while counters cannot be stored, and stored once as they were, before those of later batches', async () => {
    const { records, counted, writeIds, broken, errors, pass } = setUp()
    broken.add('counters')
    records.add([accepted(1)])
    await pass(500)
    records.add([accepted(2)])
    broken.clear()
    await pass(500)
    expect(errors).toEqual(['no counters'])
    expect(counted).toEqual([[accepted(1)], [accepted(2)]])
    const [failed, again, later] = writeIds
    expect([again, later === failed, writeIds.length]).toEqual([failed, false, 3])
  })

  it('are kept while shapes cannot be stored: counters are not counted twice, and no shape is lost', async () => {
    const { records, observe, counted, merged, broken, pass } = setUp()
    broken.add('schema')
    await observe.run([tracked('A')], live)
    records.add([accepted(1)])
    await pass(500)
    await observe.run([tracked('B')], live)
    broken.clear()
    await pass(500)
    expect(counted).toEqual([[accepted(1)]])
    expect(namesOf(merged)).toEqual([['A'], ['B']])
  })

  it('are full when the shapes that wait for a failing store are too many for memory', async () => {
    const { records, observe, broken, pass } = setUp()
    broken.add('schema')
    await observe.run([tracked('A')], live)
    records.add([])
    await pass(500)
    expect(records.isFull).toBe(false)
    const names = Array.from({ length: 1_000 }, (_, n) => `E${n}`)
    await observe.run(
      names.map((name) => tracked(name)),
      live,
    )
    expect(records.isFull).toBe(true)
    broken.clear()
    await pass(500)
    expect(records.isFull).toBe(false)
  })

  it('include counted values only every ten seconds, because they are large', async () => {
    const { records, observe, values, pass } = setUp()
    await observe.run([tracked('A')], live)
    records.add([])
    await pass(500)
    expect(values).toEqual([])
    await pass(9_500)
    records.add([])
    await pass(500)
    expect(values.map(({ eventIdentifier }) => eventIdentifier)).toEqual(['A'])
  })

  it('are stored at once, values included, when the pipeline stops', async () => {
    const { records, observe, counted, merged, values } = setUp()
    await observe.run([tracked('A')], live)
    records.add([accepted(1)])
    await records.stop()
    expect([counted, namesOf(merged), values.length]).toEqual([[[accepted(1)]], [['A']], 1])
  })

  it('that cannot be stored when the pipeline stops are reported', async () => {
    const { records, broken, errors } = setUp()
    broken.add('counters')
    records.add([accepted(1)])
    await records.stop()
    expect(errors).toContain('no counters')
  })
})
