import type { JsonObject, JsonValue } from '@sluice/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { identityTypes } from './identity-types.ts'
import { parseSubjectRequest } from './parse-subject-request.ts'

const rules = {
  domain: 'dsr.shop.test',
  callbackProblem: (url: string) => (url.startsWith('https://') ? undefined : 'must begin with https://'),
}
const identity = (type: string, value: JsonValue = 'v', format: JsonValue = 'raw'): JsonObject => ({
  identity_type: type,
  identity_value: value,
  identity_format: format,
})
const request = (more: JsonObject = {}): JsonObject => ({
  regulation: 'gdpr',
  subject_request_id: 'a7551968-d5d6-44b2-9831-815ac9017798',
  subject_request_type: 'erasure',
  submitted_time: '2018-10-02T15:00:00Z',
  subject_identities: [identity('email', 'johndoe@example.test')],
  ...more,
})
const problemsOf = (body: JsonObject) => {
  const parsed = parseSubjectRequest(body, rules)
  return 'problems' in parsed ? parsed.problems : []
}

describe('a request of OpenDSR', () => {
  it('is read as the specification shows it, whatever else it has', () => {
    const given = request({
      api_version: '2.0',
      status_callback_urls: ['https://controller.test/callbacks', 'https://controller.test/callbacks'],
      extensions: { 'other-processor.test': { property_id: 1 } },
      property_id: 'x',
    })
    expect(parseSubjectRequest(given, rules)).toEqual({
      request: {
        id: 'a7551968-d5d6-44b2-9831-815ac9017798',
        type: 'erasure',
        identifiers: { email: ['johndoe@example.test'] },
        callbackUrls: ['https://controller.test/callbacks'],
      },
    })
  })

  it('gives each identity the name that Sluice has for it, and loses none', () => {
    fc.assert(
      fc.property(fc.subarray([...identityTypes], { minLength: 1 }), (types) => {
        const all = [...new Set([...types, 'controller_customer_id'])]
        const given = request({ subject_identities: all.map((type) => identity(type, `value of ${type}`)) })
        const parsed = parseSubjectRequest(given, rules)
        const named = all.map((type) => [type === 'controller_customer_id' ? 'userId' : type, [`value of ${type}`]])
        expect(parsed).toMatchObject({ request: { identifiers: Object.fromEntries(named) } })
      }),
    )
  })

  const wrong: readonly (readonly [string, JsonObject, RegExp])[] = [
    ['an id that is no UUID', { subject_request_id: '1' }, /^subject_request_id/],
    ['an id in upper case', { subject_request_id: 'A7551968-D5D6-44B2-9831-815AC9017798' }, /^subject_request_id/],
    ['an id of version 1', { subject_request_id: 'a7551968-d5d6-14b2-9831-815ac9017798' }, /^subject_request_id/],
    ['another type', { subject_request_type: 'rectification' }, /^subject_request_type .*erasure, access, portability/],
    ['no regulation', { regulation: null }, /^regulation/],
    ['a time that is none', { submitted_time: 'yesterday' }, /^submitted_time/],
    ['another version', { api_version: '1.0' }, /^api_version/],
    ['a version that is no text', { api_version: 2 }, /^api_version/],
    ['no identities', { subject_identities: [] }, /^subject_identities must be/],
    ['identities that are none', { subject_identities: 'x' }, /^subject_identities must be/],
    ['an unknown identity', { subject_identities: [identity('passport')] }, /\[0\]: identity_type must be one of/],
    ['a hashed identity', { subject_identities: [identity('email', 'v', 'sha256')] }, /identity_format must be raw/],
    ['a blank identity', { subject_identities: [identity('email', ' \u200b')] }, /identity_value/],
    ['a number as identity', { subject_identities: [identity('email', 42)] }, /identity_value/],
    ['only a device', { subject_identities: [identity('android_id')] }, /must have one of/],
    ['an extension for this processor', { extensions: { 'dsr.shop.test': {} } }, /^extensions: there are none/],
    ['extensions that are none', { extensions: [] }, /^extensions/],
    ['a call-back that is refused', { status_callback_urls: ['http://x.test'] }, /\[0\]: must begin with https/],
    ['call-backs that are no list', { status_callback_urls: 'https://x.test' }, /^status_callback_urls/],
    ['a call-back that is no text', { status_callback_urls: [5] }, /status_callback_urls\[0\]/],
    ['too many call-backs', { status_callback_urls: Array(11).fill('https://x.test') }, /at most 10/],
    ['too many identities', { subject_identities: Array(100_000).fill(identity('email')) }, /at most 20/],
  ]
  for (const [what, change, message] of wrong)
    it(`is refused with ${what}`, () => {
      expect(problemsOf(request(change))).toEqual([expect.stringMatching(message)])
    })

  it('is refused with all that is wrong, and without a value of the person', () => {
    const given = { subject_identities: [identity('email', 'kim@mail.test', 'md5'), identity('kim@mail.test')] }
    const problems = problemsOf(given)
    expect(problems.length).toBe(6)
    expect(problems.join()).not.toContain('kim')
  })

  it('never fails to be read', () => {
    fc.assert(
      fc.property(fc.object({ key: fc.constantFrom(...Object.keys(request()), '__proto__', 'extensions') }), (body) => {
        expect(() => parseSubjectRequest(body as JsonObject, rules)).not.toThrow()
      }),
    )
  })
})
