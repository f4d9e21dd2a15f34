import { type Clock, createManualClock, createSeededRandom } from '@sluice/core'
import { type DeliveryRequest, type DestinationDefinition, json, pack, webhook } from '@sluice/destinations'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Answer, createRecordingTransport, reply } from '../transport/recording-transport.ts'
import { createSend, type DeliverOptions } from './create-send.ts'
import type { DeliverableEvent } from './event-delivery.ts'
import { sendAll } from './send.ts'

const endpoint = 'https://api.test/list'
const live = new AbortController().signal

/** Returns an event of a user, with requests named after it. */
const event = (messageId: string, requests = 1): DeliverableEvent => ({
  event: { messageId },
  requests: Array.from({ length: requests }, (_, n) =>
    json({ method: 'POST', endpoint, body: { id: requests === 1 ? messageId : `${messageId}/${n}` } }),
  ),
  userKey: messageId.charAt(0),
  messageId,
})

/** Returns the ids in a request, which has one item or a list. */
const idsOf = ({ body }: DeliveryRequest): readonly string[] => {
  const { ids, id } = body.JSON
  return Array.isArray(ids) ? ids.map(String) : [String(id)]
}

/** Reply body: the ids of items to be sent later, and of items refused. */
interface ItemsReply {
  readonly later?: readonly string[]
  readonly refused?: readonly string[]
}

/** A destination that accepts lists and returns a result per item with status 207. */
function lists(itemsMax: number, keyOf: (id: string) => string = () => ''): DestinationDefinition {
  return {
    ...webhook,
    batch: pack({
      itemsMax,
      key: ({ request }) => keyOf(idsOf(request)[0] ?? ''),
      merge: (items) =>
        json({ method: 'POST', endpoint, body: { ids: items.flatMap(({ request }) => idsOf(request)) } }),
    }),
    respond: ({ status, body }, request) => {
      if (status === 429) return { outcome: 'throttled', status, message: '' }
      if (status >= 500) return { outcome: 'retry', status, message: '' }
      if (status >= 400) return { outcome: 'aborted', status, message: '' }
      if (status !== 207) return { outcome: 'delivered', status, message: '' }
      const { later = [], refused = [] } = body as ItemsReply
      const items = idsOf(request).map((id) => {
        if (later.includes(id)) return { outcome: 'retry', status: 503, message: `${id} has to wait` } as const
        if (refused.includes(id)) return { outcome: 'aborted', status: 400, message: `${id} is wrong` } as const
        return { outcome: 'delivered', status: 200, message: '' } as const
      })
      return { outcome: 'delivered', status, message: '', items }
    },
  }
}

const perItem = (items: ItemsReply) => reply(207, JSON.stringify(items))

function sendOf(answer: Answer, options: Partial<DeliverOptions> = {}, definition = lists(10)) {
  const transport = createRecordingTransport(answer)
  let now = 0
  // Sleeping advances the clock immediately.
  const clock: Clock = {
    now: () => now,
    sleep: async (milliseconds) => {
      now += milliseconds
    },
  }
  const send = createSend({
    transport,
    clock,
    random: createSeededRandom(1),
    destination: { definition, settings: {} },
    ...options,
  })
  return { send, sent: () => transport.requests.map(idsOf) }
}

const delivered = (attempts = 1, status = 200) => ({ kind: 'delivered', status, attempts })
const passed = (attempts = 1) => ({ kind: 'pass', items: [delivered(attempts)] })

describe('sending, batches', () => {
  it('packs the events of many users into few requests, in their order', async () => {
    const { send, sent } = sendOf(() => reply(200), {}, lists(3))
    const outcomes = await sendAll(
      send,
      ['a1', 'b1', 'a2', 'c1'].map((id) => event(id)),
      live,
    )
    expect(outcomes).toEqual([passed(), passed(), passed(), passed()])
    expect(sent()).toEqual([['a1', 'b1', 'a2'], ['c1']])
  })

  it('retries only the items that are to be retried', async () => {
    const replies = [perItem({ later: ['a1', 'c1'], refused: ['b1'] }), perItem({ later: ['c1'] }), reply(200)]
    const { send, sent } = sendOf(() => replies.shift() ?? reply(500))
    const outcomes = await sendAll(
      send,
      ['a1', 'b1', 'c1', 'd1'].map((id) => event(id)),
      live,
    )
    expect(sent()).toEqual([['a1', 'b1', 'c1', 'd1'], ['a1', 'c1'], ['c1']])
    expect(outcomes).toEqual([
      passed(2),
      expect.objectContaining({
        kind: 'fail',
        error: expect.objectContaining({
          code: 'deliver.refused',
          message: 'api.test refused the request. b1 is wrong',
        }),
      }),
      passed(3),
      passed(1),
    ])
  })

  it('gives up an item after the usual number of attempts, even when its list has changed', async () => {
    const { send, sent } = sendOf((request) => perItem({ later: idsOf(request).slice(sent().length === 2 ? 1 : 0) }))
    const outcomes = await sendAll(send, [event('a1'), event('b1')], live)
    expect(sent()).toEqual([['a1', 'b1'], ['a1', 'b1'], ['b1']])
    expect(outcomes).toMatchObject([passed(2), { kind: 'fail', error: { detail: { attempts: 3 } } }])
  })

  it('sends a list that was refused as a whole again event by event, so that only the culprit fails', async () => {
    const { send, sent } = sendOf((request) => reply(idsOf(request).includes('b1') ? 400 : 200))
    const outcomes = await sendAll(
      send,
      ['a1', 'b1', 'c1'].map((id) => event(id)),
      live,
    )
    expect(sent()).toEqual([['a1', 'b1', 'c1'], ['a1'], ['b1'], ['c1']])
    expect(outcomes).toMatchObject([passed(2), { kind: 'fail', error: { code: 'deliver.refused' } }, passed(2)])
  })

  it('does not split a list whose items belong to one event', async () => {
    const { send, sent } = sendOf(() => reply(400))
    expect(await sendAll(send, [event('a1', 3)], live)).toMatchObject([{ kind: 'fail' }])
    expect(sent()).toEqual([['a1/0', 'a1/1', 'a1/2']])
  })

  it('counts an attempt of an event once, however many items it has', async () => {
    const { send } = sendOf(() => reply(503))
    expect(await sendAll(send, [event('a1', 3), event('b1')], live)).toMatchObject([
      { error: { detail: { attempts: 3 } } },
      { error: { detail: { attempts: 3 } } },
    ])
  })

  it('shows only the own request of a failed event, not the events it shared a list with', async () => {
    const { send } = sendOf(() => perItem({ refused: ['a1'] }))
    const [outcome] = await sendAll(send, [event('a1'), event('b1')], live)
    expect(outcome).toMatchObject({ error: { detail: { request: { body: { JSON: { id: 'a1' } } } } } })
    expect(JSON.stringify(outcome?.kind === 'fail' && outcome.error.detail?.['request'])).not.toContain('b1')
  })

  it('removes events that must no longer be sent from a list before it is retried', async () => {
    const gone = new Set<string>()
    const { send, sent } = sendOf(
      (request) => {
        gone.add('b1')
        return reply(idsOf(request).length === 3 ? 503 : 200)
      },
      { reasonsToDrop: async (events) => events.map(({ messageId }) => (gone.has(messageId) ? 'gone' : undefined)) },
    )
    const outcomes = await sendAll(
      send,
      ['a1', 'b1', 'c1'].map((id) => event(id)),
      live,
    )
    expect(sent()).toEqual([
      ['a1', 'b1', 'c1'],
      ['a1', 'c1'],
    ])
    expect(outcomes).toEqual([passed(2), { kind: 'drop', reason: 'gone' }, passed(2)])
  })

  it('removes events of users with an earlier waiting event from the list', async () => {
    const deferring = { windowMs: Number.MAX_SAFE_INTEGER, attemptsMin: 3, isHeld: (user: string) => user === 'b' }
    const { send, sent } = sendOf(() => reply(200), { deferring })
    const outcomes = await sendAll(
      send,
      ['a1', 'b1', 'c1', 'b2'].map((id) => event(id)),
      live,
    )
    expect(sent()).toEqual([['a1', 'c1']])
    const waits = { kind: 'pass', items: [{ kind: 'deferred', attempts: 0, done: [], retryAfterMs: 0 }] }
    expect(outcomes).toMatchObject([passed(), waits, passed(), waits])
  })

  it('sends an event that failed before alone', async () => {
    const { send, sent } = sendOf(() => reply(200))
    const tried = { ...event('b1'), history: { attempts: 3, done: [] } }
    await sendAll(send, [event('a1'), tried, event('c1')], live)
    expect(sent()).toEqual([['a1', 'c1'], ['b1']])
  })

  it('rejects when the signal aborts while items are to be retried', async () => {
    const stop = new AbortController()
    const { send, sent } = sendOf(
      () => {
        stop.abort(new Error('stopping'))
        return perItem({ later: ['a1'] })
      },
      { clock: createManualClock() },
    )
    await expect(sendAll(send, [event('a1'), event('b1')], stop.signal)).rejects.toThrow('stopping')
    expect(sent()).toHaveLength(1)
  })
})

type Step = 'ok' | 'later' | 'refuse' | 'busy' | 'poison'
const steps = fc.array(fc.constantFrom<Step>('ok', 'ok', 'later', 'refuse', 'busy', 'poison'), { maxLength: 4 })
const events = fc.array(
  fc.record({ user: fc.constantFrom('a', 'b', 'c'), requests: fc.integer({ min: 1, max: 3 }), plan: steps }),
  { maxLength: 12 },
)

/** Handles items as planned. A list with a poisoned item is refused as a whole, one with a busy item is throttled. */
function planned(plans: ReadonlyMap<string, Step[]>, pause: () => Promise<unknown>) {
  const taken: string[] = []
  const answer: Answer = async (request) => {
    await pause()
    const ids = idsOf(request)
    const planOf = (id: string): Step[] => plans.get(id.split('/', 1)[0] ?? '') ?? []
    const next = (id: string): Step => planOf(id)[0] ?? 'ok'
    if (ids.some((id) => next(id) === 'poison')) return reply(400)
    const busy = ids.find((id) => next(id) === 'busy')
    if (busy !== undefined) {
      planOf(busy).shift()
      return reply(503)
    }
    const steps = new Map(ids.map((id) => [id, next(id)]))
    for (const id of new Set(ids.map((id) => id.split('/', 1)[0] ?? ''))) planOf(id).shift()
    taken.push(...ids.filter((id) => steps.get(id) === 'ok'))
    const those = (step: Step) => ids.filter((id) => steps.get(id) === step)
    return perItem({ later: those('later'), refused: those('refuse') })
  }
  return { answer, taken }
}

/** After an event is sent without an earlier event of its user, the earlier one must not be sent any more. */
function expectOrder(sent: readonly (readonly string[])[]): void {
  const orderOf = (id: string): number => Number(/\d+/.exec(id)?.[0])
  for (const [at, ids] of sent.entries())
    for (const id of ids) {
      const after = sent.slice(at + 1).flat()
      const overtaken = after.filter(
        (other) => other.charAt(0) === id.charAt(0) && orderOf(other) < orderOf(id) && !ids.includes(other),
      )
      expect(overtaken, `sent after ${id}`).toEqual([])
    }
}

describe('sending, laws of batches', () => {
  const definitionOf = (itemsMax: number, kinds: number) =>
    lists(itemsMax, (id) => String(Number(/\d+/.exec(id)?.[0]) % kinds))

  it('delivers every item once and keeps the order of each user, whatever the replies and the packing', async () => {
    const shapes = fc.record({
      batches: fc.tuple(events, events),
      itemsMax: fc.integer({ min: 1, max: 5 }),
      kinds: fc.integer({ min: 1, max: 3 }),
    })
    await fc.assert(
      fc.asyncProperty(shapes, fc.scheduler(), async ({ batches, itemsMax, kinds }, scheduler) => {
        const plans = new Map<string, Step[]>()
        const inputs = batches.map((batch) =>
          batch.map(({ user, requests, plan }) => {
            const id = `${user}${plans.size}`
            plans.set(id, [...plan])
            return event(id, requests)
          }),
        )
        const { answer, taken } = planned(plans, () => scheduler.schedule(Promise.resolve()))
        const { send, sent } = sendOf(answer, { concurrency: 3 }, definitionOf(itemsMax, kinds))
        const outcomes = (
          await scheduler.waitFor(Promise.all(inputs.map((input) => sendAll(send, input, live))))
        ).flat()
        expect(new Set(taken).size).toBe(taken.length)
        const counted = outcomes.map((outcome) => {
          if (outcome.kind === 'pass') return outcome.items.length
          return outcome.kind === 'fail' ? Number(outcome.error.detail?.['delivered'] ?? 0) : 0
        })
        expect(counted).toEqual(
          inputs.flat().map(({ messageId }) => taken.filter((id) => id.split('/', 1)[0] === messageId).length),
        )
        expectOrder(sent())
      }),
      { numRuns: 150 },
    )
  })

  it('defers failed events and later ones of the same user, and delivers them all in later attempts', async () => {
    await fc.assert(
      fc.asyncProperty(events, fc.integer({ min: 1, max: 5 }), async (batch, itemsMax) => {
        const plans = new Map<string, Step[]>()
        let inputs: DeliverableEvent[] = batch.map(({ user, requests, plan }) => {
          const id = `${user}${plans.size}`
          plans.set(id, [...plan, ...plan, ...plan])
          return event(id, requests)
        })
        const { answer, taken } = planned(plans, () => Promise.resolve())
        const deferring = { windowMs: Number.MAX_SAFE_INTEGER, attemptsMin: 3, isHeld: () => false }
        const { send, sent } = sendOf(answer, { deferring }, definitionOf(itemsMax, 2))
        let refused = 0
        for (let attempts = 0; inputs.length > 0; attempts += 1) {
          expect(attempts, 'it ends').toBeLessThan(100)
          const outcomes = await sendAll(send, inputs, live)
          inputs = inputs.flatMap((input, i) => {
            const outcome = outcomes[i]
            if (outcome?.kind === 'fail') refused += 1
            if (outcome?.kind !== 'pass') return []
            const [first] = outcome.items
            if (first?.kind !== 'deferred') return []
            expect(outcome.items.slice(1).every(({ kind }) => kind === 'delivered')).toBe(true)
            return [{ ...input, history: first }]
          })
        }
        expect(new Set(taken).size).toBe(taken.length)
        const whole = batch.filter(
          (_, i) =>
            !sent()
              .flat()
              .every((id) => Number(/\d+/.exec(id)?.[0]) !== i),
        )
        expect(whole).toHaveLength(batch.length)
        expect(refused).toBeLessThanOrEqual(
          batch.filter(({ plan }) => plan.some((step) => step === 'refuse' || step === 'poison')).length,
        )
        expectOrder(sent())
      }),
      { numRuns: 100 },
    )
  })
})
