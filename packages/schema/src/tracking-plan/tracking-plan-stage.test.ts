import { drop, type Event, fail, type JsonObject, pass, type SourcedEvent, type TrackingPlan } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { preparePlan, trackingPlanProblem } from './compile-plan.ts'
import { createTrackingPlanStage, unplannedReason, violationReason } from './tracking-plan-stage.ts'

const schema: JsonObject = {
  type: 'object',
  properties: {
    properties: {
      type: 'object',
      properties: { price: { type: 'number' }, tags: { type: 'array', items: { type: 'string' } } },
      required: ['price'],
      additionalProperties: false,
    },
  },
  required: ['properties'],
}
const planOf = (more: Partial<TrackingPlan> = {}): TrackingPlan => ({
  onViolation: 'mark',
  unplanned: 'pass',
  events: [{ type: 'track', event: 'Bought', schema }],
  ...more,
})
const from = (event: Event, sourceId = 's1'): SourcedEvent => ({ workspaceId: 'w', sourceId, writeKey: 'k', event })
const bought = (properties: JsonObject): Event =>
  Object.freeze({
    type: 'track',
    event: 'Bought',
    properties: Object.freeze(properties),
    context: Object.freeze({ ip: 'x' }),
  })
const run = async (plan: TrackingPlan, event: Event) => {
  const [outcome] = await createTrackingPlanStage(new Map([['s1', plan]])).run(
    [from(event)],
    new AbortController().signal,
  )
  return outcome?.kind === 'pass' ? outcome.items[0]?.event : outcome
}

describe('tracking plan stage', () => {
  it('passes events that match the plan, and events of sources without a plan', async () => {
    const good = bought({ price: 5, tags: ['new'] })
    expect(await run(planOf(), good)).toBe(good)
    const stranger = from(bought({ price: 'x' }), 'other')
    const stage = createTrackingPlanStage(new Map([['s1', planOf({ onViolation: 'drop' })]]))
    expect(await stage.run([stranger], new AbortController().signal)).toEqual([pass(stranger)])
  })

  it('matches patterns in linear time, and names the patterns that are not supported', async () => {
    const texts = { code: { type: 'string', pattern: '^(a+)+$' }, size: { type: 'string', pattern: '^[SML]$' } }
    const patterned = (properties: JsonObject): TrackingPlan =>
      planOf({
        onViolation: 'drop',
        events: [{ type: 'track', event: 'Bought', schema: { properties: { properties: { properties } } } }],
      })
    const good = bought({ code: 'aaa', size: 'M' })
    expect(await run(patterned(texts), good)).toBe(good)
    expect(await run(patterned(texts), bought({ code: `${'a'.repeat(900)}!`, size: 'M' }))).toEqual(
      drop(violationReason),
    )
    expect(await run(patterned(texts), bought({ code: 'aaa', size: 'aaa' }))).toEqual(drop(violationReason))
    expect(trackingPlanProblem(patterned({ code: { pattern: '^(?!x)' } }))).toContain(
      "'^(?!x)' uses what a linear-time",
    )
  })

  it('fails events in quarantine, with the places and the rules, and without values or indexes', async () => {
    const plan = planOf({ onViolation: 'quarantine', unplanned: 'quarantine' })
    expect(await run(plan, bought({ tags: [1, 'a', 2], extra: 'secret' }))).toEqual(
      fail({
        code: 'plan.violated',
        message:
          'violates the tracking plan: properties.price (required), properties.extra (additionalProperties), properties.tags[] (type)',
      }),
    )
    expect(await run(plan, { type: 'page' })).toEqual(
      fail({ code: 'plan.violated', message: 'not in the tracking plan (unplanned)' }),
    )
  })

  it('lists violations in the context, without values', async () => {
    const event = await run(planOf(), bought({ price: 'secret', extra: 1 }))
    expect(event).toMatchObject({
      properties: { price: 'secret', extra: 1 },
      context: {
        ip: 'x',
        violationErrors: [
          { type: 'Additional-Property', path: '/properties', message: expect.any(String) },
          { type: 'Datatype-Mismatch', path: '/properties/price', message: 'must be number' },
        ],
      },
    })
    expect(JSON.stringify((event as Event)['context'])).not.toContain('secret')
  })

  it('removes marks that a client wrote itself, before the event is checked', async () => {
    const forged = (price: unknown): Event =>
      Object.freeze({ ...bought({ price } as JsonObject), context: { ip: 'x', violationErrors: 'forged' } })
    expect(await run(planOf(), forged(5))).toEqual(bought({ price: 5 }))
    expect(await run(planOf(), { ...forged(5), event: 'Unplanned' })).toEqual({
      ...bought({ price: 5 }),
      event: 'Unplanned',
    })
    expect(await run(planOf(), forged('x'))).toMatchObject({
      context: { ip: 'x', violationErrors: [{ type: 'Datatype-Mismatch', path: '/properties/price' }] },
    })
    const strict = { properties: { context: { properties: { ip: {} }, additionalProperties: false } } }
    const events = [{ type: 'track', event: 'Bought', schema: strict } as const]
    expect(await run(planOf({ onViolation: 'drop', events }), forged(5))).toEqual(bought({ price: 5 }))
    expect(await createTrackingPlanStage(new Map()).run([from(forged(5))], new AbortController().signal)).toEqual([
      pass(from(forged(5))),
    ])
  })

  it('checks formats, and drops what has not the one of its schema', async () => {
    const properties = { mail: { type: 'string', format: 'email' }, at: { type: 'string', format: 'date-time' } }
    const events = [{ type: 'track', event: 'Bought', schema: { properties: { properties: { properties } } } } as const]
    const plan = planOf({ onViolation: 'drop', events })
    expect(await run(plan, bought({ mail: 'nope', at: '2026-01-05T08:00:00Z' }))).toEqual(drop(violationReason))
    expect(await run(plan, bought({ mail: 'ann@x.test', at: 'yesterday' }))).toEqual(drop(violationReason))
    const good = bought({ mail: 'ann@x.test', at: '2026-01-05T08:00:00Z' })
    expect(await run(plan, good)).toBe(good)
  })

  it('drops violating events with a specific reason', async () => {
    expect(await run(planOf({ onViolation: 'drop' }), bought({}))).toEqual(drop(violationReason))
  })

  it('strips violating values and marks what cannot be stripped', async () => {
    const plan = planOf({ onViolation: 'strip' })
    const tags = [1, 'a', { b: 1 }, 'b', ...Array.from({ length: 10 }, (_, i) => i), 'c', null]
    expect(await run(plan, bought({ price: 5, extra: 1, tags }))).toEqual(bought({ price: 5, tags: ['a', 'b', 'c'] }))
    expect(await run(plan, bought({ price: 5, extra: 1 }))).toEqual({ ...bought({ price: 5 }) })
    expect(await run(plan, bought({ price: 'x' }))).toMatchObject({
      properties: {},
      context: { violationErrors: [{ type: 'Required-Missing', path: '/properties' }] },
    })
  })

  it('strips only what the schema does not have, and marks the rest', async () => {
    const schema = {
      type: 'object',
      properties: {
        properties: {
          type: 'object',
          properties: { total: { type: 'number' }, note: { type: 'string' } },
          additionalProperties: false,
        },
      },
    }
    const plan = planOf({ onViolation: 'strip-unplanned', events: [{ type: 'track', event: 'Bought', schema }] })
    const wrong = await run(plan, bought({ total: 'many', note: 'x', extra: 1 }))
    expect(wrong).toMatchObject({
      properties: { total: 'many', note: 'x' },
      context: { violationErrors: [{ type: 'Datatype-Mismatch', path: '/properties/total' }] },
    })
    expect(await run(plan, bought({ total: 1, extra: 1 }))).toEqual(bought({ total: 1 }))
  })

  it('strips a list that has a schema for each position without moving valid items', async () => {
    const properties = { at: { prefixItems: [{ type: ['string', 'null'] }, { type: 'number' }] } }
    const events = [{ type: 'track', event: 'Bought', schema: { properties: { properties: { properties } } } } as const]
    const event = await run(planOf({ onViolation: 'strip', events }), bought({ at: [7, 8, 'any'] }))
    expect(event).toEqual(bought({ at: [null, 8, 'any'] }))
  })

  it('passes, marks or drops events that the plan does not list', async () => {
    const sold = { type: 'track', event: 'Sold' }
    expect(await run(planOf(), sold)).toBe(sold)
    expect(await run(planOf({ unplanned: 'drop' }), sold)).toEqual(drop(unplannedReason))
    expect(await run(planOf({ unplanned: 'mark' }), sold)).toMatchObject({
      context: { violationErrors: [{ type: 'Unplanned-Event' }] },
    })
    expect(await run(planOf({ unplanned: 'drop' }), { type: 'page', name: 'Bought' })).toEqual(drop(unplannedReason))
  })

  it('names the schema that cannot be used', () => {
    const broken = planOf({ events: [{ type: 'track', event: 'Bought', schema: { type: 'strin' } }] })
    expect(trackingPlanProblem(broken)).toMatch(/^the schema of track Bought cannot be used: /)
    expect(trackingPlanProblem(planOf())).toBeUndefined()
  })

  it('says of a schema whose references lead to themselves that they do', () => {
    const schema = { $ref: 'https://x.test/two', $defs: { two: { $ref: '#', $id: 'https://x.test/two' } } }
    expect(trackingPlanProblem(planOf({ events: [{ type: 'track', event: 'Bought', schema }] }))).toBe(
      'the schema of track Bought cannot be used: a $ref leads to itself or to nothing',
    )
  })
})

describe('a plan that many events and changes use', () => {
  const large = (): TrackingPlan => ({
    onViolation: 'mark',
    unplanned: 'pass',
    events: Array.from({ length: 200 }, (_, n) => ({
      type: 'track' as const,
      event: `E${n}`,
      schema: { properties: Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`p${i}`, { maxLength: n + i }])) },
    })),
  })

  it('is compiled once for each content', () => {
    expect(trackingPlanProblem(large())).toBeUndefined()
    // Compiling it each time takes several seconds.
    expect(() => {
      for (let count = 0; count < 30; count += 1) expect(trackingPlanProblem(large())).toBeUndefined()
    }).toCostAtMost(1_500)
  })

  it('is compiled in many turns, and is known then', async () => {
    const { events, ...rest } = large()
    const other = { ...rest, events: events.map((planned) => ({ ...planned, event: `other ${planned.event}` })) }
    let turns = 0
    await preparePlan(other, async (work) => {
      turns += 1
      return work()
    })
    expect(turns).toBeGreaterThan(5)
    expect(() => expect(trackingPlanProblem(other)).toBeUndefined()).toCostAtMost(100)
  })

  it('strips many items with long keys in little time, and keeps the others in order', async () => {
    const listed: JsonObject = { properties: { properties: { additionalProperties: { items: { type: 'number' } } } } }
    const stage = createTrackingPlanStage(
      new Map([
        [
          's',
          { onViolation: 'strip', unplanned: 'pass', events: [{ type: 'track', event: 'Bought', schema: listed }] },
        ],
      ]),
    )
    const list = Array.from({ length: 12_000 }, (_, n) => (n % 2 === 0 ? n : `${n}`))
    const event = { type: 'track', event: 'Bought', properties: { ['k'.repeat(100_000)]: list } } as const
    let run: ReturnType<typeof stage.run> | undefined
    expect(() => {
      run = stage.run([{ sourceId: 's', writeKey: 'k', workspaceId: 'w', event }], new AbortController().signal)
    }).toCostAtMost(1_500)
    const [outcome] = (await run) ?? []
    const stripped = outcome?.kind === 'pass' ? outcome.items[0]?.event['properties'] : undefined
    expect(Object.values(stripped ?? {})).toEqual([list.filter((each) => typeof each === 'number')])
  })
})
