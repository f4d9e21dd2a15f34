import { createManualClock, createSeededRandom, type Event } from '@sluice/core'
import { createCatalogue, createObservers } from '@sluice/schema'
import { createMemoryStore } from '@sluice/storage'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const live = new AbortController().signal
const key = fc.constantFrom('a', 'b', 'a.b', '1', '__proto__', 'long key')
const { event } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, 1, 0.5, 'x', true),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4 }),
  ),
  event: fc.record({ type: fc.constantFrom('track', 'page'), event: fc.constant('E'), properties: tie('value') }),
})) as { event: fc.Arbitrary<Event> }

/** Shared: creating one takes longer than the rest of a run. It does not cache schemas by id. */
const ajv = new Ajv2020({ strict: false, addUsedSchema: false })

describe('the JSON Schema of an event model', () => {
  it('accepts every observed event of the model, in whatever batches they came, also when limits were reached', async () => {
    const limits = fc.record({ keysPerModelMax: fc.constantFrom(2, 5, 2_000), depthMax: fc.constantFrom(2, 32) })
    const law = fc.asyncProperty(
      fc.array(fc.array(event, { maxLength: 6 }), { maxLength: 4 }),
      limits,
      async (batches, schemaLimits) => {
        const options = { clock: createManualClock(), random: createSeededRandom(1), limits: schemaLimits }
        const { schema } = createMemoryStore({ ...options, schemaLimits })
        const observers = createObservers(options)
        const stage = observers.of({
          id: 'w',
          name: 'w',
          sources: [],
          destinations: [],
          connections: [],
          accessTokens: [],
        })
        for (const batch of batches) {
          const items = batch.map((each) => ({ workspaceId: 'w', sourceId: 's', writeKey: 'k', event: each }))
          await stage.run(items, live)
          await schema.merge('w', stage.take())
        }
        const catalogue = createCatalogue({ store: schema, observers })
        for (const { eventId, eventType } of await schema.models('w')) {
          const accepts = ajv.compile((await catalogue.jsonSchema('w', eventId)) ?? {})
          for (const each of batches.flat())
            if (each['type'] === eventType) expect(accepts(each), JSON.stringify(each)).toBe(true)
        }
      },
    )
    await fc.assert(law, { numRuns: 200 })
  })
})
