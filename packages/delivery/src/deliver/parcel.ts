import { drop, type Event, fail, InvariantError, type Outcome, pass, type StageError } from '@sluice/core'
import type { DeliveryRequest, MappedEvent } from '@sluice/destinations'

/** What became of an event in earlier rounds of delivery. */
export interface DeliveryHistory {
  /** Which of its requests are done, by their place in `requests`. */
  readonly done: readonly number[]
  readonly attempts: number
  /** Milliseconds since the epoch. */
  readonly firstTriedAt?: number
  /** Why another of its requests was given up. */
  readonly failure?: StageError
}

/** An event to be delivered. */
export interface DeliverableEvent extends MappedEvent {
  /** Left out for an event that comes for the first time. */
  readonly history?: DeliveryHistory
  /** When it was taken in, in milliseconds since the epoch, where that is known. */
  readonly receivedAt?: number
}

/** A request that the destination took. */
export interface Delivered {
  readonly kind: 'delivered'
  readonly status: number
  /** How often it was sent. */
  readonly attempts: number
}

/** What is left of an event is to be sent later; until then nothing of its user is. */
export interface Deferral extends DeliveryHistory {
  readonly kind: 'deferred'
  /** As it was mapped. */
  readonly event: Event
  readonly userKey: string
  /** How long the destination asked to be left alone. */
  readonly retryAfterMs: number
  /** What the last attempt met; absent when the event only waits behind another. */
  readonly cause?: StageError
}

export type Delivery = Delivered | Deferral

/** One event on its way through one round of delivery. */
export class Parcel<T extends DeliverableEvent = DeliverableEvent> {
  readonly item: T
  readonly #done: Set<number>
  readonly #deliveries: Delivered[] = []
  /** How often each of its requests was sent in this round. */
  readonly #attempts = new Map<number, number>()
  #firstTriedAt: number | undefined
  #failure: StageError | undefined
  #dropReason: string | undefined
  #deferral: Deferral | undefined

  constructor(item: T) {
    this.item = item
    this.#done = new Set(item.history?.done)
    this.#firstTriedAt = item.history?.firstTriedAt
    this.#failure = item.history?.failure
  }

  /** The requests that are still to be sent, with their places. */
  remaining(): readonly (readonly [place: number, request: DeliveryRequest])[] {
    const all = this.item.requests.map((request, place) => [place, request] as const)
    return this.#done.size === 0 ? all : all.filter(([place]) => !this.#done.has(place))
  }

  /** Whether nothing more is to be sent in this round. */
  get isOver(): boolean {
    return this.#dropReason !== undefined || this.#deferral !== undefined
  }

  /** Whether it was sent in vain in an earlier round. */
  get wasTried(): boolean {
    return this.item.history !== undefined && this.item.history.attempts > 0
  }

  get firstTriedAt(): number | undefined {
    return this.#firstTriedAt
  }

  /** How often it was tried, over all rounds: as often as the request of it that was sent most often. */
  get attempts(): number {
    return (this.item.history?.attempts ?? 0) + Math.max(0, ...this.#attempts.values())
  }

  /** How often a request was sent in this round. */
  attemptsOf(place: number): number {
    return this.#attempts.get(place) ?? 0
  }

  tried(place: number, now: number): void {
    this.#firstTriedAt ??= now
    this.#attempts.set(place, this.attemptsOf(place) + 1)
  }

  delivered(place: number, status: number): void {
    this.#done.add(place)
    const attempts = (this.item.history?.attempts ?? 0) + this.attemptsOf(place)
    this.#deliveries.push({ kind: 'delivered', status, attempts })
  }

  /** Gives up one request; the others of the event go on. The first failure is the one that is told. */
  failed(place: number, error: StageError): void {
    this.#done.add(place)
    this.#failure ??= error
  }

  dropped(reason: string): void {
    this.#dropReason = reason
  }

  deferred(retryAfterMs = 0, cause?: StageError): void {
    const { event, userKey } = this.item
    this.#deferral = {
      kind: 'deferred',
      event,
      userKey,
      retryAfterMs,
      attempts: this.attempts,
      done: [...this.#done],
      ...(this.#firstTriedAt === undefined ? {} : { firstTriedAt: this.#firstTriedAt }),
      ...(this.#failure ? { failure: this.#failure } : {}),
      ...(cause ? { cause } : {}),
    }
  }

  /** What became of it. A failure tells in `detail.delivered` how many requests were delivered all the same. */
  outcome(): Outcome<Delivery> {
    const [first, ...others] = this.#deliveries
    if (this.#deferral) return pass<Delivery>(this.#deferral, ...this.#deliveries)
    if (this.#failure) {
      const delivered = this.#deliveries.length
      return fail(delivered ? { ...this.#failure, detail: { ...this.#failure.detail, delivered } } : this.#failure)
    }
    if (first) return pass<Delivery>(first, ...others)
    if (this.#dropReason !== undefined) return drop(this.#dropReason)
    if (this.remaining().length === 0) return drop('nothing to send')
    throw new InvariantError('A batch was delivered, and an event of it has no outcome.')
  }
}
