import { describe, expect, it } from 'vitest'
import { reply } from './recording-transport.ts'
import { judge } from './verdict.ts'

describe('judge', () => {
  const cases = [
    { kind: 'delivered', statuses: [200, 201, 204, 299] },
    { kind: 'retry', statuses: [408, 429, 500, 502, 503, 504, 599] },
    { kind: 'refused', statuses: [301, 304, 400, 401, 403, 404, 409, 410, 499] },
  ]
  for (const { kind, statuses } of cases) {
    for (const status of statuses) {
      it(`takes ${status} for ${kind}`, () => expect(judge(reply(status), 0)).toMatchObject({ kind }))
    }
  }

  it('retries what the network broke and refuses what cannot be sent', () => {
    expect(judge({ kind: 'network', code: 'ECONNRESET', message: 'gone' }, 0)).toEqual({ kind: 'retry', cause: 'gone' })
    expect(judge({ kind: 'unsendable', code: 'X', message: 'odd' }, 0)).toEqual({ kind: 'refused', cause: 'odd' })
  })

  it('says that redirects are not followed', () => {
    expect(judge(reply(302), 0)).toMatchObject({ cause: expect.stringContaining('redirects are not followed') })
  })

  it('passes on how long the destination asked to wait, and nothing when that is no time', () => {
    expect(judge(reply(429, '', { 'retry-after': '3' }), 0)).toMatchObject({ retryAfterMs: 3_000 })
    expect(judge(reply(503, '', { 'retry-after': 'later' }), 0)).not.toHaveProperty('retryAfterMs')
  })
})
