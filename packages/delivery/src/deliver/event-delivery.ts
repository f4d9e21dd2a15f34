import { drop, type Event, fail, InvariantError, type Outcome, pass, type StageError } from '@sluice/core'
import { type DeliveryRequest, type MappedEvent, nothingToSend } from '@sluice/destinations/kit'
import { type WaitingMapping, waitingMapping } from './questions/waiting-mapping.ts'

/** Results of an event in earlier calls of `send`. */
export interface DeliveryHistory {
  /** Requests that are done, by their index in `requests`. */
  readonly done: readonly number[]
  readonly attempts: number
  /** Time of the first attempt, in milliseconds since the epoch. */
  readonly firstTriedAt?: number
  /** Why another of its requests failed. */
  readonly failure?: StageError
  /** Whether an attempt took long: then the next one is from its beginning among those that may hang. */
  readonly isSlow?: boolean
}

/** An event to be delivered. */
export interface DeliverableEvent extends MappedEvent {
  /** Absent for an event that was not tried before. */
  readonly history?: DeliveryHistory
  /** When the event was accepted, in milliseconds since the epoch, where that is known. */
  readonly receivedAt?: number
  /** Whether the caller keeps the event while a slow attempt still runs: see `Deferral.running`. */
  readonly mayRunOn?: boolean
}

/** A request that the destination accepted. */
export interface Delivered {
  readonly kind: 'delivered'
  readonly status: number
  /** Number of times it was sent. */
  readonly attempts: number
  /** HTTP requests of an action, looking things up included. Absent for 1. */
  readonly requests?: number
}

/** The rest of an event is to be sent later. Until then, no other event of its user is sent. */
export interface Deferral extends DeliveryHistory {
  readonly kind: 'deferred'
  /** The event that was mapped. */
  readonly event: Event
  readonly userKey: string
  /** How long the destination asked to wait, in milliseconds. */
  readonly retryAfterMs: number
  /** Why the last attempt failed; absent when the event only waits behind another one. */
  readonly cause?: StageError
  /** Its attempt, when that still runs. Nothing of the event may be sent before it has ended. */
  readonly running?: RunningAttempt
}

/** An attempt that takes long, of an event that the caller keeps. */
export interface RunningAttempt {
  /**
   * What became of the rest of the event, without what was delivered before. Rejects with the reason when the attempt is
   * aborted, also by the signal of the call of `send`.
   */
  readonly ended: Promise<Outcome<Delivery>>
  /** Stops it without waiting for an answer; the request may have arrived. */
  abort(reason: unknown): void
}

export type Delivery = Delivered | Deferral

/** Index of the questions of a mapping, which are sent before its requests are known. */
export const questionPlace = -1

/** The delivery of one event in one call of `send`: its finished requests, and its outcome. */
export class EventDelivery<T extends DeliverableEvent = DeliverableEvent> {
  readonly item: T
  #done: number[]
  #requests: readonly DeliveryRequest[]
  #open: WaitingMapping | undefined
  readonly #deliveries: Delivered[] = []
  /** How often each of its requests was sent in this call, the question first. */
  readonly #attempts: number[] = []
  #firstTriedAt: number | undefined
  #failure: StageError | undefined
  #dropReason: string | undefined
  #deferral: Deferral | undefined
  /** The outcome for the call, when the rest of the event was handed over to the caller. */
  #handedOver: Outcome<Delivery> | undefined

  constructor(item: T) {
    this.item = item
    this.#done = [...(item.history?.done ?? [])]
    this.#requests = item.requests
    this.#open = item.open && waitingMapping(item.open)
    this.#firstTriedAt = item.history?.firstTriedAt
    this.#failure = item.history?.failure
  }

  /** The question that the mapping waits for. Undefined once the requests are known, or the event has failed. */
  get open(): WaitingMapping | undefined {
    return this.#open
  }

  /** The mapping asks another question. */
  asks(open: WaitingMapping): void {
    this.#open = open
  }

  /**
   * The mapping is complete. Other answers may lead to other requests than in earlier calls, so those that were done then
   * are sent again rather than confused with others.
   */
  opened(requests: readonly DeliveryRequest[]): void {
    this.#done = []
    this.#open = undefined
    this.#requests = requests
  }

  /** The requests that are still to be sent, with their indexes. */
  remaining(): readonly (readonly [place: number, request: DeliveryRequest])[] {
    const all = this.#requests.map((request, place) => [place, request] as const)
    return this.#done.length === 0 ? all : all.filter(([place]) => !this.#done.includes(place))
  }

  /** Whether nothing more is to be sent in this call. */
  get isOver(): boolean {
    return this.#handedOver !== undefined || this.#dropReason !== undefined || this.#deferral !== undefined
  }

  /** Whether its outcome is final: it is over, or all its requests are done. */
  get hasEnded(): boolean {
    return this.isOver || this.#isDone
  }

  get #isDone(): boolean {
    return this.#open === undefined && this.#done.length >= this.#requests.length
  }

  /** Whether it was sent in an earlier call, without success. */
  get wasTried(): boolean {
    return this.item.history !== undefined && this.item.history.attempts > 0
  }

  get firstTriedAt(): number | undefined {
    return this.#firstTriedAt
  }

  /** Attempts over all calls: those of the request that was sent most often. */
  get attempts(): number {
    return (this.item.history?.attempts ?? 0) + Math.max(0, ...this.#attempts)
  }

  /** Attempts at one request in this call. */
  attemptsOf(place: number): number {
    return this.#attempts[place - questionPlace] ?? 0
  }

  tried(place: number, now: number): void {
    this.#firstTriedAt ??= now
    // Not by index, which would leave holes in the list.
    while (this.#attempts.length <= place - questionPlace) this.#attempts.push(0)
    this.#attempts[place - questionPlace] = this.attemptsOf(place) + 1
  }

  /** @param requests that its action sent. */
  delivered(place: number, status: number, requests = 1): void {
    if (place === questionPlace) return
    this.#done.push(place)
    const attempts = (this.item.history?.attempts ?? 0) + this.attemptsOf(place)
    this.#deliveries.push({ kind: 'delivered', status, attempts, requests: requests === 1 ? undefined : requests })
  }

  /** One request failed for good; the others are still sent. The first failure is the one that is reported. */
  failed(place: number, error: StageError): void {
    if (place === questionPlace) this.#open = undefined
    else this.#done.push(place)
    this.#failure ??= error
  }

  dropped(reason: string): void {
    this.#dropReason = reason
  }

  /** @param isSlow whether its attempt took long. */
  deferred(retryAfterMs = 0, cause?: StageError, isSlow = false): void {
    const { event, userKey } = this.item
    this.#deferral = {
      kind: 'deferred',
      event,
      userKey,
      retryAfterMs,
      attempts: this.attempts,
      done: [...this.#done],
      firstTriedAt: this.#firstTriedAt,
      failure: this.#failure,
      cause,
      isSlow: isSlow || undefined,
    }
  }

  /** For the call, the event is deferred, while its attempt still runs. What comes of it from here on is `restOutcome`. */
  handOver(running: RunningAttempt): void {
    this.deferred(0, undefined, true)
    if (this.#deferral === undefined) return
    this.#handedOver = pass<Delivery>({ ...this.#deferral, running }, ...this.#deliveries.splice(0))
    this.#deferral = undefined
  }

  /** The outcome of what was handed over, once nothing more is sent for it: what is left is deferred again. */
  restOutcome(): Outcome<Delivery> {
    if (!this.#isDone && this.#deferral === undefined && this.#dropReason === undefined) this.deferred()
    return this.#finalOutcome()
  }

  /** The outcome of the event. Of a failure, `detail.delivered` is the number of requests that were delivered. */
  outcome(): Outcome<Delivery> {
    return this.#handedOver ?? this.#finalOutcome()
  }

  #finalOutcome(): Outcome<Delivery> {
    const [first, ...others] = this.#deliveries
    if (this.#deferral) return pass<Delivery>(this.#deferral, ...this.#deliveries)
    if (this.#failure) {
      const delivered = this.#deliveries.reduce((sum, { requests = 1 }) => sum + requests, 0)
      return fail(delivered ? { ...this.#failure, detail: { ...this.#failure.detail, delivered } } : this.#failure)
    }
    if (first) return pass<Delivery>(first, ...others)
    if (this.#dropReason !== undefined) return drop(this.#dropReason)
    if (this.remaining().length === 0) return drop(nothingToSend, 'destination-transform')
    throw new InvariantError('A batch was delivered, and an event of it has no outcome.')
  }
}
