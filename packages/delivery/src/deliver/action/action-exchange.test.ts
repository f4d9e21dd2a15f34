import { createManualClock, type Event, type JsonObject } from '@sluice/core'
import { type ActionRule, action, type PerformCall, query, type Verdict } from '@sluice/destinations/kit'
import { describe, expect, it } from 'vitest'
import { createRecordingTransport, reply } from '../../transport/recording-transport.ts'
import type { TransportResult } from '../../transport/transport.ts'
import { createActionExchange } from './action-exchange.ts'

const live = new AbortController().signal
const request = action({ endpoint: 'action:segment/shop/send', body: { name: 'Order' } })
const ask = query({ method: 'GET', endpoint: 'https://api.test/v1' })
const delivered: Verdict = { outcome: 'delivered', status: 200, message: '' }

function exchangeWith(
  perform: ActionRule['perform'],
  {
    answer = reply(200),
    rule = {},
    settings = {},
    timeMs = 1_000,
  }: {
    readonly answer?: TransportResult
    readonly rule?: Partial<ActionRule>
    readonly settings?: JsonObject
    readonly timeMs?: number
  } = {},
) {
  const transport = createRecordingTransport(() => answer)
  const exchange = createActionExchange({
    action: { perform, ...rule },
    settings,
    transport,
    lookupTransport: transport,
    clock: createManualClock(),
    timeMs,
  })
  return (events: readonly Event[] = [], signal = live) => exchange(request, events, { signal })
}
const sendOnce =
  (verdict: Verdict): ActionRule['perform'] =>
  async ({ send }) => {
    await send(ask)
    return verdict
  }

describe('an exchange by an action', () => {
  it('passes the request, the settings and the events, and returns what the action says', async () => {
    let given: Partial<PerformCall> = {}
    const exchange = exchangeWith(
      async (call) => {
        given = call
        return delivered
      },
      { settings: { key: 'k' } },
    )
    const events = [{ event: 'Order' }]
    expect(await exchange(events)).toEqual({
      sent: request,
      result: reply(200),
      judgement: { outcome: 'delivered', status: 200, cause: '' },
      steps: [],
    })
    expect(given).toMatchObject({ request, events, settings: { key: 'k' } })
    expect(given).toMatchObject({ tokens: undefined })
  })

  it('shows each request of the action, and the last reply as its result', async () => {
    const { result, steps } = await exchangeWith(sendOnce(delivered), { answer: reply(201, 'made') })()
    expect(result).toEqual(reply(201, 'made'))
    expect(steps).toEqual([{ request: ask, result: reply(201, 'made') }])
  })

  it('keeps the verdicts on single events of a batch', async () => {
    const items = [delivered, { outcome: 'aborted', status: 400, message: 'bad' }] as const
    const { judgement } = await exchangeWith(sendOnce({ outcome: 'aborted', status: 400, message: 'bad', items }))()
    expect(judgement).toMatchObject({ outcome: 'aborted', status: 400, items })
  })

  it('names the status of the last reply in the reason when that was no success', async () => {
    const verdict: Verdict = { outcome: 'aborted', status: 400, message: 'The list is missing.' }
    const refused = await exchangeWith(sendOnce(verdict), { answer: reply(404) })()
    expect(refused.judgement.cause).toBe('It answered 404. The list is missing.')
    const answered = await exchangeWith(sendOnce(verdict), { answer: reply(200) })()
    expect(answered.judgement.cause).toBe('The list is missing.')
  })

  it('waits as long as the last reply asks', async () => {
    const throttled: Verdict = { outcome: 'throttled', status: 429, message: 'wait' }
    const answer = reply(429, '', { 'retry-after': '7' })
    expect((await exchangeWith(sendOnce(throttled), { answer })()).judgement.retryAfterMs).toBe(7_000)
    expect((await exchangeWith(sendOnce(throttled), { answer: reply(429) })()).judgement.retryAfterMs).toBe(undefined)
  })

  it('is tried again when the action takes longer than three requests may', async () => {
    const { judgement, result } = await exchangeWith(() => new Promise(() => {}), { timeMs: 10 })()
    expect(judgement).toMatchObject({ outcome: 'retry', status: 504, cause: 'It did not end within 30 ms.' })
    expect(result).toMatchObject({ kind: 'network', code: 'ERR_ACTION' })
  })

  it('keeps the newest 50 requests of an action that sends many', async () => {
    const { steps } = await exchangeWith(async ({ send }) => {
      for (let n = 0; n < 60; n += 1) await send(ask)
      return delivered
    })()
    expect(steps).toHaveLength(50)
  })

  it('has no reply when an action failed before it sent anything', async () => {
    const failed = (outcome: Verdict['outcome']) =>
      exchangeWith(async () => ({ outcome, status: 400, message: 'no email' }))()
    expect((await failed('aborted')).result).toEqual({ kind: 'unsendable', code: 'ERR_ACTION', message: 'no email' })
    expect((await failed('retry')).result).toEqual({ kind: 'network', code: 'ERR_ACTION', message: 'no email' })
  })

  it('stops with the reason of the signal', async () => {
    const stop = new AbortController()
    const run = exchangeWith(() => new Promise(() => {}))([], stop.signal)
    setImmediate(() => stop.abort(new Error('stopping')))
    await expect(run).rejects.toThrow('stopping')
  })
})

describe('an exchange by an action with an account', () => {
  const accountOf = (stored: JsonObject, next?: JsonObject): Partial<ActionRule> => ({
    account: {
      storedTokens: () => stored,
      refresh: async ({ send }) => {
        await send(ask)
        return next && { tokens: next }
      },
    },
  })

  it('passes the tokens, and gets new ones after they were refused', async () => {
    const seen: unknown[] = []
    const exchange = exchangeWith(
      async ({ tokens }) => {
        seen.push(tokens?.['accessToken'])
        return tokens?.['accessToken'] === 'b' ? delivered : { outcome: 'refresh', status: 401, message: 'old' }
      },
      { rule: accountOf({ accessToken: 'a' }, { accessToken: 'b' }) },
    )
    expect((await exchange()).judgement.outcome).toBe('refresh')
    expect((await exchange()).judgement.outcome).toBe('delivered')
    expect(seen).toEqual(['a', 'b'])
  })

  it('does not run the action when there are no tokens, and says so without the reply', async () => {
    const exchange = exchangeWith(
      async ({ tokens }) => {
        if (tokens?.['accessToken'] !== 'a') throw new Error('must not run')
        return { outcome: 'refresh', status: 401, message: 'old' }
      },
      { rule: accountOf({ accessToken: 'a' }), answer: reply(400, 'secret-answer') },
    )
    await exchange()
    const failed = await exchange()
    expect(failed.judgement).toMatchObject({
      outcome: 'aborted',
      status: 400,
      cause: 'Its account returned no tokens. It answered 400.',
    })
    expect(JSON.stringify(failed)).not.toContain('secret-answer')
  })
})
