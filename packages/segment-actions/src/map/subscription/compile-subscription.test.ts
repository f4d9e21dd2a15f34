import { generateFql, type Subscription as Parsed, parseFql, validate } from '@segment/destination-subscriptions'
import type { Event } from '@sluice/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileSubscription } from './compile-subscription.ts'

const matches = (fql: string, event: Event): boolean => compileSubscription(parseFql(fql))(event)

const operators = [
  ...['=', '!=', '<', '<=', '>', '>=', 'number_equals', 'number_not_equals', 'contains', 'not_contains'],
  ...['starts_with', 'not_starts_with', 'ends_with', 'not_ends_with', 'exists', 'not_exists', 'is_true', 'is_false'],
  ...['unknown', ''],
]
const value = fc.oneof(
  fc.constantFrom('', 'a', 'ab', 'track', 'true', '1'),
  fc.integer({ min: -1, max: 2 }),
  fc.boolean(),
)
const eventValue = fc.oneof(value, fc.constant(null), fc.record({ c: value }), fc.array(value, { maxLength: 2 }))
const object = fc.oneof(
  fc.record({ a: eventValue, b: eventValue }, { requiredKeys: [] }),
  fc.constantFrom(undefined, null, 'text', 0),
)
const event = fc.record(
  {
    type: value,
    event: eventValue,
    name: eventValue,
    userId: value,
    properties: object,
    traits: object,
    context: object,
  },
  { requiredKeys: [] },
)
const name = fc.constantFrom('a', 'b', 'a.c', 'b[0]', 'a.0', 'a.c.d', '.a.', 'missing', 'a[1]c')
const condition = fc.record({
  type: fc.constantFrom(
    'event-type',
    'event',
    'name',
    'userId',
    'event-property',
    'event-trait',
    'event-context',
    'no',
  ),
  name,
  operator: fc.constantFrom(...operators),
  value: fc.option(value, { nil: undefined }),
})
const { group } = fc.letrec((tie) => ({
  group: fc.record({
    type: fc.constant('group'),
    operator: fc.constantFrom('and', 'or', 'and', 'or', 'not'),
    children: fc.array(fc.oneof({ maxDepth: 3 }, condition, tie('group')), { maxLength: 3 }),
  }),
}))

describe('a compiled subscription', () => {
  it('matches the same events as validate of Segment', () => {
    fc.assert(
      fc.property(group, event, (ast, each) => {
        expect(compileSubscription(ast)(each as Event)).toBe(validate(ast as Parsed, each))
      }),
      { numRuns: 1_000 },
    )
  })

  it('matches the same events when the condition was written as text', () => {
    fc.assert(
      fc.property(group, event, (ast, each) => {
        let parsed: Parsed
        let want: boolean
        try {
          parsed = parseFql(generateFql(ast as Parsed))
          want = validate(parsed, each)
        } catch {
          return // Empty groups make a text, or a tree, that Segment cannot work with.
        }
        expect(compileSubscription(parsed)(each as Event)).toBe(want)
      }),
    )
  })

  const cases = [
    { fql: 'type = "track"', event: { type: 'track' }, isMatch: true },
    { fql: 'type = "track" and event = "Order Completed"', event: { type: 'track', event: 'Other' }, isMatch: false },
    { fql: 'type = "track" and (event = "A" or event = "B")', event: { type: 'track', event: 'B' }, isMatch: true },
    { fql: 'properties.total >= 10', event: { properties: { total: 10 } }, isMatch: true },
    { fql: 'properties.total >= 10', event: { properties: { total: '10' } }, isMatch: false },
    { fql: 'context.app.name != null', event: { context: { app: { name: 'Shop' } } }, isMatch: true },
    { fql: 'contains(traits.email, "@test")', event: { traits: { email: 'ada@test.org' } }, isMatch: true },
    { fql: '!match(event, "Order*")', event: { event: 'Order Completed' }, isMatch: false },
    { fql: 'this is (no condition', event: { type: 'track' }, isMatch: false },
    { fql: '', event: { type: 'track' }, isMatch: false },
  ]
  for (const { fql, event: each, isMatch } of cases) {
    it(`${isMatch ? 'matches' : 'does not match'} ${JSON.stringify(each)} for ${fql || 'an empty text'}`, () => {
      expect(matches(fql, each)).toBe(isMatch)
    })
  }

  it('never matches for what is no condition, where Segment throws', () => {
    const nodes = [undefined, null, 'and', { operator: 'and' }, { operator: 'and', children: [undefined] }]
    for (const ast of nodes) expect(compileSubscription(ast)({ type: 'track' })).toBe(false)
    const unnamed = { type: 'event-property', name: '.', operator: 'exists' }
    expect(compileSubscription({ operator: 'or', children: [unnamed] })({ properties: {} })).toBe(false)
  })

  it('never matches in a group that is nested too deeply', () => {
    const nested = (depth: number): unknown =>
      depth === 0
        ? { type: 'event-type', operator: '=', value: 'track' }
        : { type: 'group', operator: 'and', children: [nested(depth - 1)] }
    expect(compileSubscription(nested(32))({ type: 'track' })).toBe(true)
    expect(compileSubscription(nested(33))({ type: 'track' })).toBe(false)
    expect(compileSubscription(nested(2_000))({ type: 'track' })).toBe(false)
  })

  it('finds nothing that an event inherits', () => {
    expect(matches('properties.constructor != null', { properties: {} })).toBe(false)
    expect(matches('properties.__proto__ != null', { properties: {} })).toBe(false)
    expect(matches('properties.toString != null', { properties: { toString: 'own' } })).toBe(true)
  })
})
