import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type Event, type SourcedEvent, systemClock, systemRandom } from '@sluice/core'
import type { EventLog } from '@sluice/pipeline'
import { createObserveStage, defaultSchemaLimits } from '@sluice/schema'
import { createMemoryStore } from '@sluice/storage'
import { createSluice } from 'sluice'
import { describe, expect, it } from 'vitest'
import { sized } from '../support/long.ts'

/** `pnpm test:random-keys` sends a million, and so does `pnpm test:long`. */
const events = Number(process.env['SLUICE_RANDOM_EVENTS'] ?? sized(4_000, 1_000_000))
const batchLength = 200
const live = new AbortController().signal
/** All of it must be learnt: events that are only counted would use no memory. */
const learnAll = { newKeysPerBatchMax: Number.MAX_SAFE_INTEGER, newKeysPerSecondMax: Number.MAX_SAFE_INTEGER }

/** Names, keys and values that never occur twice. */
function strangeEvent(n: number): Event {
  const properties = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`key-${n}-${i}`, `value-${n}-${i}`]))
  return { type: 'track', event: n % 2 === 0 ? `Event ${n}` : 'Known', userId: `user-${n}`, properties }
}
setFlagsFromString('--expose_gc')
const collect = runInNewContext('gc') as () => void
const usedBytes = (): number => {
  collect()
  return process.memoryUsage().heapUsed
}

describe('a source that sends random keys', () => {
  it(`costs a fixed amount of memory: ${events} events`, async () => {
    const limits = { archivedModelsMax: 50, archivedVersionsMax: 50, ...learnAll }
    const store = createMemoryStore({ clock: systemClock, random: systemRandom, schemaLimits: limits })
    const memory = { bytes: 0 }
    const stage = createObserveStage({ clock: systemClock, random: systemRandom, limits, memory })
    const heap: number[] = []
    let valuesMax = 0
    for (let start = 0; start < events; start += batchLength) {
      const batch = Array.from(
        { length: batchLength },
        (_, i): SourcedEvent => ({ workspaceId: 'w', sourceId: 's', writeKey: 'k', event: strangeEvent(start + i) }),
      )
      await stage.run(batch, live)
      await store.schema.merge('w', stage.take())
      valuesMax = Math.max(valuesMax, memory.bytes)
      if ((start / batchLength) % 10 === 9) await stage.storeValues((values) => store.schema.mergeValues('w', values))
      if (start % Math.ceil(events / 10) < batchLength) heap.push(usedBytes())
    }
    expect(valuesMax).toBeLessThan(defaultSchemaLimits.valueMemoryBytesMax)
    // The first parts fill the store to its limits; from then on memory grows only by garbage not yet collected.
    const [half = 0, last = 0] = [heap[Math.floor(heap.length / 2)], heap.at(-1)]
    expect(last - half).toBeLessThan(32 * 1_024 * 1_024)

    const models = await store.schema.models('w')
    expect(models).toHaveLength(defaultSchemaLimits.modelsMax + 50)
    const known = models.find(({ eventIdentifier }) => eventIdentifier === 'Known')
    expect(known?.totalCount).toBe(events / 2)
    const versions = await store.schema.versions('w', known?.eventId ?? '')
    expect(versions).toHaveLength(defaultSchemaLimits.versionsMax + 50 + 1)
    expect(versions.reduce((sum, { totalCount }) => sum + totalCount, 0)).toBe(events / 2)
    const bounds = new Map((await store.schema.bounds('w')).map(({ bound, count }) => [bound, count]))
    expect(bounds.get('modelsOverflow')).toBe(events / 2 - (models.length - 1))
    expect(bounds.get('versionsOverflow')).toBe(events / 2 - (versions.length - 1))
    await store.close()
  }, 600_000)
})

describe('a backlog of events with ever new shapes', () => {
  it('is committed in parts, however much the log returns at a time', async () => {
    const store = createMemoryStore({ clock: systemClock, random: systemRandom })
    let begin = (): void => {}
    const whenToRead = new Promise<void>((resolve) => (begin = resolve))
    const sizes: number[] = []
    const log: EventLog = {
      ...store.log,
      read: async (...args) => {
        await whenToRead
        return store.log.read(...args)
      },
      commit: async (progress) => {
        sizes.push(progress.observed?.versions.length ?? 0)
        await store.log.commit(progress)
      },
    }
    const workspace = { id: 'shop', sources: [{ id: 'web', writeKey: 'k' }], destinations: [], connections: [] }
    const sluice = await createSluice({ workspace, store: { ...store, log } })
    for (let batch = 0; batch < 25; batch += 1)
      await sluice.ingest(
        'k',
        Array.from({ length: 200 }, (_, i) => ({ type: 'page', userId: 'u', [`k-${batch}-${i}`]: 1 })),
      )
    begin()
    await sluice.settled()
    expect(Math.max(...sizes)).toBeLessThan(400)
    expect(sizes.reduce((sum, size) => sum + size)).toBe(5_000)
    expect(await sluice.catalogue.models('shop')).toMatchObject([{ totalCount: 5_000 }])
    await sluice.stop()
  }, 60_000)
})

describe('the memory used for wide events stays within its bounds', () => {
  const limits = { ...learnAll, valueMemoryBytesMax: 16 * 1_024 * 1_024 }
  // So many that what waits as texts reaches the bound, too.
  const wide = 1_600
  const keys = (count: number, value: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`a-usual-key-${i}`, value]))
  const cases = [
    {
      name: 'when only their last key changes each time',
      event: (n: number) => ({ event: 'Known', properties: { ...keys(300, 'x'), [`z-${n}`]: 1 } }),
    },
    {
      name: 'when every model has as many keys and versions as allowed',
      event: (n: number) => ({
        event: `Event ${n % 200}`,
        properties: { ...keys(480, `${n}`), [`z-${Math.floor(n / 200)}`]: 1 },
      }),
    },
  ]
  for (const { name, event } of cases) {
    it(name, async () => {
      const memory = { bytes: 0 }
      const stage = createObserveStage({ clock: systemClock, random: systemRandom, limits, memory })
      const before = usedBytes()
      let missed = 0
      for (let start = 0; start < wide; start += 100) {
        const batch = Array.from({ length: 100 }, (_, i): SourcedEvent => {
          const text = JSON.stringify({ type: 'track', ...event(start + i) })
          return { workspaceId: 'w', sourceId: 's', writeKey: 'k', event: JSON.parse(text) }
        })
        await stage.run(batch, live)
        for (const { bound, count } of stage.take().bounds ?? []) if (bound === 'valuesMissed') missed += count
      }
      // One more counter may be created while there is room for it.
      expect(memory.bytes).toBeLessThan(limits.valueMemoryBytesMax + 1_024)
      expect(missed).toBeGreaterThan(0)
      // The counters use what they report and no more; the shapes are added to that.
      expect(usedBytes() - before).toBeLessThan(3 * limits.valueMemoryBytesMax)
      await stage.storeValues(async () => {})
      expect(memory.bytes).toBe(0)
    }, 60_000)
  }
})
