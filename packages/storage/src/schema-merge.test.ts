import { createManualClock, createSeededRandom, type Event, type JsonObject } from '@sluice/core'
import type { Store } from '@sluice/pipeline'
import { createObserveStage, type SchemaDelta } from '@sluice/schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMemoryStore } from './memory/memory-store.ts'
import { openSqliteStore } from './sql/sqlite-store.ts'

/** An event and when it was seen. */
interface Seen {
  readonly event: Event
  readonly at: number
}

// Few names and values, so that models, versions and keys of two types meet often.
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
  const stage = createObserveStage({ clock })
  for (const { event, at } of events) {
    clock.advance(at - clock.now())
    await stage.run([{ workspaceId: 'w1', sourceId: 's1', writeKey: 'k1', event }], live)
  }
  return stage.take()
}

/** The catalogue apart from what is given in order of creation: ids, time of creation, order of keys and types. */
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

const options = () => ({ clock: createManualClock(), random: createSeededRandom(1) })
const stores: readonly { name: string; runs: number; open: () => Promise<Store> }[] = [
  { name: 'memory', runs: 200, open: async () => createMemoryStore(options()) },
  { name: 'sqlite', runs: 25, open: () => openSqliteStore({ path: ':memory:', ...options() }) },
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
      await fc.assert(law, { numRuns: runs, seed: 1 })
    })
  }
})
