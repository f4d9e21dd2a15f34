import { createManualClock } from '@sluice/core'
import { type ActionRule, query, type Verdict } from '@sluice/destinations/kit'
import { describe, expect, it } from 'vitest'
import { type Answer, createRecordingTransport, reply } from '../transport/recording-transport.ts'
import { checkCredentials } from './check-credentials.ts'

const request = query({ method: 'GET', endpoint: 'https://api.test/me' })

/** Asks the product who it is, as definitions do. */
const check: NonNullable<ActionRule['check']> = async ({ send, tokens, settings }) => {
  const credential = String(tokens?.['accessToken'] ?? settings['apiKey'])
  const result = await send({ ...request, headers: { authorization: credential } })
  const status = result.kind === 'reply' ? result.status : 504
  const outcomes = { 200: 'delivered', 401: tokens ? 'refresh' : 'aborted', 403: 'aborted' } as const
  return { outcome: outcomes[status as 200] ?? 'retry', status, message: `credential ${credential}` }
}

function run(answer: Answer, action: ActionRule = { perform: never, check }) {
  const transport = createRecordingTransport(answer)
  const result = checkCredentials({
    definition: { secrets: ['apiKey', 'oauth.refreshToken'], action },
    settings: { apiKey: 'key-1234', oauth: { refreshToken: 'refresh-1234' } },
    transport,
    clock: createManualClock(),
    signal: new AbortController().signal,
    timeMs: 50,
  })
  return { result, transport }
}

const never = (): Promise<Verdict> => Promise.reject(new Error('nothing is performed'))

describe('a check of credentials', () => {
  it('is valid when the product accepts them', async () => {
    expect(await run(() => reply(200)).result).toEqual({ result: 'valid' })
  })

  it('is invalid when the product refuses them, with the reply as the reason and what was sent hidden', async () => {
    expect(await run(() => reply(403, 'unknown key key-1234')).result).toEqual({
      result: 'invalid',
      reason: 'api.test: It answered 403. unknown key (hidden)',
    })
  })

  it('is undecided when the product fails, cannot be reached, or does not answer in time', async () => {
    const failing = await run(() => reply(503)).result
    const refused = await run(() => ({ kind: 'network', code: 'ECONNREFUSED', message: 'no route' })).result
    const slow = await run(() => new Promise<never>(() => {})).result
    expect([failing, refused, slow].map((each) => each?.result)).toEqual(['undecided', 'undecided', 'undecided'])
    expect(refused).toMatchObject({ reason: 'no route' })
    expect(slow).toMatchObject({ reason: 'The check did not end within 50 ms.' })
  })

  it('is undefined when the definition has no such request', async () => {
    const { result, transport } = run(() => reply(200), { perform: never })
    expect(await result).toBeUndefined()
    expect(transport.requests).toEqual([])
  })

  it('is undecided when the code of the definition fails, and masks secrets in its message', async () => {
    const broken = async (): Promise<Verdict> => ({ outcome: 'aborted', status: 500, message: 'TypeError: key-1234' })
    expect(await run(() => reply(200), { perform: never, check: broken }).result).toEqual({
      result: 'undecided',
      reason: 'TypeError: ••••••',
    })
  })
})

describe('a check of the credentials of an account', () => {
  /** Issues tokens when asked to. */
  const account: NonNullable<ActionRule['account']> = {
    storedTokens: () => ({ accessToken: 'stored-token' }),
    refresh: async ({ send }) => {
      const result = await send(query({ method: 'GET', endpoint: 'https://login.test/token' }))
      return result.kind === 'reply' && result.status === 200 ? { tokens: { accessToken: result.body } } : undefined
    },
  }
  const action = { perform: never, check, account }

  it('renews tokens once that the product refuses', async () => {
    const { result, transport } = run(({ endpoint, headers }) => {
      if (endpoint.startsWith('https://login.test')) return reply(200, 'fresh-token')
      return reply(headers['authorization'] === 'fresh-token' ? 200 : 401)
    }, action)
    expect(await result).toEqual({ result: 'valid' })
    expect(transport.requests.map(({ endpoint }) => new URL(endpoint).host)).toEqual([
      'api.test',
      'login.test',
      'api.test',
    ])
  })

  it('is invalid when new tokens are refused as well, and does not show them', async () => {
    const { result, transport } = run(({ endpoint }) => {
      if (endpoint.startsWith('https://login.test')) return reply(200, 'fresh-token')
      return reply(401, 'bad fresh-token')
    }, action)
    expect(await result).toEqual({ result: 'invalid', reason: 'api.test: It answered 401. bad (hidden)' })
    expect(transport.requests).toHaveLength(3)
  })

  it('is invalid when the account refuses to issue tokens, undecided when it fails', async () => {
    const refusing =
      (status: number): Answer =>
      ({ endpoint }) =>
        reply(endpoint.startsWith('https://login.test') ? status : 401, 'refresh-1234')
    expect(await run(refusing(400), action).result).toEqual({
      result: 'invalid',
      reason: 'Its account returned no tokens: the account answered 400',
    })
    expect(await run(refusing(503), action).result).toMatchObject({ result: 'undecided' })
  })
})
