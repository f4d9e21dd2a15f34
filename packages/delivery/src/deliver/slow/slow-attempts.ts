import { type Clock, onAbort } from '@sluice/core'
import type { DeliverCall } from '../deliver-call.ts'
import type { DeliverableEvent, EventDelivery } from '../event-delivery.ts'
import { KeptTask } from './kept-task.ts'

/** With a smaller share of answers in time, a destination is slow as a whole. */
const quickShareMin = 0.25
/** Without any answer for so many times `slowMs`, a destination is silent. */
const silentAfter = 3
/** How late a look at the attempts may be, in milliseconds; after a later one, answers get as long to be read. */
const lateMs = 100
/** Requests to a destination at a time, unless an option says something else. */
export const concurrencyUsual = 8
/** The weight of the newest answer in that share. */
const newestWeight = 0.1

interface SlowAttemptsOptions {
  readonly clock: Clock
  /** Milliseconds after which an attempt is slow. */
  readonly slowMs: number
  /** Most requests to the destination at a time. */
  readonly concurrency: number
  /** Whether events can be deferred. Otherwise nothing is handed over. */
  readonly canDefer: boolean
}

/**
 * Watches the attempts of one destination. Events whose attempts take `slowMs` in all are handed over: their outcome is a
 * deferral whose attempt still runs, and the call of `send` does not wait for it.
 *
 * At most a quarter of the connections, and at least one, hang. One of them is for events that are known to be slow.
 * Attempts beyond that are cut short: when they become slow, where other requests are answered in time, and where none is
 * answered at all. A destination that answers each request, but slowly, keeps all of its connections.
 */
export class SlowAttempts {
  readonly #options: SlowAttemptsOptions
  readonly #placesMax: number
  /** Attempts that run and are not handed over, in the order in which they began. */
  readonly #running = new Set<KeptTask>()
  /** Requests that hang, as far as that is known. */
  #places = 0
  /** Those of them that were not known to be slow. */
  #firstTimers = 0
  /** Those that were handed over beyond the places, until it is known whether the destination is slow as a whole. */
  readonly #excess = new Set<KeptTask>()
  /** Controllers that were not aborted: making one for each request would cost more than the rest of a task. */
  readonly #spare: AbortController[] = []
  #quickShare = quickShareMin
  /** Since when answers are awaited, without any. */
  #awaitedSince: number | undefined

  constructor(options: SlowAttemptsOptions) {
    this.#options = options
    this.#placesMax = slowPlaces(options.concurrency)
  }

  /**
   * Looks at the attempts of a call until it is over.
   * @param beforeLook called before each look: attempts that are not run here yet may be added.
   */
  async watch(over: AbortSignal, beforeLook?: () => void): Promise<void> {
    const { clock } = this.#options
    let wait = this.#options.slowMs
    while (!over.aborted) {
      const dueAt = clock.now() + wait
      await clock.sleep(wait, over)
      // This thread was busy: answers may have come that it has not read yet.
      if (clock.now() - dueAt > lateMs) await clock.sleep(lateMs, over)
      if (over.aborted) break
      beforeLook?.()
      wait = this.#look()
    }
    // A transport may leave listeners behind.
    this.#spare.length = 0
  }

  /** Whether the attempts at an event are watched. */
  watches({ mayRunOn = false }: DeliverableEvent): boolean {
    return mayRunOn && this.#options.canDefer
  }

  /** Returns a controller that ends an attempt. When that is over, `giveBack` takes it. */
  controller(): AbortController {
    return this.#spare.pop() ?? new AbortController()
  }

  giveBack(stop: AbortController): void {
    if (!stop.signal.aborted) this.#spare.push(stop)
  }

  /** An attempt that was not run here was answered before it was slow. */
  answered(): void {
    this.#awaitedSince = undefined
    this.#learn(1)
  }

  /**
   * Sends something for events. Resolves when that has ended, or when the events are handed over.
   * @param send gets a function that begins, to be called once, and returns the call to send with.
   * @param begun what ends the attempt that is under way, when there is one.
   */
  run<T extends DeliverableEvent>(
    deliveries: readonly EventDelivery<T>[],
    call: DeliverCall,
    send: (begin: () => DeliverCall) => Promise<void>,
    begun?: AbortController,
  ): Promise<void> {
    if (!deliveries.some(({ item }) => this.watches(item))) {
      const isSlow = deliveries.some(({ item }) => item.history?.isSlow)
      return isSlow ? this.#inPlace(() => send(() => call)) : send(() => call)
    }
    return new Promise((resolve, reject) => {
      const task = new KeptTask(deliveries, call, this.#options, {
        began: () => this.#running.add(task),
        ended: (isQuick, isAnswered) => {
          this.#running.delete(task)
          this.#excess.delete(task)
          if (isAnswered) this.#awaitedSince = undefined
          if (isQuick) this.#learn(1)
        },
        handedOver: resolve,
      })
      let unwatch = (): void => {}
      const begin = (): DeliverCall => {
        const { signal } = call
        if (signal.aborted) return call
        const stop = begun ?? this.controller()
        task.stop = stop
        unwatch = onAbort(signal, (reason) => stop.abort(reason))
        return { ...call, signal: stop.signal, task }
      }
      const leave = (): void => {
        unwatch()
        if (task.stop) this.giveBack(task.stop)
        if (!task.hasPlace) return
        this.#places -= 1
        this.#firstTimers -= 1
      }
      send(begin).then(
        () => {
          leave()
          task.end()
          resolve()
        },
        (error) => {
          leave()
          if (task.isCut && error === task.stop?.signal.reason) {
            task.postpone()
            task.end()
            resolve()
          } else {
            task.fail(error)
            reject(error)
          }
        },
      )
    })
  }

  async #inPlace(send: () => Promise<void>): Promise<void> {
    this.#places += 1
    try {
      await send()
    } finally {
      this.#places -= 1
    }
  }

  /** Ends the wait for slow attempts. @returns milliseconds until another may be slow. */
  #look(): number {
    const { slowMs, clock } = this.#options
    if (this.#running.size + this.#excess.size > 0) this.#awaitedSince ??= clock.now()
    let next = slowMs
    for (const task of [...this.#running]) {
      const left = task.leftMs
      if (left > 0) next = Math.min(next, left)
      else this.#isSlow(task)
    }
    if (this.#mayCut) for (const task of this.#excess) task.cut()
    return next
  }

  get #mayCut(): boolean {
    const { slowMs, clock } = this.#options
    const since = this.#awaitedSince ?? clock.now()
    return this.#quickShare >= quickShareMin || clock.now() - since >= silentAfter * slowMs
  }

  #isSlow(task: KeptTask): void {
    this.#running.delete(task)
    this.#learn(0)
    // With several places, the last one is for events that are tried again.
    const isFull = this.#places >= this.#placesMax || this.#firstTimers >= this.#placesMax - 1
    if (isFull && this.#mayCut) {
      task.cut()
      return
    }
    if (isFull) this.#excess.add(task)
    task.hasPlace = true
    this.#places += 1
    this.#firstTimers += 1
    task.handOver()
  }

  #learn(isQuick: 0 | 1): void {
    this.#quickShare += (isQuick - this.#quickShare) * newestWeight
  }
}

/** Returns how many of the requests to a destination may hang. */
export function slowPlaces(concurrency = concurrencyUsual): number {
  return Math.max(1, Math.floor(concurrency / 4))
}
