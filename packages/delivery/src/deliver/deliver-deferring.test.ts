import { type Clock, createSeededRandom } from '@sluice/core'
import { type MappedEvent, query } from '@sluice/destinations/kit'
import { describe, expect, it } from 'vitest'
import { type Answer, createRecordingTransport, reply } from '../transport/recording-transport.ts'
import { createCircuitBreaker } from './circuit-breaker.ts'
import { createSend, type DeliverOptions } from './create-send.ts'
import type { DeliverableEvent } from './event-delivery.ts'
import { sendAll } from './send.ts'

const live = new AbortController().signal
const hour = 3_600_000

const event = (userKey: string, messageId: string, more: Partial<DeliverableEvent> = {}): DeliverableEvent => ({
  ...mapped(userKey, messageId, ['']),
  ...more,
})
const mapped = (userKey: string, messageId: string, parts: readonly string[]): MappedEvent => ({
  event: { messageId },
  requests: parts.map((part) =>
    query({ method: 'GET', endpoint: 'https://api.test/', params: { id: `${messageId}${part}` } }),
  ),
  userKey,
  messageId,
})

function sendOf(answer: Answer, options: Partial<DeliverOptions> & { readonly held?: readonly string[] } = {}) {
  const transport = createRecordingTransport(answer)
  let now = 0
  const clock: Clock = {
    now: () => now,
    sleep: async (milliseconds) => {
      now += milliseconds
    },
  }
  const held = new Set(options.held)
  const send = createSend({
    transport,
    clock,
    random: createSeededRandom(1),
    breaker: createCircuitBreaker({ clock, failuresMax: 100 }),
    deferring: { windowMs: 3 * hour, attemptsMin: 3, isHeld: (user) => held.has(user) },
    ...options,
  })
  const sent = () => transport.requests.map(({ params }) => params['id'])
  return { send, sent, clock, advance: (milliseconds: number) => clock.sleep(milliseconds) }
}

const delivered = (attempts = 1) => ({ kind: 'pass', items: [{ kind: 'delivered', status: 200, attempts }] })

describe('sending, events that cannot be delivered yet', () => {
  it('returns an event after three attempts with its history, and later events of its user untried', async () => {
    const { send, sent } = sendOf(({ params }) => reply(params['id'] === 'm1' ? 503 : 200))
    const outcomes = await sendAll(send, [event('u', 'm1'), event('u', 'm2'), event('v', 'n1')], live)
    expect(sent().filter((id) => id !== 'n1')).toEqual(['m1', 'm1', 'm1'])
    expect(outcomes).toMatchObject([
      {
        kind: 'pass',
        items: [
          {
            kind: 'deferred',
            userKey: 'u',
            attempts: 3,
            firstTriedAt: 0,
            done: [],
            cause: { detail: { status: 503 } },
          },
        ],
      },
      { kind: 'pass', items: [{ kind: 'deferred', userKey: 'u', attempts: 0, done: [] }] },
      delivered(),
    ])
    const [, behind] = outcomes
    expect(behind?.kind === 'pass' && behind.items[0]?.kind === 'deferred' && behind.items[0].firstTriedAt).toBe(
      undefined,
    )
  })

  it('tries an event that was deferred before only once, and continues to count its attempts', async () => {
    const { send, sent } = sendOf(() => reply(503))
    const history = { attempts: 3, done: [], firstTriedAt: 0 }
    expect(await sendAll(send, [event('u', 'm1', { history })], live)).toMatchObject([{ items: [{ attempts: 4 }] }])
    expect(sent()).toEqual(['m1'])
  })

  it('does not send requests that were delivered before the event was deferred', async () => {
    const { send, sent } = sendOf(({ params }) => reply(params['id'] === 'm/b' && sent().length < 5 ? 503 : 200))
    const whole = mapped('u', 'm', ['/a', '/b', '/c'])
    const [first] = await sendAll(send, [whole], live)
    expect(first).toMatchObject({ items: [{ kind: 'deferred', done: [0], attempts: 3 }, { kind: 'delivered' }] })
    const [deferral] = first?.kind === 'pass' ? first.items : []
    if (deferral?.kind !== 'deferred') throw new Error('it was not deferred')
    const [second] = await sendAll(send, [{ ...whole, history: deferral }], live)
    expect(second).toMatchObject({ kind: 'pass', items: [{ kind: 'delivered' }, { kind: 'delivered' }] })
    expect(sent()).toEqual(['m/a', 'm/b', 'm/b', 'm/b', 'm/b', 'm/c'])
  })

  it('fails when one of several requests was given up before the event was deferred', async () => {
    const { send } = sendOf(() => reply(200))
    const error = { code: 'deliver.refused', message: 'no' } as const
    const history = { attempts: 3, done: [0], failure: error }
    expect(await sendAll(send, [{ ...mapped('u', 'm', ['/a', '/b']), history }], live)).toEqual([
      { kind: 'fail', error: { ...error, detail: { delivered: 1 } } },
    ])
  })

  it('lets a new event wait behind an earlier one of its user, but not the earlier one behind itself', async () => {
    const { send, sent } = sendOf(() => reply(200), { held: ['u'] })
    const history = { attempts: 0, done: [] }
    const outcomes = await sendAll(send, [event('u', 'm1', { history }), event('u', 'm2')], live)
    expect(sent()).toEqual(['m1'])
    expect(outcomes).toMatchObject([delivered(), { items: [{ kind: 'deferred', attempts: 0 }] }])
  })

  const endings: readonly (readonly [string, number, number, string])[] = [
    ['is given up when the window has passed and it was tried often enough', 3 * hour, 2, 'fail'],
    ['continues while the window has not passed', 3 * hour - 1, 9, 'pass'],
    ['continues when it was not tried often enough', 4 * hour, 1, 'pass'],
  ]
  for (const [name, age, attempts, kind] of endings)
    it(name, async () => {
      const { send, advance } = sendOf(() => reply(503))
      await advance(age)
      const history = { attempts, done: [], firstTriedAt: 0 }
      const [outcome] = await sendAll(send, [event('u', 'm1', { history })], live)
      expect(outcome?.kind).toBe(kind)
    })

  it('waits while the destination throttles, without giving up the event', async () => {
    let asked = 0
    const { send, clock } = sendOf(() => (++asked > 20 ? reply(200) : reply(429, '', { 'retry-after': '60' })))
    expect(await sendAll(send, [event('u', 'm1'), event('v', 'n1')], live)).toMatchObject([
      { items: [{ kind: 'delivered' }] },
      { items: [{ kind: 'delivered' }] },
    ])
    expect(clock.now()).toBeGreaterThanOrEqual(10 * 60_000)
    expect(asked).toBeLessThanOrEqual(22)
  })

  it('gives up an event that the destination throttles for longer than the window', async () => {
    const { send, sent, clock } = sendOf(() => reply(429, '', { 'retry-after': '1800' }))
    const outcomes = await sendAll(send, [event('u', 'm1'), event('u', 'm2')], live)
    expect(outcomes).toMatchObject([{ kind: 'fail' }, { kind: 'fail' }])
    expect(sent()).not.toHaveLength(0)
    expect(sent().length).toBeLessThan(30)
    expect(clock.now()).toBeLessThan(8 * hour)
  })

  it('gives up all events that waited for the whole window, without trying each of them', async () => {
    const { clock } = sendOf(() => reply(200))
    const { send } = sendOf(() => ({ kind: 'network', code: 'ECONNREFUSED', message: 'Connection refused.' }), {
      clock,
      breaker: createCircuitBreaker({ clock }),
      retry: { attemptsMax: 100_000, baseMs: 1, capMs: 1 },
    })
    const waiting = Array.from({ length: 40 }, (_, n) => event(`u${n}`, `m${n}`, { receivedAt: 0 }))
    const outcomes = await sendAll(send, waiting, live)
    expect(outcomes.every(({ kind }) => kind === 'fail')).toBe(true)
    expect(outcomes.at(-1)).toMatchObject({
      error: {
        code: 'deliver.unavailable',
        message: expect.stringContaining('api.test gets no more requests. It has accepted nothing since 1970-01-01'),
      },
    })
    expect(clock.now()).toBeLessThan(4 * hour)
  })

  it('gives up events that cannot be postponed after a minute, when the destination accepts nothing', async () => {
    const { clock } = sendOf(() => reply(200))
    const send = createSend({
      transport: createRecordingTransport(() => ({ kind: 'network', code: 'ECONNREFUSED', message: 'Refused.' })),
      clock,
      random: createSeededRandom(1),
      breaker: createCircuitBreaker({ clock }),
    })
    const waiting = Array.from({ length: 200 }, (_, n) => event(`u${n}`, `m${n}`, { receivedAt: 0 }))
    const outcomes = await sendAll(send, waiting, live)
    expect(outcomes).toHaveLength(200)
    expect(outcomes.every((outcome) => outcome.kind === 'fail' && outcome.error.code === 'deliver.unavailable')).toBe(
      true,
    )
    // The minute, and the wait for the last probe.
    expect(clock.now()).toBeLessThanOrEqual(120_000)
  })

  it('checks again whether an event may be sent after it waited for the destination', async () => {
    const { clock } = sendOf(() => reply(200))
    const { send, sent } = sendOf(() => reply(429, '', { 'retry-after': '60' }), {
      clock,
      breaker: createCircuitBreaker({ clock }),
      // A regulation that is created during the wait.
      reasonsToDrop: async (events) => events.map(() => (clock.now() > 0 ? 'gone' : undefined)),
    })
    expect(await sendAll(send, [event('u', 'm1')], live)).toEqual([{ kind: 'drop', reason: 'gone' }])
    expect(sent()).toEqual(['m1'])
  })

  it('does not count a request that cannot be sent as a success of the destination', async () => {
    const { clock } = sendOf(() => reply(200))
    const breaker = createCircuitBreaker({ clock, failuresMax: 1 })
    ;(await breaker.admit(live))?.record({ works: false })
    const transport = createRecordingTransport(() => ({ kind: 'unsendable', code: 'ERR_INVALID_URL', message: '' }))
    const send = createSend({ transport, clock, random: createSeededRandom(1), breaker })
    expect(await sendAll(send, [event('u', 'm1')], live)).toMatchObject([{ kind: 'fail' }])
    expect(breaker.failingSince).toBeDefined()
  })
})
