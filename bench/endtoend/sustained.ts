import type { Event } from '@sluice/core'
import type { Transport } from '@sluice/delivery'
import type { Sluice } from 'sluice'

/** How events are given to the pipeline: as a data plane does, from several callers, each with one call under way. */
const callers = 8
const callEvents = 20

/** Sends `count` events as fast as they are acknowledged. */
export async function ingestAll(
  sluice: Sluice,
  events: readonly Event[],
  count: number,
  perCall = callEvents,
): Promise<void> {
  await inCalls(events, count, perCall, async (call) => {
    const { ok } = await sluice.ingest('k', call)
    if (!ok) throw new Error('a call was refused')
  })
}

/** Takes `count` events through the flow without a log. */
export async function processAll(sluice: Sluice, events: readonly Event[], count: number): Promise<void> {
  await inCalls(events, count, callEvents, async (call) => {
    const result = await sluice.process('k', call)
    if (!result.ok) throw new Error('a call was refused')
    const ended = result.events.flatMap(({ destinations }) => destinations)
    if (ended.length < call.length || ended.some(({ outcome }) => outcome === 'failed'))
      throw new Error('an event did not end well')
  })
}

async function inCalls(
  events: readonly Event[],
  count: number,
  perCall: number,
  send: (call: Event[]) => Promise<void>,
): Promise<void> {
  let next = 0
  const caller = async (): Promise<void> => {
    while (next < count) {
      const from = next % events.length
      next += perCall
      await send(events.slice(from, from + perCall))
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
}

/** Takes every request at once, and remembers when one with a wanted messageId came. */
export class Arrivals {
  readonly #wanted = new Map<string, number>()
  readonly #latenciesMs: number[] = []
  readonly transport: Transport = {
    send: async (request) => {
      if (this.#wanted.size > 0) this.#arrived(String(request.body.JSON['messageId']))
      return { kind: 'reply', status: 200, headers: {}, body: '' }
    },
  }

  /** Called when the event is acknowledged. A destination may be faster than the acknowledgement: that counts as 0. */
  acknowledged(messageId: string): void {
    const arrivedAt = this.#wanted.get(messageId)
    if (arrivedAt === undefined || arrivedAt < 0) this.#wanted.set(messageId, performance.now())
    else this.#latenciesMs.push(0)
  }

  /** Asks for the time when an event arrives. */
  expect(messageId: string): void {
    this.#wanted.set(messageId, -1)
  }

  /** In milliseconds, the shortest first. */
  get latenciesMs(): readonly number[] {
    return this.#latenciesMs.toSorted((a, b) => a - b)
  }

  #arrived(messageId: string): void {
    const since = this.#wanted.get(messageId)
    if (since === undefined) return
    const now = performance.now()
    if (since < 0) this.#wanted.set(messageId, now)
    else {
      this.#wanted.delete(messageId)
      this.#latenciesMs.push(now - since)
    }
  }
}

/** Sends calls at a steady pace, one every `everyMs`, and waits until all have arrived. */
export async function ingestAtPace(
  sluice: Sluice,
  arrivals: Arrivals,
  events: readonly Event[],
  { calls, everyMs }: { readonly calls: number; readonly everyMs: number },
): Promise<void> {
  const startedAt = performance.now()
  const sent: Promise<void>[] = []
  for (let call = 0; call < calls; call += 1) {
    const waitMs = startedAt + call * everyMs - performance.now()
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
    const from = (call * callEvents) % events.length
    const messageId = `paced-${call}`
    const batch = events.slice(from, from + callEvents)
    const first = { ...batch[0], messageId } as Event
    arrivals.expect(messageId)
    sent.push(sluice.ingest('k', [first, ...batch.slice(1)]).then(() => arrivals.acknowledged(messageId)))
  }
  await Promise.all(sent)
  await sluice.settled()
}
