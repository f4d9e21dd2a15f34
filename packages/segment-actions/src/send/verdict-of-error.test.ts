import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { RequestError } from './request-error.ts'
import { verdictOfError } from './verdict-of-error.ts'

type ErrorClass = new (...values: readonly unknown[]) => Error
const core = createRequire(import.meta.url)('@segment/actions-core') as Readonly<Record<string, ErrorClass>>
const made = (name: string, ...values: readonly unknown[]): Error => new (core[name] as ErrorClass)(...values)

describe('the verdict on an error of an action', () => {
  const cases = [
    { name: 'RetryableError', error: made('RetryableError', 'wait'), outcome: 'retry', status: 500 },
    { name: 'RetryableError with 429', error: made('RetryableError', 'wait', 429), outcome: 'throttled', status: 429 },
    {
      name: 'IntegrationError with 400',
      error: made('IntegrationError', 'no', 'BAD', 400),
      outcome: 'aborted',
      status: 400,
    },
    {
      name: 'IntegrationError with 503',
      error: made('IntegrationError', 'no', 'BAD', 503),
      outcome: 'retry',
      status: 503,
    },
    { name: 'APIError with 408', error: made('APIError', 'slow', 408), outcome: 'retry', status: 408 },
    { name: 'PayloadValidationError', error: made('PayloadValidationError', 'no'), outcome: 'aborted', status: 400 },
    {
      name: 'InvalidAuthenticationError',
      error: made('InvalidAuthenticationError', 'no'),
      outcome: 'aborted',
      status: 401,
    },
    { name: 'SelfTimeoutError', error: made('SelfTimeoutError', 'slow'), outcome: 'retry', status: 408 },
    {
      name: 'HTTPError with 502',
      error: made('HTTPError', { status: 502, statusText: 'Bad Gateway' }),
      outcome: 'retry',
      status: 502,
    },
    {
      name: 'HTTPError with 404',
      error: made('HTTPError', { status: 404, statusText: '' }),
      outcome: 'aborted',
      status: 404,
    },
    {
      name: 'HTTPError of a redirect',
      error: made('HTTPError', { status: 302, statusText: '' }),
      outcome: 'aborted',
      status: 302,
    },
    {
      name: 'an error with a status of success',
      error: made('IntegrationError', 'many', 'MANY', 300),
      outcome: 'aborted',
      status: 300,
    },
    {
      name: 'a request without a reply',
      error: new RequestError('reset', 'ECONNRESET', true),
      outcome: 'retry',
      status: 504,
    },
    {
      name: 'a request that cannot be sent',
      error: new RequestError('no', 'ERR_X', false),
      outcome: 'aborted',
      status: 400,
    },
    {
      name: 'a client with connections of its own',
      error: Object.assign(new Error('no'), { code: 'ECONNREFUSED' }),
      outcome: 'retry',
      status: 504,
    },
    {
      name: 'a status that is no number',
      error: Object.assign(new Error('no'), { status: '503' }),
      outcome: 'aborted',
      status: 500,
    },
    { name: 'a mistake of the code', error: new TypeError('x is not a function'), outcome: 'aborted', status: 500 },
    { name: 'a text', error: 'a text', outcome: 'aborted', status: 500 },
    { name: 'nothing', error: undefined, outcome: 'aborted', status: 500 },
    { name: 'null', error: null, outcome: 'aborted', status: 500 },
  ]
  for (const { name, error, outcome, status } of cases)
    it(`is ${outcome} with ${status} for ${name}`, () => {
      expect(verdictOfError(error, false)).toMatchObject({ outcome, status })
    })

  it('asks for new tokens when credentials of an account are refused', () => {
    expect(verdictOfError(made('InvalidAuthenticationError', 'no'), true).outcome).toBe('refresh')
    expect(verdictOfError(made('HTTPError', { status: 401, statusText: '' }), true).outcome).toBe('refresh')
  })

  it('names the class and the message, cut at 2,000 characters', () => {
    expect(verdictOfError(made('IntegrationError', 'no list', 'BAD', 400), false).message).toBe(
      'IntegrationError: no list',
    )
    expect(verdictOfError(new Error('a'.repeat(9_000)), false).message).toHaveLength(2_000)
    expect(verdictOfError('a text', false).message).toBe('It threw a value that is no error.')
  })

  it('is a failure also when the value cannot be read', () => {
    const fail = (): never => {
      throw new Error('not you')
    }
    const unreadable = [
      Object.defineProperty(new Error('a'), 'message', { get: fail }),
      {
        get status() {
          return fail()
        },
      },
      {
        response: {
          get status() {
            return fail()
          },
        },
      },
      new Proxy({}, { get: fail, getPrototypeOf: fail }),
      Object.assign(new Error('a'), { name: Symbol('b') }),
    ]
    const verdict = { outcome: 'aborted', status: 500, message: 'It threw a value that cannot be read.' }
    for (const error of unreadable) expect(verdictOfError(error, false)).toEqual(verdict)
  })
})
