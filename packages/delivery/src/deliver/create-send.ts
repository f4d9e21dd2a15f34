import type { Clock, JsonObject, Random } from '@sluice/core'
import { allowManyListeners } from '@sluice/core/many-listeners'
import { Slots } from '@sluice/core/slots'
import type { DestinationDefinition } from '@sluice/destinations'
import type { Transport } from '../transport/transport.ts'
import { BatchSender } from './batch-sender.ts'
import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts'
import { createExchange } from './create-exchange.ts'
import type { Deferring } from './deferring.ts'
import type { DeliverCall } from './deliver-call.ts'
import { createShowDelivered, type DeliveredWatch } from './delivered-watch.ts'
import { type DeliverableEvent, EventDelivery } from './event-delivery.ts'
import { arePlain, sendsPlainly } from './plain/is-plain.ts'
import { type PlainParts, PlainRun } from './plain/plain-run.ts'
import { EventOpener } from './questions/event-opener.ts'
import { createQuestions } from './questions/questions.ts'
import { apartByWaiting, splitAtQuestions } from './questions/split-at-questions.ts'
import type { TryWatch } from './replies/try-watch.ts'
import type { RequestBatch, RequestItem } from './request-batch.ts'
import type { Retry } from './retry.ts'
import type { Send, SendCall } from './send.ts'
import { Settling } from './settling.ts'
import { concurrencyUsual, SlowAttempts } from './slow/slow-attempts.ts'
import { UserOrder } from './user-order.ts'

export interface DeliverOptions<T extends DeliverableEvent = DeliverableEvent> {
  readonly transport: Transport
  /** Sends requests for tokens of an account; default `transport`. */
  readonly lookupTransport?: Transport
  readonly clock: Clock
  readonly random: Random
  /** Defines batching, reading of replies and secrets. Without it, each event is sent alone. */
  readonly destination?: { readonly definition: DestinationDefinition; readonly settings: JsonObject }
  /** Default: 3 attempts; waits start at 200 ms and double, up to 5,000 ms. */
  readonly retry?: Retry
  /** Without it, events that could not be delivered fail at the end of the call. */
  readonly deferring?: Deferring
  /** Maximum of concurrent requests. Default 8. */
  readonly concurrency?: number
  /** Milliseconds for one attempt, from connecting to the end of the reply. Default 10,000. */
  readonly timeMs?: number
  /**
   * Milliseconds after which events that the caller keeps (`mayRunOn`) are handed over to it, with an attempt that still
   * runs. Default 2,000.
   */
  readonly slowMs?: number
  /** Default: a circuit breaker with default options. */
  readonly breaker?: CircuitBreaker
  /**
   * Called right before every attempt. Returns for each event why it must no longer be sent, undefined to send it: the
   * answer may change while an event waits for its turn or for a retry. Rejects when `signal` aborts. Left out, or where
   * it returns no promise, everything is sent.
   */
  reasonsToDrop?(events: readonly T[], signal: AbortSignal): Promise<readonly (string | undefined)[]> | undefined
  /**
   * Called before `reasonsToDrop`. The function it returns is asked when the request has its connection, right before it
   * is written: false keeps the events here, and they are checked again. It answers for what came since the call.
   */
  recheckBeforeWrite?(): (events: readonly T[]) => boolean
  /**
   * Called before each attempt, and before `reasonsToDrop`: the attempt continues when the promise resolves, or at once
   * without one. Lets several destinations share a thread fairly.
   */
  awaitTurn?(): Promise<void> | undefined
  /** Sees requests that were accepted. Needs `destination`, which says what is secret. */
  readonly watch?: DeliveredWatch<T>
  /** Sees the attempts of events that the first one did not deliver. */
  readonly watchTries?: TryWatch<T>
}

/**
 * Creates what sends the requests of one destination, packed as its definition says.
 *
 * Requests of one user (`userKey`) are sent one after the other, in batch order: each waits until the one before is
 * delivered or has failed, retries included. When an event is postponed, later ones of its user are too. Users wait for
 * each other only through `concurrency` and the batches they share. A batch that is refused as a whole is sent again
 * event by event, so that only the event at fault fails. Events that `reasonsToDrop` stops are dropped. All this
 * applies across calls, which may overlap. Where a mapping asks the product something, the question is sent
 * first, in the place of the event's requests. When the destination fails or throttles, all requests to it pause:
 * see `CircuitBreaker`. Where the caller keeps events (`mayRunOn`), a call does not wait for slow attempts: see
 * `SlowAttempts`.
 *
 * Delivery is at least once: an attempt that timed out may have arrived. When `signal` aborts, a call stops waiting and
 * sending and rejects with its reason; the caller discards what has settled and passes the batch again later.
 *
 * @throws RangeError when an option is out of its range.
 */
export function createSend<T extends DeliverableEvent = DeliverableEvent>(options: DeliverOptions<T>): Send<T> {
  const {
    transport,
    clock,
    random,
    destination,
    deferring,
    reasonsToDrop,
    recheckBeforeWrite,
    awaitTurn,
    concurrency = concurrencyUsual,
    timeMs = 10_000,
    slowMs = 2_000,
  } = options
  const { retry = defaultRetry, breaker = createCircuitBreaker({ clock }), lookupTransport = transport } = options
  requireAtLeastOne({ concurrency, timeMs, slowMs, attemptsMax: retry.attemptsMax })
  const { definition = {}, settings = {} } = destination ?? {}
  const exchange = createExchange({
    definition,
    settings,
    transport,
    lookupTransport,
    clock,
    timeMs,
    onUnauthorized: () => questions.forget(),
  })
  const questions = createQuestions({ exchange, clock })
  const beforeAttempts = {
    reasonsToDrop: reasonsToDrop?.bind(options),
    recheckBeforeWrite: recheckBeforeWrite?.bind(options),
    awaitTurn: awaitTurn?.bind(options),
  }
  const showDelivered = createShowDelivered(options.watch, destination)
  const sender = new BatchSender<T>({
    exchange,
    showDelivered,
    watchTries: options.watchTries,
    breaker,
    retry,
    clock,
    random,
    destination,
    deferring,
    ...beforeAttempts,
  })
  const slots = new Slots(concurrency)
  const order = new UserOrder()
  const slow = new SlowAttempts({ clock, slowMs, concurrency, canDefer: deferring !== undefined })
  const opener = new EventOpener<T>({
    questions,
    sender,
    limit: (delivery, call, send) => slow.run([delivery], call, (begin) => slots.run(() => send(begin()))),
  })

  const tasksFor = (deliveries: readonly EventDelivery<T>[], call: DeliverCall) =>
    sender.pack(deliveries.flatMap(itemsToSend)).map((requests) => ({
      users: usersOf(requests),
      run: async (): Promise<void> => {
        const deliveries = requests.items.map(({ delivery }) => delivery)
        await slow.run(deliveries, call, (begin) => slots.run(() => sender.send(requests, begin())))
        call.report(deliveries)
      },
    }))

  /** Sends the events of users for whom some wait for answers. Each user's events are opened and sent in order. */
  async function openAndSend(deliveries: readonly EventDelivery<T>[], call: DeliverCall): Promise<void> {
    for (let left = deliveries; left.length > 0; ) {
      const { next, later } = splitAtQuestions(left)
      throwFirst(await Promise.allSettled(next.map((delivery) => opener.open(delivery, call))))
      call.report(next)
      throwFirst(await new UserOrder().runAll(tasksFor(next, call)))
      for (const delivery of later) opener.openWithKnown(delivery)
      left = later
    }
  }

  /** An event behind one of its user that is postponed does not wait for the attempts at that one. */
  const isKeptBehind = ({ mayRunOn = false, history, userKey }: T): boolean =>
    mayRunOn && history === undefined && (deferring?.isHeld(userKey) ?? false)

  function tasksOf(all: readonly EventDelivery<T>[], call: DeliverCall) {
    const deliveries = all.filter(({ isOver }) => !isOver)
    const { waiting, ready } = apartByWaiting(deliveries, 'batch' in definition)
    const opening = waiting.map((deliveries) => ({
      users: [...new Set(deliveries.map(({ item }) => item.userKey))],
      run: () => openAndSend(deliveries, call),
    }))
    return [...tasksFor(ready, call), ...opening]
  }

  function begin(signal: AbortSignal, report: DeliverCall['report']): DeliverCall {
    const drain = deferring?.drain?.()
    // Every request under way listens to these signals.
    allowManyListeners(signal, ...(drain ? [drain] : []))
    return { signal, postponedUsers: new Set(), drain, report }
  }

  /** Watches the attempts of a batch while something is sent. */
  async function watching<Result>(
    batch: readonly T[],
    work: () => Promise<Result>,
    beforeLook?: () => void,
  ): Promise<Result> {
    const over = new AbortController()
    if (batch.some(({ mayRunOn }) => mayRunOn)) void slow.watch(over.signal, beforeLook)
    try {
      return await work()
    } finally {
      // With a reason of its own, no error with a stack is made for each call.
      over.abort(null)
    }
  }

  const plainParts: PlainParts<T> = {
    exchange,
    breaker,
    clock,
    slots,
    order,
    slow,
    sender,
    deferring,
    showDelivered,
    ...beforeAttempts,
  }

  async function sendPlain(batch: readonly T[], { signal, settled }: SendCall): Promise<void> {
    signal.throwIfAborted()
    const call = begin(signal, () => {})
    const run = new PlainRun(batch, call, settled, plainParts)
    await watching(
      batch,
      () => run.send(),
      () => run.handOver(),
    )
  }

  async function sendAny(batch: readonly T[], { signal, settled }: SendCall): Promise<void> {
    const deliveries = batch.map((item) => new EventDelivery(item))
    const settling = new Settling(deliveries, settled)
    const call = begin(signal, (some) => settling.report(some))
    for (const delivery of deliveries) opener.openWithKnown(delivery)
    for (const delivery of deliveries) if (isKeptBehind(delivery.item)) sender.postpone(delivery, call)
    call.report(deliveries)
    const ended = await watching(batch, () => order.runAll(tasksOf(deliveries, call)))
    signal.throwIfAborted()
    // Only now, so that nothing of this batch is still being sent when the caller learns of the failure.
    throwFirst(ended)
    settling.rest()
  }

  const isPlain = sendsPlainly(definition)
  return (batch, call) => (isPlain && arePlain(batch, deferring) ? sendPlain(batch, call) : sendAny(batch, call))
}

const defaultRetry: Retry = { attemptsMax: 3, baseMs: 200, capMs: 5_000 }

function throwFirst(ended: readonly PromiseSettledResult<void>[]): void {
  for (const end of ended) if (end.status === 'rejected') throw end.reason
}

function itemsToSend<T extends DeliverableEvent>(delivery: EventDelivery<T>): readonly RequestItem<T>[] {
  return delivery.remaining().map(([place, request]) => ({ delivery, place, request }))
}

function usersOf<T extends DeliverableEvent>({ items }: RequestBatch<T>): readonly string[] {
  const users = items.map(({ delivery }) => delivery.item.userKey)
  return users.length === 1 ? users : [...new Set(users)]
}

function requireAtLeastOne(options: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(options)) {
    if (!(value >= 1)) throw new RangeError(`${name} is ${value}; it must be 1 or more.`)
  }
}
