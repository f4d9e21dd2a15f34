import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Clock, createManualClock, createSeededRandom } from '@sluice/core'
import { type DeliveryRequest, json, type MappedEvent, query } from '@sluice/destinations/kit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createUndiciTransport } from '../transport/http/undici-transport.ts'
import { type Answer, createRecordingTransport, reply } from '../transport/recording-transport.ts'
import { createCircuitBreaker } from './circuit-breaker.ts'
import { createSend, type DeliverOptions } from './create-send.ts'
import { type SendCall, sendAll } from './send.ts'

/** A clock that sleeping advances immediately; records the sleeps. */
function createHastyClock(): Clock & { readonly sleeps: readonly number[] } {
  const sleeps: number[] = []
  let now = 0
  return {
    sleeps,
    now: () => now,
    sleep: async (milliseconds) => {
      sleeps.push(milliseconds)
      now += milliseconds
    },
  }
}

const event = (userKey: string, messageId: string): MappedEvent => ({
  event: { messageId },
  requests: [query({ method: 'GET', endpoint: 'https://api.test/pw', params: { messageId } })],
  userKey,
  messageId,
})

const live = new AbortController().signal

function sendOf(answer: Answer, options: Partial<DeliverOptions> = {}) {
  const transport = createRecordingTransport(answer)
  const clock = createHastyClock()
  return {
    transport,
    clock,
    send: createSend({ transport, clock, random: createSeededRandom(1), ...options }),
  }
}

/** Returns the statuses one after the other, then the last one forever. */
function inTurn(...statuses: readonly number[]): Answer {
  let at = 0
  return () => reply(statuses[Math.min(at++, statuses.length - 1)] ?? 200)
}

describe('sending', () => {
  it('delivers at the first attempt', async () => {
    const { send } = sendOf(() => reply(204))
    expect(await sendAll(send, [event('u', 'm')], live)).toEqual([
      { kind: 'pass', items: [{ kind: 'delivered', status: 204, attempts: 1 }] },
    ])
  })

  it('settles each event once, while others are still being sent', async () => {
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const transport = createRecordingTransport(() => reply(200))
    const heldBack: typeof transport.send = async (request, options) => {
      if (request.params?.['messageId'] === 'slow') await held
      return transport.send(request, options)
    }
    const send = createSend({
      transport: { send: heldBack },
      clock: createHastyClock(),
      random: createSeededRandom(1),
    })
    const nothing = { ...event('d', 'nothing'), requests: [] }
    const two = { ...event('b', 'm2'), requests: [...event('b', 'm2').requests, ...event('b', 'm3').requests] }
    const reported: (readonly [number, string])[] = []
    const settled: SendCall['settled'] = (index, { kind }) => reported.push([index, kind])
    const running = send([event('a', 'slow'), two, event('a', 'behind'), nothing], { signal: live, settled })
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(reported).toEqual([
      [3, 'drop'],
      [1, 'pass'],
    ])
    release()
    await running
    expect(reported.slice(2)).toEqual([
      [0, 'pass'],
      [2, 'pass'],
    ])
  })

  it('retries after a temporary failure, waiting in between', async () => {
    const { send, clock } = sendOf(inTurn(500, 503, 200))
    expect(await sendAll(send, [event('u', 'm')], live)).toEqual([
      { kind: 'pass', items: [{ kind: 'delivered', status: 200, attempts: 3 }] },
    ])
    expect(clock.sleeps).toHaveLength(2)
    expect(clock.sleeps[0]).toBeGreaterThanOrEqual(100)
    expect(clock.sleeps[1]).toBeGreaterThanOrEqual(200)
  })

  it('waits as long as Retry-After says, up to the cap', async () => {
    const asked = ['3', '3600']
    const { send, clock } = sendOf(() => {
      const after = asked.shift()
      return after ? reply(429, '', { 'retry-after': after }) : reply(200)
    })
    await sendAll(send, [event('u', 'm')], live)
    expect(clock.sleeps).toEqual([3_000, 5_000])
  })

  it('gives up after the last attempt, and continues with the next request of that user', async () => {
    const { send, transport } = sendOf(({ params }) => reply(params['messageId'] === 'm1' ? 503 : 200, 'busy'))
    expect(await sendAll(send, [event('u', 'm1'), event('u', 'm2')], live)).toEqual([
      {
        kind: 'fail',
        error: {
          code: 'deliver.unavailable',
          message: 'api.test did not accept the request in 3 attempts. It answered 503.',
          detail: { status: 503, attempts: 3, reply: 'busy' },
        },
      },
      { kind: 'pass', items: [{ kind: 'delivered', status: 200, attempts: 1 }] },
    ])
    expect(transport.requests.map(({ params }) => params['messageId'])).toEqual(['m1', 'm1', 'm1', 'm2'])
  })

  it('sends a refused request once, and keeps the beginning of the reply', async () => {
    const { send, transport } = sendOf(() => reply(400, 'x'.repeat(5_000)))
    const [outcome] = await sendAll(send, [event('u', 'm')], live)
    expect(outcome).toMatchObject({
      kind: 'fail',
      error: { code: 'deliver.refused', detail: { status: 400, attempts: 1, reply: 'x'.repeat(1_024) } },
    })
    expect(transport.requests).toHaveLength(1)
  })

  it('reports a network failure by its code', async () => {
    const { send } = sendOf(() => ({ kind: 'network', code: 'ECONNREFUSED', message: 'Connection refused.' }))
    expect(await sendAll(send, [event('u', 'm')], live)).toMatchObject([
      { error: { code: 'deliver.unavailable', detail: { cause: 'ECONNREFUSED', attempts: 3 } } },
    ])
  })

  it('shows neither path nor headers of a request in an error', async () => {
    const [request] = event('u', 'm').requests
    const { send } = sendOf(() => reply(401, 'you sent pw-token'))
    const secret = { ...(request as DeliveryRequest), headers: { authorization: 'Bearer pw-token' } }
    const outcomes = await sendAll(send, [{ ...event('u', 'm'), requests: [secret] }], live)
    expect(JSON.stringify(outcomes)).not.toContain('pw')
  })

  it('drops an event that must not be sent when its turn comes, with the reason, and sends the next', async () => {
    const stopped = new Set<string>()
    const { send, transport } = sendOf(
      ({ params }) => {
        if (params['messageId'] === 'm1') stopped.add('m2')
        return reply(200)
      },
      {
        reasonsToDrop: async (events) =>
          events.map(({ messageId }) => (stopped.has(messageId) ? 'not wanted' : undefined)),
      },
    )
    const batch = ['m1', 'm2', 'm3'].map((messageId) => event('u', messageId))
    const delivered = { kind: 'pass', items: [{ kind: 'delivered', status: 200, attempts: 1 }] }
    expect(await sendAll(send, batch, live)).toEqual([delivered, { kind: 'drop', reason: 'not wanted' }, delivered])
    expect(transport.requests.map(({ params }) => params['messageId'])).toEqual(['m1', 'm3'])
  })

  it('does not retry an event that must not be sent after the wait', async () => {
    const { send, transport, clock } = sendOf(() => reply(503), {
      reasonsToDrop: async () => [clock.sleeps.length > 1 ? 'not wanted' : undefined],
    })
    expect(await sendAll(send, [event('u', 'm')], live)).toEqual([{ kind: 'drop', reason: 'not wanted' }])
    expect(transport.requests).toHaveLength(2)
  })

  it('answers an empty batch', async () => {
    expect(await sendAll(sendOf(() => reply(200)).send, [], live)).toEqual([])
  })

  it('sends for different users concurrently, up to the limit', async () => {
    let open = 0
    let most = 0
    const { send } = sendOf(
      async () => {
        open += 1
        most = Math.max(most, open)
        await new Promise(setImmediate)
        open -= 1
        return reply(200)
      },
      { concurrency: 3 },
    )
    await sendAll(
      send,
      Array.from({ length: 20 }, (_, n) => event(`u${n}`, `m${n}`)),
      live,
    )
    expect(most).toBe(3)
  })

  it('keeps the order of each user through delays, failures, retries and overlapping runs', async () => {
    const batch = fc.array(
      fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.array(fc.constantFrom(200, 400, 503), { maxLength: 3 })),
      {
        maxLength: 12,
      },
    )
    await fc.assert(
      fc.asyncProperty(fc.tuple(batch, batch), fc.scheduler(), async (batches, scheduler) => {
        const plans = new Map<string, number[]>()
        const inputs = batches.map((batch, b) =>
          batch.map(([user, plan], n) => {
            plans.set(`${user}${b}.${n}`, [...plan])
            return event(user, `${user}${b}.${n}`)
          }),
        )
        const underWay = new Set<string>()
        const { send, transport } = sendOf(
          async ({ params }) => {
            const id = String(params['messageId'])
            const user = id.charAt(0)
            expect(underWay, 'one request of a user at a time').not.toContain(user)
            underWay.add(user)
            await scheduler.schedule(Promise.resolve())
            underWay.delete(user)
            return reply(plans.get(id)?.shift() ?? 200)
          },
          // An open circuit fails events without sending them.
          { concurrency: 2, breaker: createCircuitBreaker({ clock: createHastyClock(), failuresMax: 1_000 }) },
        )
        const runs = inputs.map((input) => sendAll(send, input, live))
        const outcomes = await scheduler.waitFor(Promise.all(runs))
        expect(outcomes.map((some) => some.length)).toEqual(inputs.map((some) => some.length))
        for (const user of ['a', 'b', 'c']) {
          const mine = (ids: readonly string[]) => ids.filter((id) => id.startsWith(user))
          const sent = transport.requests.map(({ params }) => String(params['messageId']))
          const inBatchOrder = mine(inputs.flat().map(({ messageId }) => messageId))
          expect([...new Set(mine(sent))]).toEqual(inBatchOrder)
          expect(mine(sent)).toEqual([...mine(sent)].sort((x, y) => inBatchOrder.indexOf(x) - inBatchOrder.indexOf(y)))
        }
      }),
      { numRuns: 60 },
    )
  })

  it('stops waiting when the signal aborts, sends nothing more and rejects with the reason', async () => {
    const stop = new AbortController()
    const clock = createManualClock()
    const transport = createRecordingTransport(() => {
      setImmediate(() => stop.abort(new Error('stopping')))
      return reply(503)
    })
    const send = createSend({ transport, clock, random: createSeededRandom(1), concurrency: 1 })
    const run = sendAll(send, [event('u', 'm1'), event('u', 'm2'), event('v', 'm3')], stop.signal)
    await expect(run).rejects.toThrow('stopping')
    expect(transport.requests).toHaveLength(1)
    expect(await sendAll(send, [], live)).toEqual([])
  })

  it('rejects when the transport throws, after all other requests have ended', async () => {
    const { send, transport } = sendOf(async ({ params }) => {
      if (params['messageId'] === 'm1') throw new Error('broken transport')
      await new Promise(setImmediate)
      return reply(200)
    })
    await expect(sendAll(send, [event('u', 'm1'), event('v', 'm2')], live)).rejects.toThrow('broken transport')
    expect(transport.requests).toHaveLength(2)
  })

  for (const options of [
    { concurrency: 0 },
    { timeMs: Number.NaN },
    { retry: { attemptsMax: 0, baseMs: 1, capMs: 1 } },
  ]) {
    it(`refuses ${JSON.stringify(options)}`, () => {
      expect(() => sendOf(() => reply(200), options)).toThrow(RangeError)
    })
  }

  it('delivers over a real network to a server that hangs, resets, fails and then recovers', async () => {
    const seen: string[] = []
    const tricks = ['hang', 'reset', 'busy', 'ok']
    const server = createServer(async (incoming, outgoing) => {
      let body = ''
      for await (const chunk of incoming) body += chunk
      seen.push(JSON.parse(body).messageId)
      const trick = tricks.shift() ?? 'ok'
      if (trick === 'reset') incoming.socket.resetAndDestroy()
      else if (trick === 'busy') outgoing.writeHead(429, { 'retry-after': '0' }).end('busy')
      else if (trick === 'ok') outgoing.end('thanks')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`
    const transport = createUndiciTransport({ allowAddresses: ['localhost'] })
    const retry = { attemptsMax: 4, baseMs: 1, capMs: 5 }
    const { send } = sendOf(() => reply(200), { transport, retry, timeMs: 150 })
    const batch = ['m1', 'm2'].map((messageId) => ({
      event: { messageId },
      requests: [json({ method: 'POST', endpoint, body: { messageId } })],
      userKey: 'u',
      messageId,
    }))
    expect(await sendAll(send, batch, live)).toEqual([
      { kind: 'pass', items: [{ kind: 'delivered', status: 200, attempts: 4 }] },
      { kind: 'pass', items: [{ kind: 'delivered', status: 200, attempts: 1 }] },
    ])
    expect(seen).toEqual(['m1', 'm1', 'm1', 'm1', 'm2'])
    await transport.close()
    server.closeAllConnections()
    server.close()
  })
})
