import { type Event, InvariantError, type Outcome, onAbort, pass } from '@sluice/core'
import type { Slots } from '@sluice/core/slots'
import type { DeliveryRequest } from '@sluice/destinations'
import type { Sending } from '../../transport/transport.ts'
import type { BatchSender, BegunAttempt } from '../batch-sender.ts'
import type { Admission, CircuitBreaker } from '../circuit-breaker.ts'
import type { Exchanging } from '../create-exchange.ts'
import type { DeliverCall } from '../deliver-call.ts'
import type { ShowDelivered } from '../delivered-watch.ts'
import { type DeliverableEvent, type Delivery, EventDelivery } from '../event-delivery.ts'
import type { Exchange } from '../exchange.ts'
import type { SendCall } from '../send.ts'
import type { SlowAttempts } from '../slow/slow-attempts.ts'
import type { UserOrder, UsersUnderWay } from '../user-order.ts'
import { createEnding, type Ending } from './ending.ts'

/** What the runs of one destination share with everything else that is sent to it. */
export interface PlainParts<T extends DeliverableEvent> {
  readonly exchange: Exchanging
  readonly breaker: Pick<CircuitBreaker, 'admit'>
  readonly clock: { now(): number }
  readonly slots: Slots
  readonly order: UserOrder
  readonly slow: SlowAttempts
  /** Sends what turns out not to be plain. */
  readonly sender: Pick<BatchSender<T>, 'send'>
  readonly deferring?: { isHeld(userKey: string): boolean }
  reasonsToDrop?(events: readonly T[], signal: AbortSignal): Promise<readonly unknown[]> | undefined
  recheckBeforeWrite?(): (events: readonly T[]) => boolean
  awaitTurn?(): Promise<void> | undefined
  readonly showDelivered?: ShowDelivered<T>
}

/** An attempt that is under way. */
interface UnderWay extends BegunAttempt {
  readonly stop: AbortController
}

/**
 * The common case of `createSend`, in which each event is one request that is accepted at once: one object for a batch of
 * them, in place of a delivery, a task and a watch for each. Which batches are plain says `arePlain`.
 *
 * It keeps to the same rules, with the same parts: slots, order of users, turns, circuit breaker, and the checks before an
 * attempt. As soon as one of them says anything else than yes, the event continues in the general way, with the attempt that was begun: when the
 * destination does not accept it, when it takes long, when an earlier event of its user is postponed.
 */
export class PlainRun<T extends DeliverableEvent> implements UsersUnderWay {
  readonly #batch: readonly T[]
  readonly #call: DeliverCall
  readonly #settled: SendCall['settled']
  readonly #parts: PlainParts<T>
  /** The last event of each user, by its index, until it has ended. */
  readonly #last = new Map<string, number>()
  /** The index of the next event of the same user; 0 for none. */
  readonly #next: Uint32Array
  /** Those who wait for the last event of a user. */
  readonly #awaited = new Map<string, Ending>()
  /** By the index of their events. */
  readonly #underWay = new Map<number, UnderWay>()
  #open: number
  #failure: { readonly error: unknown } | undefined
  readonly #ending = createEnding()

  constructor(batch: readonly T[], call: DeliverCall, settled: SendCall['settled'], parts: PlainParts<T>) {
    this.#batch = batch
    this.#call = call
    this.#settled = settled
    this.#parts = parts
    this.#next = new Uint32Array(batch.length)
    this.#open = batch.length
  }

  /** Sends the events. Resolves when nothing of them is under way any more. @throws the abort reason, or what the transport throws. */
  async send(): Promise<void> {
    if (this.#open === 0) return
    const unwatch = onAbort(this.#call.signal, (reason) => {
      for (const { stop } of this.#underWay.values()) stop.abort(reason)
    })
    for (const index of this.#firstOfUsers()) {
      const before = this.#parts.order.enter(this.#at(index).userKey, this)
      if (before) void before.then(() => this.#enter(index))
      else this.#enter(index)
    }
    await this.#ending.promise
    unwatch()
    this.#call.signal.throwIfAborted()
    if (this.#failure) throw this.#failure.error
  }

  ended(user: string): Promise<void> | undefined {
    if (!this.#last.has(user)) return undefined
    const awaited = this.#awaited.get(user) ?? createEnding()
    this.#awaited.set(user, awaited)
    return awaited.promise
  }

  /** What is under way continues in the general way, which knows what to do with attempts that take long. */
  handOver(): void {
    for (const [index, attempt] of [...this.#underWay])
      if (this.#parts.slow.watches(this.#at(index))) this.#goOn(index, attempt)
  }

  /** Links the events of each user. @returns the indexes of the first ones. */
  #firstOfUsers(): readonly number[] {
    const first: number[] = []
    for (const [index, { userKey }] of this.#batch.entries()) {
      const earlier = this.#last.get(userKey)
      if (earlier === undefined) first.push(index)
      else this.#next[earlier] = index
      this.#last.set(userKey, index)
    }
    return first
  }

  #at(index: number): T {
    const item = this.#batch[index]
    if (item === undefined) throw new InvariantError(`a batch of ${this.#batch.length} events has none at ${index}`)
    return item
  }

  #enter(index: number): void {
    this.#parts.slots.enter(() => this.#takeTurn(index))
  }

  #takeTurn(index: number): void {
    try {
      const turn = this.#parts.awaitTurn?.()
      if (turn === undefined) this.#attempt(index)
      else
        void turn.then(
          () => this.#attempt(index),
          (error) => this.#failed(index, error),
        )
    } catch (error) {
      this.#failed(index, error)
    }
  }

  #attempt(index: number): void {
    try {
      this.#call.signal.throwIfAborted()
      const one = [this.#at(index)] as const
      // Before the check: it answers for what comes from here on.
      const mayLeave = this.#parts.recheckBeforeWrite?.()
      const admission = this.#admit(one)
      if (admission) this.#begin(index, admission, mayLeave && (() => mayLeave(one)))
      else this.#goOn(index)
    } catch (error) {
      this.#failed(index, error)
    }
  }

  /** @returns undefined when an event may not be sent, or not without a wait. */
  #admit(one: readonly [T]): Admission | undefined {
    const [{ userKey }] = one
    const { breaker, deferring } = this.#parts
    const { postponedUsers, signal } = this.#call
    if (postponedUsers.has(userKey) || deferring?.isHeld(userKey)) return undefined
    const reasons = this.#parts.reasonsToDrop?.(one, signal)
    if (reasons) {
      // The general way asks again.
      reasons.catch(() => {})
      return undefined
    }
    const admitted = breaker.admit(signal, noWait)
    return admitted instanceof Promise ? undefined : admitted
  }

  #begin(index: number, admission: Admission, mayLeave: (() => boolean) | undefined): void {
    const { clock, slow } = this.#parts
    const stop = slow.controller()
    const { signal } = stop
    const exchanged = this.#exchange(requestOf(this.#at(index)), mayLeave ? { signal, mayLeave } : { signal })
    const attempt = { exchanged, admission, stop, at: clock.now() }
    this.#underWay.set(index, attempt)
    exchanged.then(
      (result) => this.#exchanged(index, attempt, result),
      (error) => this.#broken(index, attempt, error),
    )
  }

  /** A transport that throws is as broken as one that rejects. */
  #exchange(request: DeliveryRequest, sending: Sending): Promise<Exchange> {
    try {
      return this.#parts.exchange(request, sending, noEvents)
    } catch (error) {
      return Promise.reject(error)
    }
  }

  #exchanged(index: number, attempt: UnderWay, exchange: Exchange): void {
    if (this.#underWay.get(index) !== attempt) return
    const { outcome, status = 200, items } = exchange.judgement
    if (outcome !== 'delivered' || items) {
      this.#goOn(index, attempt)
      return
    }
    this.#underWay.delete(index)
    attempt.admission.record(works)
    this.#parts.slow.answered()
    this.#parts.slow.giveBack(attempt.stop)
    this.#parts.slots.leave()
    const item = this.#at(index)
    this.#parts.showDelivered?.(item, requestOf(item), exchange, 1)
    this.#ends(index, pass<Delivery>({ kind: 'delivered', status, attempts: 1 }))
  }

  /** The transport rejects when the call is aborted, and when it is broken. */
  #broken(index: number, attempt: UnderWay, error: unknown): void {
    if (this.#underWay.get(index) !== attempt) return
    this.#underWay.delete(index)
    attempt.admission.release()
    this.#failed(index, error)
  }

  /** Sends an event in the general way. It has its slot. */
  #goOn(index: number, begun?: UnderWay): void {
    this.#underWay.delete(index)
    const { slow, sender, slots } = this.#parts
    const item = this.#at(index)
    const delivery = new EventDelivery(item)
    const request = requestOf(item)
    const requests = { request, items: [{ delivery, place: 0, request }] }
    slow
      .run(
        [delivery],
        this.#call,
        (begin) => sender.send(requests, begin(), begun).finally(() => slots.leave()),
        begun?.stop,
      )
      .then(
        () => this.#ends(index, delivery.outcome()),
        (error) => this.#failed(index, error, { hasSlot: false }),
      )
  }

  /** The sender itself is broken, or the call is aborted: later events of the user are not sent. */
  #failed(index: number, error: unknown, { hasSlot = true } = {}): void {
    this.#failure ??= { error }
    if (hasSlot) this.#parts.slots.leave()
    const { userKey } = this.#at(index)
    for (let later = this.#next[index]; later; later = this.#next[later]) this.#open -= 1
    this.#userDone(userKey)
    this.#oneDone()
  }

  #ends(index: number, outcome: Outcome<Delivery>): void {
    try {
      this.#settled(index, outcome)
    } catch (error) {
      this.#failure ??= { error }
    }
    const later = this.#next[index]
    if (later) this.#enter(later)
    else this.#userDone(this.#at(index).userKey)
    this.#oneDone()
  }

  #userDone(user: string): void {
    this.#last.delete(user)
    this.#parts.order.leave(user, this)
    this.#awaited.get(user)?.resolve()
    this.#awaited.delete(user)
  }

  #oneDone(): void {
    this.#open -= 1
    if (this.#open === 0) this.#ending.resolve()
  }
}

const noEvents: readonly Event[] = []
const noWait = { until: 0 }
const works = { works: true }

function requestOf({ requests: [request] }: DeliverableEvent): DeliveryRequest {
  if (request === undefined) throw new InvariantError('a plain event has no request')
  return request
}
