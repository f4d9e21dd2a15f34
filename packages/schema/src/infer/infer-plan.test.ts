import type { Event, JsonObject, JsonValue } from '@sluice/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPlanReview } from '../review/plan-review.ts'
import { trackingPlanProblem } from '../tracking-plan/compile-plan.ts'
import { createEventLearner } from './event-learner.ts'
import { type InferRules, inferPlan } from './infer-plan.ts'

const track = (properties: JsonValue, event = 'Bought'): Event => ({ type: 'track', event, properties }) as Event
function planOf(events: readonly Event[], rules: Partial<InferRules> = {}) {
  const learner = createEventLearner()
  for (const event of events) learner.add(event)
  return inferPlan(learner.learnt(), rules).plan
}
/** The schema of the properties of the only event. */
function propertiesOf(values: readonly JsonObject[], rules: Partial<InferRules> = { eventsMin: 1 }): JsonObject {
  const [event] = planOf(
    values.map((value) => track(value)),
    rules,
  ).events
  const { properties } = (event?.schema ?? {}) as { readonly properties: { readonly properties: JsonObject } }
  return properties.properties
}
const keyOf = (values: readonly JsonValue[], key = 'key'): JsonValue | undefined =>
  (propertiesOf(values.map((value) => ({ [key]: value })))['properties'] as JsonObject)[key]
const times = <T>(count: number, make: (n: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, n) => make(n))

describe('a plan of events', () => {
  const types: readonly (readonly [string, readonly JsonValue[], JsonObject])[] = [
    ['whole numbers are integers', [1, 2], { type: 'integer' }],
    ['numbers are numbers as soon as one has a fraction', [1, 2.5], { type: 'number' }],
    ['several types are a union', ['a', 1, null], { type: ['string', 'integer', 'null'] }],
    [
      'texts that are all dates have a format',
      times(5, (n) => `2026-01-0${n + 1}`),
      { type: 'string', format: 'date' },
    ],
    ['four texts are too few for a format', times(4, (n) => `2026-01-0${n + 1}`), { type: 'string' }],
    ['times have a format', times(5, (n) => `2026-01-0${n + 1}T00:00:00Z`), { type: 'string', format: 'date-time' }],
    [
      'addresses of the web have a format',
      times(5, (n) => `https://shop.test/${n}`),
      { type: 'string', format: 'uri' },
    ],
    ['a word with a colon is no address', times(5, (n) => `sku:${n}`), { type: 'string' }],
    [
      'ids have a format',
      times(5, (n) => `0190000${n}-0000-4000-8000-000000000003`),
      { type: 'string', format: 'uuid' },
    ],
    [
      'e-mail addresses have a format and a mark',
      times(500, () => 'ann@shop.test'),
      { type: 'string', format: 'email', 'x-pii': 'email' },
    ],
    ['a few values are listed', times(40, (n) => (n % 2 ? 'EUR' : 'USD')), { type: 'string', enum: ['EUR', 'USD'] }],
    ['values seen less than twenty times each are not', times(39, (n) => (n % 2 ? 'EUR' : 'USD')), { type: 'string' }],
    [
      'null stays allowed beside values',
      [...times(20, () => 'EUR'), null],
      { type: ['string', 'null'], enum: ['EUR', null] },
    ],
    ['lists know their items', [['a'], []], { type: 'array', items: { type: 'string' } }],
  ]
  for (const [name, values, schema] of types) it(name, () => expect(keyOf(values)).toEqual(schema))

  it('never lists the values of a key that names personal data', () => {
    expect(
      keyOf(
        times(100, () => 'Ann'),
        'first_name',
      ),
    ).toEqual({ type: 'string', 'x-pii': 'name' })
    const identify = times(100, (): Event => ({ type: 'identify', traits: { name: 'Ann' } }) as Event)
    expect(JSON.stringify(planOf(identify))).not.toContain('Ann')
  })

  it('writes down no key that is personal data itself', () => {
    const schema = propertiesOf(
      times(30, () => ({ 'ann@shop.test': 1, total: 1 })),
      { eventsMin: 1, isClosed: true },
    )
    expect(Object.keys(schema['properties'] as JsonObject)).toEqual(['total'])
    // The key was seen, so it is no violation either.
    expect(schema['additionalProperties']).toBeUndefined()
  })

  it('requires a key from the given share on', () => {
    const values = times(100, (n) => (n === 0 ? { a: 1 } : { a: 1, b: 1 }))
    expect(propertiesOf(values)['required']).toEqual(['a', 'b'])
    expect(propertiesOf(values, { requiredFrom: 1 })['required']).toEqual(['a'])
  })

  it('leaves out events that were seen too rarely, and says so', () => {
    const learner = createEventLearner()
    for (const event of times(9, () => track({}))) learner.add(event)
    expect(inferPlan(learner.learnt())).toMatchObject({
      plan: { events: [] },
      tooFew: [{ name: 'track Bought', count: 9 }],
    })
  })

  it('takes more keys than a person would name for data, and does not list them', () => {
    const schema = propertiesOf(times(300, (n) => ({ [`sku ${n}`]: 1 })))
    expect(schema).toEqual({ type: 'object' })
  })
})

const leaf = fc.oneof(
  fc.constantFrom<JsonValue>(null, true, 1, -2.5, '', 'a', 'EUR', 'ann@shop.test', '2026-01-01', '__proto__'),
  fc.string(),
)
const key = fc.constantFrom('a', 'b', 'email', '__proto__', 'constructor', 'a.b', '0', 'ä')
const { value } = fc.letrec<{ value: JsonValue; object: JsonObject }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, leaf, fc.array(tie('value'), { maxLength: 3 }), tie('object')),
  object: fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map((members) => Object.fromEntries(members)),
}))
const event: fc.Arbitrary<Event> = fc.record(
  {
    type: fc.constantFrom('track', 'page', 'identify', 'group'),
    event: fc.constantFrom('Bought', 'Seen', '__proto__'),
    properties: value,
    traits: value,
    context: fc.record({ traits: value }, { requiredKeys: [] }),
  },
  { requiredKeys: ['type', 'event'] },
) as fc.Arbitrary<Event>
const strict = { requiredFrom: 1, eventsMin: 1 }

describe('laws of plans of events', () => {
  it('compiles, and every event from which it was learnt fits when keys are required only if all have them', () => {
    const law = fc.property(fc.array(event, { maxLength: 30 }), fc.boolean(), (events, isClosed) => {
      const plan = planOf(events, { ...strict, isClosed })
      expect(trackingPlanProblem(plan)).toBeUndefined()
      const review = createPlanReview({ ...plan, unplanned: 'mark' })
      for (const each of events) review.add(each)
      expect(review.report()).toMatchObject({ events: events.length, violating: 0, groups: [] })
    })
    fc.assert(law, { numRuns: 300 })
  })

  it('is the same for the same events in any order', () => {
    const law = fc.property(fc.array(event, { maxLength: 20 }), (events) => {
      const sorted = events.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
      expect(JSON.stringify(planOf(events, strict))).toBe(JSON.stringify(planOf(sorted, strict)))
    })
    fc.assert(law, { numRuns: 300 })
  })
})
