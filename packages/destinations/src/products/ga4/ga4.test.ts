import type { JsonObject } from '@sluice/core'
import { describe, expect, it } from 'vitest'
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

  it('are absent when none remains', () => {
    expect(of({ email: 'a@example.com', user_id: 'u1' }, { piiPropertiesToIgnore: [{ piiProperty: 'email' }] })).toBe(
      undefined,
    )
  })
})

describe('names of Google Analytics', () => {
  const names = [
    { event: 'Order Completed', name: 'purchase' },
    { event: ' product  list viewed ', name: 'view_item_list' },
    { event: 'Sign Up', name: 'sign_up' },
    { event: 'My own Event', name: 'My_own_Event' },
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
