import type { JsonObject } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { mapEvent, parseSettings } from '../../kit/index.ts'
import { ga4 } from './ga4.ts'
import { ga4EventOf } from './ga4-event.ts'
import { readReply } from './ga4-reply.ts'
import { toParameters } from './parameters.ts'
import { hasReservedPrefix, isReservedEventName, isReservedUserProperty } from './reserved-names.ts'
import { userProperties } from './user-properties.ts'

describe('parameters of Google Analytics', () => {
  const cases: { name: string; value: JsonObject; want: JsonObject }[] = [
    { name: 'are flattened with underscores', value: { a: { b: [1, { c: 2 }] } }, want: { a_b_0: 1, a_b_1_c: 2 } },
    { name: 'leave out blank values', value: { a: '', b: null, c: [], d: {}, e: { f: '' } }, want: {} },
    { name: 'keep 0 and false', value: { a: 0, b: false }, want: { a: 0, b: false } },
    {
      name: 'leave out reserved names',
      value: { ga_x: 1, google_x: 1, firebase_x: 1, _x: 1, gas: 1 },
      want: { gas: 1 },
    },
    {
      name: 'have names that Google accepts',
      value: { 'unit price': 1, '#fee': 2, 'größe-m': { 'a b': 3 }, '-ga_x': 4, '#!': 5 },
      want: { unit_price: 1, fee: 2, größe_m_a_b: 3 },
    },
    {
      name: 'count before others whose name becomes the same',
      value: { 'a-b': 1, a_b: 2, c_d: 3, 'c-d': 4 },
      want: { a_b: 2, c_d: 3 },
    },
  ]
  for (const { name, value, want } of cases) it(name, () => expect(toParameters(value)).toEqual(want))
})

describe('user properties of Google Analytics', () => {
  const of = (traits: JsonObject, settings: JsonObject = {}) => userProperties({ context: { traits } }, settings)

  it('are simple values, each in an object', () => {
    expect(of({ plan: 'pro', logins: 0, paying: false, address: { city: 'Rome' }, none: '' })).toEqual({
      plan: { value: 'pro' },
      logins: { value: 0 },
      paying: { value: false },
    })
  })

  it('observe the maximum lengths of Google', () => {
    expect(of({ ['n'.repeat(24)]: 'v'.repeat(36), ['n'.repeat(25)]: 'v', long: 'v'.repeat(37) })).toEqual({
      ['n'.repeat(24)]: { value: 'v'.repeat(36) },
    })
  })

  it('have names that Google accepts', () => {
    expect(of({ 'loyalty tier': 'gold', $: 'x' })).toEqual({ loyalty_tier: { value: 'gold' } })
  })

  it('are absent when none remains', () => {
    expect(of({ email: 'a@example.com', user_id: 'u1' }, { piiPropertiesToIgnore: [{ piiProperty: 'email' }] })).toBe(
      undefined,
    )
  })
})

describe('the parameters of an event', () => {
  const parametersOf = (properties: JsonObject, settings: JsonObject = { parameterLimits: 'none' }) => {
    const parsed = parseSettings(ga4, { apiSecret: 's', measurementId: 'G-1', ...settings })
    if (!parsed.ok) throw new Error('the settings are valid')
    const event = { type: 'track', anonymousId: 'a', event: 'Cart Viewed', properties } as const
    const mapped = mapEvent(ga4, event, parsed.settings, { now: 0 })
    if (!Array.isArray(mapped)) throw new Error('the event is valid')
    return (mapped[0].body.JSON.events as [{ params: JsonObject }])[0].params
  }
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`custom_${index}`, index]))
  const properties = { ...many, session_id: 's1', total: 9, products: [{ product_id: 'p1' }] }
  const known = ['session_id', 'engagement_time_msec', 'items', 'currency', 'value']

  it('begin with those that Google knows', () => {
    const names = Object.keys(parametersOf(properties))
    expect(names.slice(0, 5)).toEqual(known)
    expect(names).toHaveLength(45)
  })

  it('keep `.` and `$` in their names, unless the settings name limits', () => {
    const odd = { ...properties, 'price.unit$': 1, ['n'.repeat(41)]: 2 }
    expect(parametersOf(odd)).toMatchObject({ 'price.unit$': 1, ['n'.repeat(41)]: 2 })
    const limited = parametersOf(odd, { parameterLimits: 'analytics360' })
    expect(limited).toMatchObject({ price_unit_: 1 })
    expect(Object.keys(limited)).toHaveLength(46)
  })

  it('are at most as many as the settings say, 25 when they say nothing', () => {
    const names = Object.keys(parametersOf(properties, {}))
    expect(names.slice(0, 5)).toEqual(known)
    expect(names).toHaveLength(25)
  })
})

describe('names of Google Analytics', () => {
  const names = [
    { event: 'Order Completed', name: 'purchase' },
    { event: ' product  list viewed ', name: 'view_item_list' },
    { event: 'Sign Up', name: 'sign_up' },
    { event: 'My own Event', name: 'My_own_Event' },
    { event: 'checkout-step_completed', name: 'add_shipping_info' },
    { event: '購入完了', name: '購入完了' },
    { event: 'toString', name: 'toString' },
  ]
  for (const { event, name } of names) it(`map ${event} to ${name}`, () => expect(ga4EventOf(event).name).toBe(name))

  it('include reserved ones', () => {
    expect([isReservedEventName('first_visit'), isReservedEventName('visit')]).toEqual([true, false])
    expect([hasReservedPrefix('ga_x'), hasReservedPrefix('gax')]).toEqual([true, false])
    expect([isReservedUserProperty('user_id'), isReservedUserProperty('user')]).toEqual([true, false])
  })
})

describe('replies of Google Analytics', () => {
  const read = (status: number, body: JsonObject | string = '') => readReply({ status, headers: {}, body })
  const cases = [
    { name: '204 is delivered', got: read(204), want: { outcome: 'delivered', status: 204 } },
    { name: 'a valid event is delivered', got: read(200, { validationMessages: [] }), want: { outcome: 'delivered' } },
    {
      name: 'a validation problem is final, although the status is 200',
      got: read(200, {
        validationMessages: [{ fieldPath: 'events', validationCode: 'NAME_INVALID', description: 'bad' }],
      }),
      want: { outcome: 'aborted', status: 400, message: 'events: NAME_INVALID: bad' },
    },
    { name: '429 throttles', got: read(429), want: { outcome: 'throttled', status: 429 } },
    { name: '503 is retried', got: read(503), want: { outcome: 'retry', status: 503 } },
    { name: '413 is final', got: read(413), want: { outcome: 'aborted', status: 413 } },
  ]
  for (const { name, got, want } of cases) it(name, () => expect(got).toMatchObject(want))
})
