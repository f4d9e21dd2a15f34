import { type Clock, type Event, type JsonObject, onAbort, type Random, type StageError } from '@sluice/core'
import { createSecretMask, type DeliveryRequest, type DestinationDefinition } from '@sluice/destinations/kit'
import { heldBack } from '../transport/held-back-error.ts'
import type { TransportResult } from '../transport/transport.ts'
import type { Admission, CircuitBreaker } from './circuit-breaker.ts'
import type { createExchange } from './create-exchange.ts'
import { type Deferring, isOverdue, waitUntil } from './deferring.ts'
import type { DeliverCall } from './deliver-call.ts'
import type { ShowDelivered } from './delivered-watch.ts'
import type { DeliverableEvent, EventDelivery } from './event-delivery.ts'
import type { Exchange } from './exchange.ts'
import { createDeliveryFailure } from './replies/delivery-failure.ts'
import type { Judgement } from './replies/judgement.ts'
import { retryAfterMsMax } from './replies/retry-after.ts'
import { showTry, type TryWatch } from './replies/try-watch.ts'
import { packItems, type RequestBatch, type RequestItem } from './request-batch.ts'
import { backoffMs, type Retry } from './retry.ts'

interface BatchSenderOptions<T extends DeliverableEvent> {
  readonly destination?: { readonly definition: DestinationDefinition; readonly settings: JsonObject }
  readonly exchange: ReturnType<typeof createExchange>
  readonly breaker: CircuitBreaker
  readonly retry: Retry
  readonly deferring?: Deferring
  readonly clock: Clock
  readonly random: Random
  readonly showDelivered?: ShowDelivered<T>
  readonly watchTries?: TryWatch<T>
  reasonsToDrop?(events: readonly T[], signal: AbortSignal): Promise<readonly (string | undefined)[]> | undefined
  recheckBeforeWrite?(): (events: readonly T[]) => boolean
  awaitTurn?(): Promise<void> | undefined
}

/** A first attempt that was begun elsewhere. */
export interface BegunAttempt {
  readonly exchanged: Promise<Exchange>
  readonly admission: Admission
  /** When it began, in milliseconds since the epoch. */
  readonly at: number
}

/** One attempt at a request. */
interface Attempt extends Exchange {
  /** How often the request was sent in this call. */
  readonly attempts: number
  /** Whether it was cut short because it took long. */
  readonly isCut?: true
}

/** Sends request batches until each of their items is delivered, dropped, postponed or has failed. */
export class BatchSender<T extends DeliverableEvent> {
  readonly #options: BatchSenderOptions<T>
  readonly #failure: ReturnType<typeof createDeliveryFailure>

  constructor(options: BatchSenderOptions<T>) {
    const { destination } = options
    this.#options = options
    this.#failure = createDeliveryFailure(destination && createSecretMask(destination.definition, destination.settings))
  }

  /** Packs request items as the destination allows. */
  pack(items: readonly RequestItem<T>[]): readonly RequestBatch<T>[] {
    const { definition = {}, settings = {} } = this.#options.destination ?? {}
    return packItems(items, definition, settings)
  }

  /**
   * @param begun the first attempt at it, when that is under way.
   * @throws the abort reason once the signal of the call is aborted.
   */
  async send(batch: RequestBatch<T>, call: DeliverCall, begun?: BegunAttempt): Promise<void> {
    const { items } = batch
    const { deferring, retry } = this.#options
    // For an event that was postponed, each call is one of its retries.
    const attemptsMax = items.some(({ delivery }) => delivery.wasTried) ? 1 : retry.attemptsMax
    const { drain, task } = call
    let isRenewed = false
    let first = begun && this.#continue(begun, batch, call)
    for (let open = items; open.length > 0; ) {
      const attempt = await (first ?? this.#sendOnce(batch, open, call))
      if (attempt === undefined) return
      first = undefined
      const { judgement, attempts } = attempt
      const causeOf = (item: RequestItem<T>): string | undefined => judgement.items?.[items.indexOf(item)]?.message
      if (judgement.outcome === 'refresh' && !isRenewed) {
        isRenewed = true
        continue
      }
      open = this.#settle(items, attempt)
      if (judgement.outcome === 'aborted' && !judgement.items) return this.#sendOneByOne(open, call)
      if (open.length === 0) return
      if (judgement.outcome === 'throttled' && deferring && !task?.isLast)
        open = this.#failOverdue(open, attempt, causeOf)
      else {
        const isLast = attempts >= attemptsMax || task?.isLast
        const pauseMs = isLast || judgement.outcome === 'throttled' ? 0 : this.#pauseMs(attempt)
        if (isLast || task?.waits(pauseMs)) {
          for (const item of open) this.#postponeOrFail(item, attempt, call, causeOf(item))
          return
        }
        if (judgement.outcome !== 'throttled') await this.#pause(pauseMs, call)
      }
      if (drain?.aborted) return this.#postponeAll(open, call)
    }
  }

  /**
   * Sends what is open of a batch, which is all of it, once it may be sent.
   * @returns undefined when it may not: then its items have ended, or are sent in other batches.
   */
  async #sendOnce(
    batch: RequestBatch<T>,
    open: readonly RequestItem<T>[],
    call: DeliverCall,
  ): Promise<Attempt | undefined> {
    const { items } = batch
    const { breaker, deferring } = this.#options
    const { signal, drain } = call
    for (;;) {
      // Before the check: nothing that comes while the batch waits for its turn may be missed.
      const turn = this.#options.awaitTurn?.()
      if (turn) await turn
      // Before the check, too: it looks at what changes from here on.
      const mayLeave = this.#options.recheckBeforeWrite?.()
      const reasons = this.#reasonsToDrop(open, call)
      const allowed = this.#stillToSend(open, call, reasons && (await reasons))
      if (allowed.length < items.length) {
        await this.#sendRest(allowed, call)
        return undefined
      }
      const until = waitUntil(items, deferring, breaker.failingSince)
      const admitted = breaker.admit(signal, drain ? { until, drain } : { until })
      const admission = admitted instanceof Promise ? await admitted : admitted
      if (admission === undefined) {
        if (drain?.aborted) this.#postponeAll(items, call)
        else this.#waitedTooLong(items)
        return undefined
      }
      if (admission.hasWaited && !(await this.#isStillWhole(batch, admission, call))) continue
      return this.#attempt(batch, admission, call, { mayLeave })
    }
  }

  /** Waits for an attempt that was begun. */
  #continue({ exchanged, admission, at }: BegunAttempt, batch: RequestBatch<T>, call: DeliverCall): Promise<Attempt> {
    return this.#attempt({ ...batch, exchange: () => exchanged }, admission, call, { at })
  }

  /** Packs the rest of a batch again: items that are done or dropped must not be sent with it. */
  async #sendRest(items: readonly RequestItem<T>[], call: DeliverCall): Promise<void> {
    for (const batch of this.pack(items)) await this.send(batch, call)
  }

  /** A refused batch may have failed because of one item; sent one by one, only that item fails. */
  async #sendOneByOne(items: readonly RequestItem<T>[], call: DeliverCall): Promise<void> {
    for (const item of items) await this.send({ request: item.request, items: [item] }, call)
  }

  /** Sends the batch once, as far as the destination admits it. The admission has ended when the promise settles. */
  async #attempt(
    { request, items, exchange: own }: RequestBatch<T>,
    admission: Admission,
    { signal, task }: DeliverCall,
    { mayLeave, at = this.#options.clock.now() }: { mayLeave?: (events: readonly T[]) => boolean; at?: number },
  ): Promise<Attempt> {
    const { exchange } = this.#options
    try {
      for (const { delivery, place } of items) delivery.tried(place, at)
      // Only actions look at events.
      const events = request.type === 'ACTION' ? items.map(({ delivery }) => delivery.item.event) : noEvents
      const sending = mayLeave
        ? { signal, mayLeave: () => mayLeave(items.map(({ delivery }) => delivery.item)) }
        : { signal }
      task?.began(at)
      const exchanged = await (own ? own(signal) : exchange(request, sending, events))
      task?.ended(exchanged.result.kind === 'reply')
      const health = this.#healthOf(exchanged.result, exchanged.judgement)
      if (health) admission.record({ ...health, isRepeated: items.every(({ delivery }) => delivery.wasTried) })
      this.#showTries(items, exchanged, at)
      return { ...exchanged, attempts: attemptsOf(items) }
    } catch (error) {
      task?.ended()
      if (task?.isCut && error === signal.reason) {
        const cut = cutShort(request)
        this.#showTries(items, cut, at)
        return { ...cut, attempts: attemptsOf(items), isCut: true }
      }
      throw error
    } finally {
      admission.release()
    }
  }

  #showTries(items: readonly RequestItem<T>[], exchange: Exchange, at: number): void {
    const { watchTries, clock } = this.#options
    if (watchTries === undefined) return
    const time = { at, tookMs: Math.max(0, clock.now() - at) }
    for (const [place, { delivery }] of items.entries()) showTry(watchTries, delivery, exchange, place, time)
  }

  /**
   * Whether no item was dropped or postponed while the batch waited. Otherwise the admission ends.
   * @throws the abort reason; then it ends, too.
   */
  async #isStillWhole({ items }: RequestBatch<T>, admission: Admission, call: DeliverCall): Promise<boolean> {
    let isWhole = false
    try {
      isWhole = this.#stillToSend(items, call, await this.#reasonsToDrop(items, call)).length === items.length
      return isWhole
    } finally {
      if (!isWhole) admission.release()
    }
  }

  /** A destination that answers works, even if it refuses. A request that was never sent to it shows neither. */
  #healthOf(
    result: TransportResult,
    { outcome, retryAfterMs }: Judgement,
  ): { readonly works: boolean; readonly pauseMs?: number } | undefined {
    const { retry, random, deferring } = this.#options
    const { kind } = result
    if (kind !== 'reply' && (outcome === 'aborted' || result.code === heldBack)) return undefined
    if (outcome === 'throttled') {
      const pauseMs = Math.max(retryAfterMs ?? 0, backoffMs(1, retry, random))
      return { works: false, pauseMs: Math.min(pauseMs, deferring ? retryAfterMsMax : retry.capMs) }
    }
    return { works: outcome !== 'retry' }
  }

  #reasonsToDrop(items: readonly RequestItem<T>[], { signal }: DeliverCall) {
    return this.#options.reasonsToDrop?.(
      items.map(({ delivery }) => delivery.item),
      signal,
    )
  }

  /**
   * Returns the items that may be sent now. The others are dropped, or postponed behind an earlier event of their user.
   * @param reasons to drop the items, by their index.
   */
  #stillToSend(
    items: readonly RequestItem<T>[],
    call: DeliverCall,
    reasons: readonly (string | undefined)[] = [],
  ): readonly RequestItem<T>[] {
    const { deferring } = this.#options
    return items.filter(({ delivery }, i) => {
      if (delivery.isOver) return false
      const reason = reasons[i]
      const { userKey, history } = delivery.item
      if (reason !== undefined) delivery.dropped(reason)
      else if (call.postponedUsers.has(userKey)) delivery.deferred()
      else if (history === undefined && deferring?.isHeld(userKey)) this.postpone(delivery, call)
      return !delivery.isOver
    })
  }

  /** Records what an attempt did for each item. @returns the items to be tried again. */
  #settle(items: readonly RequestItem<T>[], attempt: Attempt): readonly RequestItem<T>[] {
    const { judgement } = attempt
    if (!judgement.items && judgement.outcome === 'aborted' && isShared(items)) return items
    return items.filter((item, i) => {
      const own = judgement.items?.[i]
      const { outcome, status } = own ?? judgement
      if (outcome === 'delivered') {
        const { delivery, place, request } = item
        delivery.delivered(place, status ?? 200, attempt.steps?.length)
        this.#options.showDelivered?.(delivery.item, request, attempt, delivery.attempts)
      } else if (outcome === 'aborted' || outcome === 'refresh')
        item.delivery.failed(item.place, this.#failureOf('deliver.refused', item, attempt, own?.message))
      else return true
      return false
    })
  }

  /** Fails the items that have been tried for too long. @returns the others. */
  #failOverdue(
    items: readonly RequestItem<T>[],
    attempt: Attempt,
    causeOf: (item: RequestItem<T>) => string | undefined,
  ): readonly RequestItem<T>[] {
    return items.filter((item) => {
      const isLate = this.#isOverdue(item.delivery)
      if (isLate) item.delivery.failed(item.place, this.#failureOf('deliver.unavailable', item, attempt, causeOf(item)))
      return !isLate
    })
  }

  /** @param cause what the reply says about this item. */
  #postponeOrFail(item: RequestItem<T>, attempt: Attempt, call: DeliverCall, cause?: string): void {
    const error = this.#failureOf('deliver.unavailable', item, attempt, cause)
    if (!this.#options.deferring || this.#isOverdue(item.delivery)) item.delivery.failed(item.place, error)
    else this.postpone(item.delivery, call, attempt.judgement.retryAfterMs, error, attempt.isCut)
  }

  #isOverdue(delivery: EventDelivery<T>): boolean {
    return isOverdue(delivery, this.#options.deferring, this.#options.clock)
  }

  /** Postpones an event, and with it the later ones of its user in the same call. */
  postpone(
    delivery: EventDelivery<T>,
    call: DeliverCall,
    retryAfterMs?: number,
    cause?: StageError,
    isSlow?: boolean,
  ): void {
    delivery.deferred(retryAfterMs, cause, isSlow)
    call.postponedUsers.add(delivery.item.userKey)
  }

  #postponeAll(items: readonly RequestItem<T>[], call: DeliverCall): void {
    for (const { delivery } of items) if (!delivery.isOver) this.postpone(delivery, call)
  }

  /** The destination has accepted nothing for as long as events may wait: those behind need not be tried one by one. */
  #waitedTooLong(items: readonly RequestItem<T>[]): void {
    const since = new Date(this.#options.breaker.failingSince ?? 0).toISOString()
    const cause = `It has accepted nothing since ${since}.`
    const result: TransportResult = { kind: 'network', code: 'ECIRCUITOPEN', message: cause }
    for (const item of items) {
      const attempt: Attempt = { sent: item.request, result, judgement: { outcome: 'retry', cause }, attempts: 0 }
      item.delivery.failed(item.place, this.#failureOf('deliver.unavailable', item, attempt))
    }
  }

  /** The error shows the request of the item, not that of its batch, which holds events of others. */
  #failureOf(
    code: 'deliver.refused' | 'deliver.unavailable',
    { delivery, request }: RequestItem<T>,
    { sent, result, judgement, steps, tokens }: Attempt,
    cause?: string,
  ): StageError {
    const { attempts } = delivery
    return this.#failure({
      code,
      request,
      sent,
      result,
      judgement,
      attempts,
      steps,
      tokens,
      cause: cause || undefined,
    })
  }

  #pauseMs({ attempts, judgement }: Attempt): number {
    const { random, retry } = this.#options
    return backoffMs(attempts, retry, random, judgement.retryAfterMs)
  }

  /** Waits before the next attempt, until the call is aborted or drained. */
  async #pause(milliseconds: number, { signal, drain }: DeliverCall): Promise<void> {
    const { clock } = this.#options
    const signals = [signal, ...(drain ? [drain] : [])]
    if (signals.some(({ aborted }) => aborted)) return
    const waiting = new AbortController()
    const unwatch = signals.map((each) => onAbort(each, () => waiting.abort()))
    await clock.sleep(milliseconds, waiting.signal)
    for (const each of unwatch) each()
  }
}

function cutShort(sent: DeliveryRequest): Exchange {
  const cause = 'It took long to answer, while it answered others.'
  return { sent, result: { kind: 'network', code: 'ESLOW', message: cause }, judgement: { outcome: 'retry', cause } }
}

const noEvents: readonly Event[] = []

function attemptsOf<T extends DeliverableEvent>(items: readonly RequestItem<T>[]): number {
  return items.reduce((most, { delivery, place }) => Math.max(most, delivery.attemptsOf(place)), 0)
}

function isShared<T extends DeliverableEvent>([first, ...others]: readonly RequestItem<T>[]): boolean {
  return others.some(({ delivery }) => delivery !== first?.delivery)
}
