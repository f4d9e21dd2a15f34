import { type Clock, createSeededRandom, type Outcome } from '@sluice/core'
import { type DestinationDefinition, json, pack, webhook } from '@sluice/destinations'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRecordingTransport, reply } from '../../transport/recording-transport.ts'
import type { TransportResult } from '../../transport/transport.ts'
import { createCircuitBreaker } from '../circuit-breaker.ts'
import { createSend, type DeliverOptions } from '../create-send.ts'
import type { DeliverableEvent, Delivery } from '../event-delivery.ts'
import { sendAll } from '../send.ts'

const live = new AbortController().signal

/** Takes the general way, because requests could hold several events. */
const inBatchesOfOne: DestinationDefinition = {
  ...webhook,
  batch: pack({ itemsMax: 1, merge: ([first]) => first?.request ?? json({ method: 'POST', endpoint: '', body: {} }) }),
}

/** What a destination answers, attempt by attempt, and 200 after that. */
type Plan = readonly (number | 'cut' | 'unknown host')[]

interface Planned {
  readonly user: string
  readonly plan: Plan
  /** Whether it is stopped before it is sent. */
  readonly isSuppressed: boolean
  /** Attempts in earlier calls: with one that was tried, its whole batch takes the general way. */
  readonly attempts: number
}

interface Story {
  /** They overlap. */
  readonly batches: readonly (readonly Planned[])[]
  readonly held: readonly string[]
  readonly canDefer: boolean
  readonly concurrency: number
  readonly failuresMax: number
}

type Answer = Plan[number]
const user = fc.constantFrom('a', 'b', 'c', 'd')
const storyOf = (answers: readonly Answer[], concurrency: number, failuresMax: fc.Arbitrary<number>) =>
  fc.record<Story>({
    batches: fc.array(
      fc.array(
        fc.record({
          user,
          plan: fc.array(fc.constantFrom(...answers), { maxLength: 4 }),
          isSuppressed: fc.boolean(),
          attempts: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 2),
        }),
        { maxLength: 8 },
      ),
      { minLength: 1, maxLength: 3 },
    ),
    held: fc.uniqueArray(user, { maxLength: 1 }),
    canDefer: fc.boolean(),
    concurrency: fc.constant(concurrency),
    failuresMax,
  })
const ofOneEvent: readonly Answer[] = [200, 204, 302, 400, 401, 503, 'cut', 'unknown host']
const oneByOne = storyOf([...ofOneEvent, 429], 1, fc.constantFrom(2, 1_000))
/** Without pauses of the destination: whom they meet depends on what was sent before them. */
const besideEachOther = storyOf(ofOneEvent, 3, fc.constant(1_000))

function resultOf(answer: Answer = 200): TransportResult {
  if (answer === 'cut') return { kind: 'network', code: 'ECONNRESET', message: 'It was cut.' }
  if (answer === 'unknown host') return { kind: 'network', code: 'ENOTFOUND', message: 'There is no such host.' }
  return reply(answer, answer === 200 ? '' : `says ${answer}`, answer === 429 ? { 'retry-after': '3' } : {})
}

/** Plays a story. @returns what became of each event, and the requests in order. */
async function play(
  { batches, held, canDefer, concurrency, failuresMax }: Story,
  definition: DestinationDefinition,
): Promise<{ readonly outcomes: readonly (readonly Outcome<Delivery>[])[]; readonly sent: readonly string[] }> {
  const plans = new Map<string, Answer[]>()
  const suppressed = new Set<string>()
  const inputs = batches.map((batch, b) =>
    batch.map(({ user, plan, isSuppressed, attempts }, n): DeliverableEvent => {
      const messageId = `${user}${b}.${n}`
      plans.set(messageId, [...plan])
      if (isSuppressed) suppressed.add(messageId)
      const request = json({ method: 'POST', endpoint: 'https://api.test/', body: { messageId } })
      const history = attempts > 0 ? { done: [], attempts } : undefined
      return { event: { messageId }, requests: [request], userKey: user, messageId, history }
    }),
  )
  let now = 1_000_000
  const clock: Clock = {
    now: () => now,
    sleep: async (milliseconds) => {
      // Beside each other, one would see how long the others waited.
      if (concurrency === 1) now += milliseconds
    },
  }
  const transport = createRecordingTransport(({ body }) => resultOf(plans.get(String(body.JSON['messageId']))?.shift()))
  const deferring: DeliverOptions['deferring'] = {
    windowMs: 60_000,
    attemptsMin: 2,
    isHeld: (userKey) => held.includes(userKey),
  }
  const send = createSend({
    transport,
    clock,
    random: createSeededRandom(1),
    destination: { definition, settings: {} },
    breaker: createCircuitBreaker({ clock, failuresMax }),
    concurrency,
    deferring: canDefer ? deferring : undefined,
    reasonsToDrop: (events) =>
      events.some(({ messageId }) => suppressed.has(messageId))
        ? Promise.resolve(events.map(({ messageId }) => (suppressed.has(messageId) ? 'suppressed' : undefined)))
        : undefined,
  })
  const outcomes = await Promise.all(inputs.map((batch) => sendAll(send, batch, live)))
  return { outcomes, sent: transport.requests.map(({ body }) => String(body.JSON['messageId'])) }
}

/** Which of several users comes first depends on the turns of promises where requests run beside each other. */
const byUser = (sent: readonly string[]): readonly string[] => [...sent].sort((x, y) => x.localeCompare(y))

describe('the plain way', () => {
  it('ends every story as the general way does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(oneByOne, besideEachOther), async (drawn) => {
        const plain = await play(drawn, webhook)
        const general = await play(drawn, inBatchesOfOne)
        expect(byUser(plain.sent)).toEqual(byUser(general.sent))
        expect(plain.outcomes).toEqual(general.outcomes)
      }),
      { numRuns: 300 },
    )
  })

  it('ends with the reason of an abort, however many wait and whatever failed before', async () => {
    const stop = new AbortController()
    let sent = 0
    const transport: DeliverOptions['transport'] = {
      send: (_, { signal }) => {
        sent += 1
        if (sent === 1) return Promise.reject(new Error('it is broken'))
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      },
    }
    const clock: Clock = { now: () => 0, sleep: async () => {} }
    const send = createSend({
      transport,
      clock,
      random: createSeededRandom(1),
      destination: { definition: webhook, settings: {} },
    })
    const request = json({ method: 'POST', endpoint: 'https://api.test/', body: {} })
    const batch = Array.from({ length: 10_000 }, (_, n) => ({
      event: {},
      requests: [request],
      userKey: `u${n}`,
      messageId: `m${n}`,
    }))
    const sending = sendAll(send, batch, stop.signal)
    setImmediate(() => stop.abort(new Error('it stops')))
    await expect(sending).rejects.toThrow('it stops')
    expect(sent).toBe(9)
  })
})
