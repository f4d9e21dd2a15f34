import { createSeededRandom, type Event, type JsonObject, type JsonValue } from '@sluice/core'
import { createRecordingTransport } from '@sluice/delivery'
import type { CatalogueDetail, CatalogueModels, CatalogueValues } from '@sluice/http'
import { createPlanReview, inferPlan, type LearntEvent, learntFromCatalogue } from '@sluice/schema'
import fc from 'fast-check'
import { createSluice } from 'sluice'
import { describe, expect, it } from 'vitest'
import { createApiClient, hashOf } from '../support/http/api-client.ts'
import { shop } from '../support/scenes/shop.ts'

const leaf = fc.oneof(
  fc.constantFrom<JsonValue>(null, true, 1, 2.5, 'EUR', 'USD', 'ann@shop.test', '2026-01-01', ''),
  fc.integer(),
  fc.string({ maxLength: 5 }),
)
const key = fc.constantFrom('total', 'currency', 'email', 'a.b', 'lines', '0')
const { object } = fc.letrec<{ value: JsonValue; object: JsonObject }>((tie) => ({
  value: fc.oneof({ maxDepth: 2 }, leaf, fc.array(tie('value'), { maxLength: 3 }), tie('object')),
  object: fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map((members) => Object.fromEntries(members)),
}))
const event = fc
  .record({ type: fc.constantFrom('track', 'page'), properties: object })
  .map(({ type, properties }) => ({ type, event: 'Bought', userId: 'u', properties }) as Event)

describe('plans of the catalogue', () => {
  it('fit every event that the catalogue has seen, when keys are required only if all events have them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 150 }), async (events) => {
        const sluice = await createSluice({
          workspace: shop('http://hook.test/', {
            accessTokens: [{ name: 'all', token: hashOf('all'), scopes: ['read', 'operate'] }],
          }),
          transport: createRecordingTransport(),
          sandbox: { mode: 'in-process' },
          random: createSeededRandom(1),
        })
        expect((await sluice.ingest('web-key', events)).ok).toBe(true)
        await sluice.settled()
        const api = await createApiClient(sluice, 'Bearer all')
        const get = async <Body>(path: string): Promise<Body> => (await api.get(path)).body as unknown as Body
        const learnt: LearntEvent[] = []
        const { models } = await get<CatalogueModels>('/v2/catalogue/models')
        for (const { id, type, event: called, totalCount } of models) {
          const { keyCounts } = await get<CatalogueDetail>(`/v2/catalogue/models/${id}`)
          const schema = await get<JsonObject>(`/v2/catalogue/models/${id}/json-schema`)
          const { frequentValues, samples } = await get<CatalogueValues>(`/v2/catalogue/models/${id}/values`)
          const model = { type, event: called, totalCount, schema, keyCounts, frequentValues }
          const found = learntFromCatalogue({ ...model, samples: samples as readonly JsonObject[] })
          if (found !== undefined) learnt.push(found)
        }
        const { plan } = inferPlan(learnt, { requiredFrom: 1, eventsMin: 1 })
        const review = createPlanReview({ ...plan, unplanned: 'mark' })
        for (const each of events) review.add(each)
        expect(review.report().groups).toEqual([])
        await sluice.stop()
      }),
      { numRuns: 15 },
    )
  })
})
