import type { Clock, Outcome } from '@sluice/core'
import type { AttemptWatch, DeliverCall } from '../deliver-call.ts'
import type { DeliverableEvent, Delivery, EventDelivery } from '../event-delivery.ts'

interface KeptTaskOptions {
  readonly clock: Clock
  /** Milliseconds after which an attempt is slow. */
  readonly slowMs: number
}

/** What is called as a task proceeds. */
interface TaskEvents {
  began(): void
  ended(isQuick: boolean, isAnswered: boolean): void
  handedOver(): void
}

/** A request of events that the caller keeps, with all of its attempts. */
export class KeptTask implements AttemptWatch {
  /** Ends its attempt, and the waits for one. */
  stop: AbortController | undefined
  /** Whether it is counted among those that hang. */
  hasPlace = false
  readonly #deliveries: readonly EventDelivery<DeliverableEvent>[]
  readonly #call: DeliverCall
  readonly #options: KeptTaskOptions
  readonly #events: TaskEvents
  #handedOver: readonly Kept[] | undefined
  isCut = false
  #startedAt: number | undefined
  /** Milliseconds of earlier attempts, and of the waits between them. */
  #spentMs = 0

  constructor(
    deliveries: readonly EventDelivery<DeliverableEvent>[],
    call: DeliverCall,
    options: KeptTaskOptions,
    events: TaskEvents,
  ) {
    this.#deliveries = deliveries
    this.#call = call
    this.#options = options
    this.#events = events
  }

  get isLast(): boolean {
    return this.isCut || this.#handedOver !== undefined
  }

  /** Milliseconds until its attempt is slow. */
  get leftMs(): number {
    const { clock, slowMs } = this.#options
    return slowMs - this.#spentMs - (clock.now() - (this.#startedAt ?? clock.now()))
  }

  began(at: number): void {
    this.#startedAt = at
    this.#events.began()
  }

  ended(isAnswered = false): void {
    if (this.#startedAt === undefined) return
    this.#spentMs = this.#options.slowMs - this.leftMs
    this.#startedAt = undefined
    this.#events.ended(!this.isLast, isAnswered)
  }

  waits(milliseconds: number): boolean {
    this.#spentMs += milliseconds
    return this.#spentMs >= this.#options.slowMs
  }

  cut(): void {
    this.isCut = true
    this.stop?.abort(new Error('the attempt took too long'))
  }

  /** From here on, the events are deferred as far as the call is concerned. */
  handOver(): void {
    const open = [...new Set(this.#deliveries)].filter(({ hasEnded }) => !hasEnded)
    this.#handedOver = open.map((delivery) => {
      const kept = keep(delivery)
      delivery.handOver({ ended: kept.promise, abort: (reason) => this.stop?.abort(reason) })
      this.#call.postponedUsers.add(delivery.item.userKey)
      return kept
    })
    this.#call.report(open)
    this.#events.handedOver()
  }

  /** Defers what is still to be sent of the events. */
  postpone(): void {
    for (const delivery of this.#deliveries) {
      if (delivery.hasEnded) continue
      delivery.deferred(0, undefined, true)
      this.#call.postponedUsers.add(delivery.item.userKey)
    }
  }

  /** What the attempt left of the events waits for another one. */
  end(): void {
    for (const { delivery, resolve } of this.#handedOver ?? []) resolve(delivery.restOutcome())
  }

  fail(error: unknown): void {
    for (const { reject } of this.#handedOver ?? []) reject(error)
  }
}

type Kept = ReturnType<typeof keep>

function keep(delivery: EventDelivery<DeliverableEvent>) {
  let resolve = (_: Outcome<Delivery>): void => {}
  let reject = (_: unknown): void => {}
  const promise = new Promise<Outcome<Delivery>>((...ends) => {
    ;[resolve, reject] = ends
  })
  // The caller may have stopped meanwhile.
  promise.catch(() => {})
  return { delivery, promise, resolve, reject }
}
