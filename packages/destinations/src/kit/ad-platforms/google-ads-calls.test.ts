import type { JsonObject, JsonValue } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { isMappingError } from '../map/mapping-error.ts'
import { type DeliveryRequest, json } from '../map/request/delivery-request.ts'
import { nextGoogleAdsCall } from './google-ads-calls.ts'

const headers = { 'developer-token': 'token' }
const customer = 'https://googleads.googleapis.com/v23/customers/7'

/** All calls for a request, with these bodies as replies. */
function callsOf(
  request: DeliveryRequest,
  ...bodies: readonly JsonValue[]
): readonly (readonly [string, JsonObject])[] {
  const replies = bodies.map((body) => ({ status: 200, headers: {}, body }))
  return replies.concat({ status: 200, headers: {}, body: null }).flatMap((_, step) => {
    const next = nextGoogleAdsCall(request, replies.slice(0, step))
    if (next === undefined) return []
    if (isMappingError(next)) return [[next.message, {}] as const]
    expect(next).toMatchObject({ headers, params: {} })
    return [[next.endpoint, next.body.JSON] as const]
  })
}

describe('calls of Google Ads', () => {
  it('upload conversions as they are, without parameters', () => {
    const body = { conversions: [{ gclid: 'g' }] }
    const endpoint = `${customer}:uploadClickConversions`
    const request = json({ method: 'POST', endpoint, headers, params: { event: 'E' }, body })
    expect(callsOf(request, {})).toEqual([[endpoint, body]])
  })

  it('create, fill and run a job for a list of users', () => {
    const endpoint = `${customer}/offlineUserDataJobs`
    const body = { enablePartialFailure: true, operations: [{ create: {} }] }
    const params = { listId: '3', customerId: '7', consent: { adUserData: 'GRANTED' } }
    const request = json({ method: 'POST', endpoint, headers, params, body })
    const userList = 'customers/7/userLists/3'
    const metadata = { userList, consent: { adUserData: 'GRANTED' } }
    expect(callsOf(request, { resourceName: 'customers/7/offlineUserDataJobs/55' }, {}, {})).toEqual([
      [`${endpoint}:create`, { job: { type: 'CUSTOMER_MATCH_USER_LIST', customerMatchUserListMetadata: metadata } }],
      [`${endpoint}/55:addOperations`, body],
      [`${endpoint}/55:run`, {}],
    ])
  })

  it('use the job that a store conversion describes', () => {
    const endpoint = `${customer}/offlineUserDataJobs`
    const createJobPayload = { job: { type: 'STORE_SALES_UPLOAD_FIRST_PARTY' } }
    const body = {
      createJobPayload,
      addConversionPayload: { operations: { create: 1 } },
      executeJobPayload: { validate_only: true },
    }
    const request = json({ method: 'POST', endpoint, headers, body })
    expect(callsOf(request, { resourceName: 'x/9' }, {}, {}).map(([, sent]) => sent)).toEqual([
      createJobPayload,
      { operations: [{ create: 1 }] },
      { validate_only: true },
    ])
  })

  it('look up the conversion action of adjustments by its quoted name', () => {
    const body = { conversionAdjustments: [{ orderId: '1' }], partialFailure: true }
    const request = json({ method: 'POST', endpoint: '', headers, params: { event: "It's", customerId: '7' }, body })
    expect(callsOf(request, [{ results: [{ conversionAction: { id: 42 } }] }], {})).toEqual([
      [
        `${customer}/googleAds:searchStream`,
        { query: "SELECT conversion_action.id FROM conversion_action WHERE conversion_action.name = 'It\\'s'" },
      ],
      [
        `${customer}:uploadConversionAdjustments`,
        {
          conversionAdjustments: [{ orderId: '1', conversionAction: 'customers/7/conversionActions/42' }],
          partialFailure: true,
        },
      ],
    ])
  })

  it('fail when Google names no job or no conversion action', () => {
    const job = json({ method: 'POST', endpoint: `${customer}/offlineUserDataJobs`, headers, body: {} })
    expect(callsOf(job, { resourceName: 'a/..%2f' }).at(-1)).toEqual([expect.stringContaining('no id'), {}])
    const body = { conversionAdjustments: [] }
    const adjustment = json({ method: 'POST', endpoint: '', headers, params: { event: 'E', customerId: '7' }, body })
    expect(callsOf(adjustment, [{ results: [] }]).at(-1)).toEqual([expect.stringContaining('named E'), {}])
  })
})
