import { createManualClock, type JsonObject } from '@sluice/core'
import { type AccountTokens, type ActionAccount, query } from '@sluice/destinations/kit'
import { describe, expect, it } from 'vitest'
import { createRecordingTransport, reply } from '../../transport/recording-transport.ts'
import type { TransportResult } from '../../transport/transport.ts'
import { createActionTokens } from './action-tokens.ts'

const live = new AbortController().signal
const login = query({ method: 'POST', endpoint: 'https://login.test/token' })

/** An account whose tokens have numbers; it reads those it had before from the calls. */
function setUp({
  stored,
  answer = reply(200, 'secret-answer'),
  lifetimeMs,
  timeMs = 1_000,
}: {
  readonly stored?: JsonObject
  readonly answer?: TransportResult | 'never'
  readonly lifetimeMs?: number
  readonly timeMs?: number
} = {}) {
  const clock = createManualClock()
  const previous: (JsonObject | undefined)[] = []
  let result = answer
  const transport = createRecordingTransport(async () => {
    await new Promise(setImmediate)
    return result === 'never' ? new Promise<never>(() => {}) : result
  })
  const account: ActionAccount = {
    storedTokens: () => stored,
    async refresh({ send, tokens }): Promise<AccountTokens | undefined> {
      previous.push(tokens)
      const received = await send(login)
      if (received.kind !== 'reply' || received.status !== 200 || received.body === '') return undefined
      const made = { accessToken: `new-${previous.length}` }
      return { tokens: made, lifetimeMs }
    },
  }
  const tokens = createActionTokens({ account, settings: {}, transport, clock, timeMs })
  return {
    tokens,
    clock,
    previous,
    answerWith(next: TransportResult) {
      result = next
    },
  }
}

async function tokensOf(tokens: ReturnType<typeof createActionTokens>): Promise<JsonObject> {
  const found = await tokens.get(live)
  if (!found.ok) throw new Error(JSON.stringify(found))
  return found.value
}

describe('tokens of an action', () => {
  it('are those in the settings until they are refused; then new ones are requested with them', async () => {
    const stored = { accessToken: 'stored', refreshToken: 'r' }
    const { tokens, previous } = setUp({ stored })
    expect(await tokensOf(tokens)).toEqual(stored)
    expect(previous).toEqual([])
    tokens.refuse(await tokensOf(tokens))
    expect(await tokensOf(tokens)).toEqual({ accessToken: 'new-1' })
    expect(previous).toEqual([stored])
  })

  it('are requested at once when the settings have none', async () => {
    const { tokens, previous } = setUp()
    expect(await tokensOf(tokens)).toEqual({ accessToken: 'new-1' })
    expect(previous).toEqual([undefined])
  })

  it('are requested once for all who wait', async () => {
    const { tokens, previous } = setUp()
    const all = await Promise.all([1, 2, 3].map(() => tokensOf(tokens)))
    expect(new Set(all).size).toBe(1)
    expect(previous).toHaveLength(1)
  })

  it('are requested once when several requests were refused with the same tokens', async () => {
    const { tokens, previous } = setUp({ stored: { accessToken: 'stored' } })
    const refused = await tokensOf(tokens)
    tokens.refuse(refused)
    await tokensOf(tokens)
    tokens.refuse(refused)
    expect(await tokensOf(tokens)).toEqual({ accessToken: 'new-1' })
    expect(previous).toHaveLength(1)
  })

  it('are requested again after their lifetime', async () => {
    const { tokens, clock, previous } = setUp({ lifetimeMs: 1_000 })
    await tokensOf(tokens)
    clock.advance(999)
    await tokensOf(tokens)
    expect(previous).toHaveLength(1)
    clock.advance(1)
    expect(await tokensOf(tokens)).toEqual({ accessToken: 'new-2' })
    expect(previous).toEqual([undefined, { accessToken: 'new-1' }])
  })

  it('that cannot be had are a failure with the status, without the text of the reply, and are tried again', async () => {
    const { tokens, answerWith } = setUp({ answer: reply(401, 'secret-answer') })
    const found = await tokens.get(live)
    expect(found).toMatchObject({ ok: false, result: { kind: 'reply', status: 401 } })
    expect(JSON.stringify(found)).not.toContain('secret-answer')
    answerWith(reply(200, 'yes'))
    expect(await tokensOf(tokens)).toEqual({ accessToken: 'new-2' })
  })

  it('that a successful reply lacks are a failure of the account', async () => {
    const { tokens } = setUp({ answer: reply(200, '') })
    expect(await tokens.get(live)).toMatchObject({ ok: false, result: { status: 502, body: 'no token in the answer' } })
  })

  it('that cannot be had without a reply are a failure of the network', async () => {
    const failure = { kind: 'network', code: 'ECONNRESET', message: 'reset' } as const
    expect(await setUp({ answer: failure }).tokens.get(live)).toEqual({ ok: false, result: failure })
  })

  it('that are not there in time can be tried again', async () => {
    const { tokens } = setUp({ answer: 'never', timeMs: 20 })
    expect(await tokens.get(live)).toMatchObject({ ok: false, result: { kind: 'network', code: 'ETIMEDOUT' } })
  })

  it('are a failure for good when the account issues none', async () => {
    const account = { storedTokens: () => undefined, refresh: async () => undefined }
    const transport = createRecordingTransport()
    const tokens = createActionTokens({ account, settings: {}, transport, clock: createManualClock(), timeMs: 100 })
    expect(await tokens.get(live)).toMatchObject({ ok: false, result: { kind: 'unsendable', code: 'ERR_NO_TOKENS' } })
  })

  it('are still requested for others when one who waits gives up', async () => {
    const { tokens, previous } = setUp()
    const stop = new AbortController()
    const first = tokens.get(stop.signal)
    const second = tokensOf(tokens)
    stop.abort(new Error('stopping'))
    await expect(first).rejects.toThrow('stopping')
    expect(await second).toEqual({ accessToken: 'new-1' })
    expect(previous).toHaveLength(1)
  })
})
