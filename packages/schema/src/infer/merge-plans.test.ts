import type { Event, JsonObject, TrackingPlan } from '@sluice/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPlanReview } from '../review/plan-review.ts'
import { createEventLearner } from './event-learner.ts'
import { inferPlan } from './infer-plan.ts'
import { mergePlans } from './merge-plans.ts'

const bought = (properties: JsonObject): Event => ({ type: 'track', event: 'Bought', properties }) as Event
function planOf(events: readonly Event[], isClosed = false): TrackingPlan {
  const learner = createEventLearner()
  for (const event of events) learner.add(event)
  return inferPlan(learner.learnt(), { requiredFrom: 1, eventsMin: 1, isClosed }).plan
}
const written: TrackingPlan = {
  onViolation: 'drop',
  unplanned: 'drop',
  events: [
    {
      type: 'track',
      event: 'Bought',
      schema: {
        type: 'object',
        required: ['properties'],
        properties: {
          properties: {
            type: 'object',
            required: ['total'],
            additionalProperties: false,
            properties: {
              total: { type: 'number', minimum: 0, description: 'with tax' },
              currency: { enum: ['EUR'] },
              note: { type: 'string' },
            },
          },
        },
      },
    },
    { type: 'page', schema: { type: 'object' } },
  ],
}
const seen = planOf([
  ...Array.from({ length: 40 }, (_, n) => bought({ total: '4', currency: n % 2 ? 'EUR' : 'USD', coupon: 'X' })),
  bought({ currency: 'USD' }),
  { type: 'identify' } as Event,
])
const listed = (plan: ReturnType<typeof mergePlans>): readonly string[] =>
  plan.changes.map(
    ({ event, path, kind, text, isApplied }) => `${isApplied ? '' : '(not applied) '}${event} ${path} ${kind}: ${text}`,
  )

describe('merging a plan with what was seen', () => {
  it('adds what a person left open, keeps what they wrote, and shows the rest', () => {
    const merged = mergePlans(written, seen)
    expect(listed(merged)).toEqual([
      '(not applied) track Bought properties.total changed: is number in the plan, and was also string',
      '(not applied) track Bought properties.currency changed: had a value that the plan does not list',
      '(not applied) track Bought properties.note gone: was not seen',
      '(not applied) track Bought properties.total changed: is required in the plan, and was missing in some events',
      '(not applied) track Bought properties.coupon new: is not in the plan, which allows no other keys',
      '(not applied) page  gone: was not seen',
      'identify  new: is not in the plan',
    ])
    expect(merged.plan.events.slice(0, 2)).toEqual(written.events)
    expect(merged.plan).toMatchObject({ onViolation: 'drop', unplanned: 'drop' })
    expect(merged.plan.events).toHaveLength(3)
  })

  it('relaxes what events did not meet when that is said', () => {
    const { plan, changes } = mergePlans(written, seen, true)
    expect(changes.filter(({ isApplied }) => !isApplied).map(({ kind }) => kind)).toEqual(['gone', 'gone'])
    expect(plan.events[0]?.schema).toEqual({
      type: 'object',
      required: ['properties'],
      properties: {
        properties: {
          type: 'object',
          required: [],
          additionalProperties: false,
          properties: {
            coupon: { type: 'string', enum: ['X'] },
            currency: { enum: ['EUR', 'USD'] },
            note: { type: 'string' },
            total: { type: ['number', 'string'], minimum: 0, description: 'with tax' },
          },
        },
      },
    })
  })

  it('changes nothing, and shows nothing, for the same events again', () => {
    expect(mergePlans(seen, seen)).toEqual({ plan: seen, changes: [] })
  })
})

const value = fc.constantFrom<JsonObject[string]>(
  null,
  true,
  1,
  2.5,
  'EUR',
  'a',
  [1],
  ['a'],
  { a: 1 },
  { a: 'x', b: 1 },
)
const events = fc.array(
  fc.dictionary(fc.constantFrom('a', 'b', 'c'), value, { maxKeys: 3 }).map((properties) => bought(properties)),
  { minLength: 1, maxLength: 30 },
)
const fits = (plan: TrackingPlan, event: Event): boolean => {
  const review = createPlanReview(plan)
  review.add(event)
  return review.report().violating === 0
}

describe('laws of merging', () => {
  it('lets no event pass that the plan refused', () => {
    const law = fc.property(events, events, events, fc.boolean(), (before, after, others, isClosed) => {
      const plan = planOf(before, isClosed)
      const merged = mergePlans(plan, planOf(after)).plan
      for (const event of others) if (!fits(plan, event)) expect(fits(merged, event)).toBe(false)
    })
    fc.assert(law, { numRuns: 200 })
  })

  it('lets every event pass that was seen when it may relax the plan', () => {
    const law = fc.property(events, events, fc.boolean(), (before, after, isClosed) => {
      const merged = mergePlans(planOf(before, isClosed), planOf(after), true).plan
      for (const event of after) expect(fits(merged, event)).toBe(true)
    })
    fc.assert(law, { numRuns: 200 })
  })
})
