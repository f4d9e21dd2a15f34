import { isJsonObject } from '@sluice/core'
import { query } from '@sluice/destinations/kit'
import { describe, expect, it } from 'vitest'
import { reply } from '../../transport/recording-transport.ts'
import { judge, type Respond } from './judgement.ts'

const request = query({ method: 'GET', endpoint: 'https://api.test' })

describe('judge', () => {
  const cases = [
    { outcome: 'delivered', statuses: [200, 201, 204, 299] },
    { outcome: 'throttled', statuses: [429] },
    { outcome: 'retry', statuses: [408, 500, 502, 503, 504, 599] },
    { outcome: 'aborted', statuses: [301, 304, 400, 401, 403, 404, 409, 410, 499] },
  ]
  for (const { outcome, statuses } of cases) {
    for (const status of statuses) {
      it(`judges ${status} as ${outcome}`, () => expect(judge(reply(status), 0, request)).toMatchObject({ outcome }))
    }
  }

  it('retries network failures and gives up requests that cannot be sent', () => {
    expect(judge({ kind: 'network', code: 'ECONNRESET', message: 'gone' }, 0, request)).toEqual({
      outcome: 'retry',
      cause: 'gone',
    })
    expect(judge({ kind: 'unsendable', code: 'X', message: 'odd' }, 0, request)).toEqual({
      outcome: 'aborted',
      cause: 'odd',
    })
  })

  it('gives up when the host does not exist, and retries when name resolution fails temporarily', () => {
    const at = (code: string) => judge({ kind: 'network', code, message: 'no' }, 0, request).outcome
    expect([at('ENOTFOUND'), at('EAI_AGAIN')]).toEqual(['aborted', 'retry'])
  })

  it('says that redirects are not followed', () => {
    expect(judge(reply(302), 0, request)).toMatchObject({
      cause: expect.stringContaining('redirects are not followed'),
    })
  })

  it('returns the wait of Retry-After, and nothing when it is invalid', () => {
    expect(judge(reply(429, '', { 'retry-after': '3' }), 0, request)).toMatchObject({ retryAfterMs: 3_000 })
    expect(judge(reply(503, '', { 'retry-after': 'later' }), 0, request)).not.toHaveProperty('retryAfterMs')
  })

  it('uses the verdict of the destination instead of the status, and passes it parsed JSON', () => {
    const respond: Respond = ({ body }) => ({
      outcome: isJsonObject(body) && body['ok'] === true ? 'delivered' : 'aborted',
      status: 422,
      message: 'no such person',
      items: [{ outcome: 'retry', status: 503, message: 'later' }],
    })
    expect(judge(reply(500, '{"ok":true}'), 0, request, respond)).toMatchObject({ outcome: 'delivered', cause: '' })
    expect(judge(reply(200, 'ok'), 0, request, respond)).toEqual({
      outcome: 'aborted',
      status: 422,
      cause: 'It answered 200. no such person',
      items: [{ outcome: 'retry', status: 503, message: 'later' }],
    })
  })

  it.each([
    ['answered 400', 'It answered 400.'],
    ['answered 400: INVALID: no such field', 'It answered 400. INVALID: no such field'],
    ['answered 404', 'It answered 400. answered 404'],
  ])('says once what was answered: %s', (message, cause) => {
    const respond: Respond = () => ({ outcome: 'aborted', status: 400, message })
    expect(judge(reply(400, '{}'), 0, request, respond).cause).toBe(cause)
  })
})
