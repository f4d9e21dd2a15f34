import { describe, expect, it } from 'vitest'
import { verdictOfStatus } from './verdict-of-status.ts'

describe('the verdict on a status', () => {
  const cases = [
    { statuses: [200, 201, 204, 299, 302], outcome: 'delivered' },
    { statuses: [408, 500, 502, 503, 504, 599], outcome: 'retry' },
    { statuses: [429], outcome: 'throttled' },
    { statuses: [400, 401, 403, 404, 409, 413, 422, 499], outcome: 'aborted' },
  ]
  for (const { statuses, outcome } of cases)
    it(`is ${outcome} for ${statuses.join(', ')}`, () => {
      for (const status of statuses) expect(verdictOfStatus(status, 'why', false)).toMatchObject({ outcome, status })
    })

  it('asks for new tokens only where there is an account', () => {
    expect(verdictOfStatus(401, 'why', true)).toEqual({ outcome: 'refresh', status: 401, message: 'why' })
    expect(verdictOfStatus(403, 'why', true).outcome).toBe('aborted')
  })
})
