import {
  createManualClock,
  createSeededRandom,
  drop,
  fail,
  type Outcome,
  pass,
  type SourcedEvent,
  type Stage,
} from '@sluice/core'
import type { Delivery } from '@sluice/delivery'
import { json, type Loader, type MappedEvent } from '@sluice/destinations/kit'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { DestinationPath, SourcedRequest } from '../../flow/destination-path.ts'
import { closedPath } from '../../flow/stages/closed-path.ts'
import type { DeferredEvent } from '../../ports/deferred-event.ts'
import type { CountDelta } from '../../ports/stores/counter-store.ts'
import type { RetryStore } from '../../ports/stores/retry-store.ts'
import { RetryQueue, type RetryQueueOptions } from './retry-queue.ts'

const running: RetryQueue[] = []
afterEach(async () => {
  for (const queue of running.splice(0)) await queue.stop(0)
})

const sourceOf = (name: string): SourcedEvent => ({
  workspaceId: 'w',
  sourceId: 's',
  writeKey: 'k',
  event: { type: 'track', event: name, userId: name.charAt(0), messageId: name },
})

/** An event that waits, named after its user. */
const waiting = (name: string, more: Partial<DeferredEvent> = {}): DeferredEvent => ({
  id: `id of ${name}`,
  workspaceId: 'w',
  destinationId: 'd',
  source: sourceOf(name),
  outputs: [{ event: sourceOf(name).event, done: [] }],
  userKeys: [name.charAt(0)],
  delivered: 0,
  attempts: 3,
  firstTriedAt: 0,
  dueAt: 0,
  ...more,
})

const map: Stage<SourcedEvent, MappedEvent> = {
  name: 'destination-transform',
  run: async (batch) =>
    batch.map(({ event }) =>
      pass({
        event,
        requests: [json({ method: 'POST', endpoint: 'http://d.test/', body: {} })],
        userKey: String(event['userId']),
        messageId: String(event.messageId),
      }),
    ),
}

type Answer = 'delivered' | 'deferred' | 'refused'

/** A path whose destination answers as `answer` says; every try is recorded. */
function pathOf(answer: (name: string) => Answer | Promise<Answer>, tried: string[]): DestinationPath {
  async function outcomeOf({ event, userKey, messageId, history }: SourcedRequest): Promise<Outcome<Delivery>> {
    tried.push(messageId)
    const answered = await answer(messageId)
    if (answered === 'refused') return fail({ code: 'deliver.refused', message: 'no' })
    if (answered === 'delivered') return pass<Delivery>({ kind: 'delivered', status: 200, attempts: 1 })
    const attempts = (history?.attempts ?? 0) + 1
    const cause = { code: 'deliver.unavailable', message: 'busy' } as const
    return pass<Delivery>({ kind: 'deferred', event, userKey, attempts, retryAfterMs: 0, done: [], cause })
  }
  const send: DestinationPath['send'] = async (batch, { settled }) => {
    const outcomes = await Promise.all(batch.map(outcomeOf))
    for (const [index, outcome] of outcomes.entries()) settled(index, outcome)
  }
  return { destinationId: 'd', before: [], map, send }
}

/** The port, kept by hand: what the suites of the stores promise. */
function storeOf(events: readonly DeferredEvent[], failing: { times: number }) {
  const kept = new Map(events.map((event) => [event.id, event]))
  const counts: CountDelta[] = []
  const letters: string[] = []
  const retries: RetryStore = {
    add: async (_, added) => {
      for (const event of added) kept.set(event.id, event)
    },
    destinations: async () => ['d'],
    entries: async () => [...kept.values()],
    ofUser: async () => [],
    ofMessage: async () => [],
    read: async (_, ids) => ids.flatMap((id) => kept.get(id) ?? []),
    commit: async (result) => {
      if (failing.times > 0) {
        failing.times -= 1
        throw new Error('the disk is full')
      }
      for (const id of result.ended) kept.delete(id)
      for (const event of result.again) kept.set(event.id, event)
      counts.push(...result.counts.filter(({ named }) => named === undefined))
      letters.push(...result.deadLetters.map(({ source }) => String(source.event.messageId)))
    },
  }
  return { kept, counts, letters, retries }
}

function start(
  events: readonly DeferredEvent[],
  answer: (name: string) => Answer | Promise<Answer>,
  more: Partial<RetryQueueOptions> = {},
  failing = { times: 0 },
) {
  const tried: string[] = []
  const store = storeOf(events, failing)
  let path = pathOf(answer, tried)
  let now = 1_000
  const errors: unknown[] = []
  const queue = new RetryQueue(events, {
    workspaceId: 'w',
    destinationId: 'd',
    random: createSeededRandom(1),
    // Time passes as soon as someone waits for it, but not faster than others can do their work.
    clock: {
      now: () => now,
      sleep: async (milliseconds) => {
        now += milliseconds
        await new Promise(setImmediate)
      },
    },
    backoff: { baseMs: 10, capMs: 20 },
    eventsMax: 100,
    store,
    current: () => ({
      path,
      flow: {
        suppress: {
          name: 'suppress',
          mayStop: () => true,
          position: 0,
          run: async (batch) => batch.map((each) => (each.event['userId'] === 'x' ? drop('suppressed') : pass(each))),
        },
      },
    }),
    onError: (error) => errors.push(error),
    ...more,
  })
  running.push(queue)
  return { queue, tried, errors, ...store, use: (other: DestinationPath) => (path = other) }
}

const live = new AbortController().signal

describe('retry queue', () => {
  it('tries the first event of each user, and the next one once it has ended', async () => {
    const failures = new Map([['a1', 2]])
    const { queue, tried, kept } = start(
      ['a1', 'a2', 'b1'].map((name) => waiting(name)),
      (name) => {
        const left = failures.get(name) ?? 0
        failures.set(name, left - 1)
        return left > 0 ? 'deferred' : 'delivered'
      },
    )
    queue.start()
    expect(await queue.empty()).toBe(true)
    expect(tried).toEqual(['a1', 'b1', 'a1', 'a1', 'a2'])
    expect(kept.size).toBe(0)
  })

  it('tries all events of a user together, in order, at a destination that loads', async () => {
    const sizes: number[] = []
    const { queue, tried, use } = start(
      ['a1', 'a2', 'b1', 'a3'].map((name) => waiting(name, name === 'a2' ? { dueAt: 9_000 } : {})),
      () => 'delivered',
    )
    const path = pathOf(() => 'delivered', tried)
    const send: DestinationPath['send'] = (batch, call) => {
      sizes.push(batch.length)
      return path.send(batch, call)
    }
    use({ ...path, send, loader: {} as Loader })
    queue.start()
    expect(await queue.empty()).toBe(true)
    // What is not due holds the later events of its user only.
    expect([tried, sizes]).toEqual([
      ['a1', 'b1', 'a2', 'a3'],
      [2, 2],
    ])
  })

  it('tries the first event before its time while the circuit wants a try, and no other one', async () => {
    const wants = { isTryWanted: false }
    const times: number[] = []
    const clock = createManualClock()
    const laterMs = 3_600_000
    const { queue, tried, use } = start(
      ['a1', 'b1', 'c1'].map((name) => waiting(name, { dueAt: clock.now() + laterMs })),
      () => 'delivered',
      { clock, backoff: { baseMs: laterMs, capMs: laterMs } },
    )
    const path = pathOf(() => {
      wants.isTryWanted = false
      times.push(clock.now())
      return 'delivered'
    }, tried)
    use({
      ...path,
      circuit: {
        state: () => ({ isOpen: true }),
        tryNow: () => true,
        get isTryWanted() {
          return wants.isTryWanted
        },
      },
    })
    queue.start()
    await new Promise(setImmediate)
    expect(tried).toEqual([])
    wants.isTryWanted = true
    queue.wake()
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
    expect([tried, times]).toEqual([['a1'], [clock.now()]])
  })

  it('lets an event wait until it is due, while others pass', async () => {
    const { queue, tried } = start([waiting('a1', { dueAt: 9_000 }), waiting('b1')], () => 'delivered')
    queue.start()
    await queue.empty()
    expect(tried).toEqual(['b1', 'a1'])
  })

  it('holds a user as long as something of theirs waits', async () => {
    const { queue } = start([waiting('a1'), waiting('a2')], () => 'delivered')
    expect([queue.isHeld('a'), queue.isHeld('b')]).toEqual([true, false])
    queue.start()
    await queue.empty()
    expect(queue.isHeld('a')).toBe(false)
  })

  it('does not try what is not in the store yet, and forgets what never will be', async () => {
    const { queue, tried, kept } = start([], () => 'delivered')
    queue.start()
    const [kept1, discarded] = [waiting('a1'), waiting('b1')]
    queue.hold([kept1, discarded])
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect([tried, queue.isHeld('a'), queue.isHeld('b')]).toEqual([[], true, true])
    kept.set(kept1.id, kept1)
    queue.stored([kept1])
    queue.discard([discarded])
    expect(await queue.empty()).toBe(true)
    expect([tried, queue.isHeld('b')]).toEqual([['a1'], false])
  })

  it('has room again when something has ended', async () => {
    let answer: Answer = 'deferred'
    const { queue } = start([waiting('a1'), waiting('b1')], () => answer, { eventsMax: 2 })
    queue.start()
    let hasRoom = false
    const room = queue.room(live).then(() => (hasRoom = true))
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(hasRoom).toBe(false)
    answer = 'delivered'
    await room
  })

  it('ends the wait for room when the signal aborts', async () => {
    const { queue } = start([waiting('a1')], () => 'deferred', { eventsMax: 1 })
    const stop = new AbortController()
    const room = queue.room(stop.signal)
    stop.abort()
    await room
    expect(queue.isHeld('a')).toBe(true)
  })

  it('ends what was suppressed meanwhile, and what was refused as a dead letter', async () => {
    const { queue, tried, counts, letters } = start([waiting('x1'), waiting('a1')], () => 'refused')
    queue.start()
    await queue.empty()
    expect(tried).toEqual(['a1'])
    expect(letters).toEqual(['a1'])
    expect(counts.map(({ kind, reason }) => `${kind} ${reason}`)).toEqual([
      'dropped suppressed',
      expect.stringMatching(/^suppressed \d{4}-\d\d-\d\d$/),
      'failed deliver.refused',
    ])
  })

  it('does not send again what was sent because the store failed', async () => {
    const { queue, tried, errors } = start([waiting('a1'), waiting('a2')], () => 'delivered', {}, { times: 3 })
    queue.start()
    await queue.empty()
    expect(tried).toEqual(['a1', 'a2'])
    expect(errors).toHaveLength(3)
  })

  it('ends everything at once when the line takes nothing any more', async () => {
    const { queue, tried, counts, use } = start([waiting('a1', { dueAt: 1e12 }), waiting('a2')], () => 'delivered')
    use(closedPath('d', 'destination is gone'))
    queue.start()
    queue.wake()
    await queue.empty()
    expect(tried).toEqual([])
    expect(counts.map(({ kind, reason, count }) => [kind, reason, count])).toEqual([
      ['dropped', 'destination is gone', 1],
      ['dropped', 'destination is gone', 1],
    ])
  })

  it('stops when requested; events that wait keep waiting', async () => {
    const { queue, kept } = start([waiting('a1')], () => 'deferred')
    const { queue: idle } = start([], () => 'delivered')
    for (const each of [queue, idle]) each.start()
    await Promise.all([queue.stop(0), idle.stop(60_000)])
    expect([await queue.empty(), await idle.empty()]).toEqual([false, true])
    expect(kept.size).toBe(1)
  })

  it('stops when the end of suppressed events is stored that was under way: others may have them then', async () => {
    const { retries } = storeOf([waiting('x1')], { times: 0 })
    const stored: string[] = []
    const slow = {
      retries: {
        ...retries,
        commit: async () => {
          await new Promise((resolve) => setTimeout(resolve, 20))
          stored.push('x1')
        },
      },
    }
    const { queue } = start([waiting('x1')], () => 'delivered', { store: slow })
    const ending = queue.endSuppressed(queue.ids())
    await queue.stop(60_000)
    expect(stored).toEqual(['x1'])
    await ending
  })

  it('ends also when events turn out to be of users whom others that wait are of, too', async () => {
    // As it is with one that is done from its beginning: only then is it known whose its outputs are.
    const outputs = ['a', 'b'].map((userId) => ({ event: { ...sourceOf('a1').event, userId }, done: [] }))
    let calls = 0
    const events = [waiting('a1', { userKeys: ['a'], outputs }), waiting('b1', { userKeys: ['b', 'a'] })]
    const { queue, tried } = start(events, () => {
      calls += 1
      return calls <= 2 ? 'deferred' : 'delivered'
    })
    queue.start()
    expect(await queue.empty()).toBe(true)
    expect(tried).toEqual(['a1', 'a1', 'a1', 'a1', 'b1'])
  })

  it('keeps the order of every user and ends, whatever is answered, for events of one user or of several', async () => {
    const entry = fc.record({
      users: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 }),
      plan: fc.array(fc.constantFrom<Answer>('deferred', 'deferred', 'delivered', 'refused'), { maxLength: 4 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 12 }), async (entries) => {
        const names = entries.map((_, n) => `m${n}`)
        const plans = new Map(entries.map(({ plan }, n) => [`m${n}`, [...plan]]))
        const events = entries.map(({ users }, n) => {
          const outputs = users.map((userId) => ({
            event: { ...sourceOf(`m${n}`).event, userId },
            done: [],
          }))
          return waiting(`m${n}`, { userKeys: users, outputs })
        })
        const { queue, tried, counts } = start(events, (name) => plans.get(name)?.shift() ?? 'delivered')
        queue.start()
        expect(await queue.empty()).toBe(true)
        expect(
          counts
            .filter(({ kind }) => kind === 'delivered' || kind === 'failed')
            .reduce((sum, { count }) => sum + count, 0),
        ).toBe(names.length)
        for (const user of ['a', 'b', 'c']) {
          // Of those that are of this user alone.
          const mine = tried.filter((name) => entries[Number(name.slice(1))]?.users.join() === user)
          expect(mine).toEqual([...mine].sort((x, y) => Number(x.slice(1)) - Number(y.slice(1))))
        }
        await queue.stop(0)
      }),
      { numRuns: 50 },
    )
  })
})
