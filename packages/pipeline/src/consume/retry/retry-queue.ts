import { createSetBack, doublingMs, type SourcedEvent, uuidV4, uuidV7Time } from '@sluice/core'
import { retryAfterMsMax } from '@sluice/delivery'
import type { DestinationPath, PathInput } from '../../flow/destination-path.ts'
import { type Flow, resultsAt } from '../../flow/flow.ts'
import type { MainTurns } from '../../flow/main-turns.ts'
import { recordsAllowed } from '../../flow/stages/records-allowed.ts'
import { ownBackoff, untilDone } from '../../flow/until-done.ts'
import type { DeferredEntry, DeferredEvent } from '../../ports/deferred-event.ts'
import type { Store } from '../../ports/store.ts'
import { around, type Telemetry } from '../../ports/telemetry.ts'
import { OutcomeRecorder, type OutcomeRecorderOptions, type SlowEvent } from '../outcome-recorder.ts'
import { Changes } from './changes.ts'
import { KeptAttempts } from './kept-attempts.ts'
import { ReservedUsers } from './reserved-users.ts'
import { SlowTries } from './slow-tries.ts'
import { WaitingEvents } from './waiting-events.ts'

/** Events that are tried together. */
const batchMax = 50
/** The same, at a destination that loads: each load takes a transaction, of one event or of many. */
const loadMax = 1_000
/** How long the queue sleeps at most: a timer does not notice that the clock was set back. */
const sleepMsMax = 60_000

export interface RetryQueueOptions extends OutcomeRecorderOptions {
  readonly store: Pick<Store, 'retries'>
  /** Events that may wait. Then no more are taken from the log until one has ended. */
  readonly eventsMax: number
  /** Events whose attempts took long that are tried at a time. Default 1. */
  readonly slowMax?: number
  readonly telemetry?: Telemetry
  /** Turns on this thread: what has waited for long leaves it to events that have just come. Left out, it does not. */
  readonly turns?: Pick<MainTurns, 'spare'>
  /** Returns the current flow, and the current path of the destination. */
  current(): { readonly flow: Pick<Flow, 'suppress'>; readonly path: DestinationPath }
  /** The store failed; the queue tries again by itself. */
  onError(error: unknown): void
}

/**
 * Events of one destination that wait to be tried again. Only the first event of each user is tried; when it has ended,
 * the next one is. So the order of a user is kept, and users do not wait for each other.
 */
export class RetryQueue {
  readonly #options: RetryQueueOptions
  readonly #waiting: WaitingEvents
  /** Ids that are being tried or ended. */
  readonly #busy = new Set<string>()
  readonly #kept: KeptAttempts
  readonly #slow: SlowTries
  readonly #reserved = new ReservedUsers()
  readonly #stopping = new AbortController()
  readonly #changes = new Changes()
  readonly #setBack: () => number
  /** Milliseconds no event waits longer than: one that is due later was deferred while the clock was ahead. */
  readonly #waitMax: number
  #running: Promise<void> | undefined
  #trying: Promise<void> = Promise.resolve()
  /** Ends of suppressed events that are under way beside the tries. */
  readonly #endings = new Set<Promise<void>>()
  #stopRequested = false

  constructor(entries: readonly DeferredEntry[], options: RetryQueueOptions) {
    this.#options = options
    this.#setBack = createSetBack(options.clock)
    this.#slow = new SlowTries(options.slowMax ?? 1)
    this.#kept = new KeptAttempts({
      signal: this.#stopping.signal,
      isStored: (id) => this.#waiting.isStored(id),
      store: (ended) => this.#commitKept(ended),
      onUnknown: (id) => this.#postpone(id),
      onChange: () => this.#changes.tell(),
      onError: (error) => options.onError(error),
    })
    this.#waitMax = Math.max(options.backoff.baseMs, options.backoff.capMs, retryAfterMsMax)
    this.#waiting = new WaitingEvents(entries, {
      isUnderWay: (id) => this.#busy.has(id) || this.#kept.has(id),
      onFreed: (userKey) => this.#slow.forget(userKey),
    })
  }

  /** Events that wait. */
  get length(): number {
    return this.#waiting.size
  }

  /** Age of the oldest event that waits, in milliseconds, since it was deferred first; 0 when none waits. */
  get oldestMs(): number {
    const id = this.#waiting.oldestId
    return id === undefined ? 0 : Math.max(0, this.#options.clock.now() - uuidV7Time(id))
  }

  /** Ids of the events that wait. */
  ids(): readonly string[] {
    return this.#waiting.ids()
  }

  /** Whether an event of this user waits, so that later ones have to wait behind it. */
  isHeld(userKey: string): boolean {
    return this.#waiting.isHeld(userKey) || this.#reserved.has(userKey)
  }

  /** Holds a user of whom an event is deferred that will be recorded: until `release`, once for each call, or `discard`. */
  reserve(userKey: string): void {
    this.#reserved.add(userKey)
  }

  release(userKey: string): void {
    this.#reserved.remove(userKey)
  }

  /**
   * Holds the users of events that are about to be stored.
   * @param slow those whose attempts took long, by id. What still runs of them is waited for, and its result is stored
   * behind theirs.
   */
  hold(events: readonly DeferredEvent[], slow: ReadonlyMap<string, SlowEvent> = new Map()): void {
    for (const event of events) {
      this.#waiting.enterUnstored(event)
      const slowOne = slow.get(event.id)
      if (slowOne) this.#isSlow(slowOne)
    }
  }

  /** Adds events that are stored and that the queue does not know: one that ended meanwhile is found to be gone later. */
  found(entries: readonly DeferredEntry[]): void {
    const unknown = entries.filter(({ id }) => !this.#waiting.has(id))
    for (const entry of unknown) this.#waiting.enter(entry)
    if (unknown.length > 0) this.#changes.tell()
  }

  /** Events that were held are stored now: they are tried when they are due. */
  stored(events: readonly DeferredEvent[]): void {
    for (const { id } of events) this.#waiting.stored(id)
    this.#kept.storeEnded()
    this.#changes.tell()
  }

  /** Events that were held will not be stored: their batches are processed again. What still runs of them is aborted. */
  discard(events: readonly DeferredEvent[]): void {
    this.#reserved.clear()
    for (const { id } of events) {
      this.#kept.discard(id)
      this.#leave(id)
    }
    this.#changes.tell()
  }

  /** Ends those of the events whose users are suppressed, without waiting for other events. Events being tried are left. */
  async endSuppressed(ids: readonly string[]): Promise<void> {
    const ending = this.#endSuppressed(ids)
    this.#endings.add(ending)
    try {
      await ending
    } finally {
      this.#endings.delete(ending)
    }
  }

  async #endSuppressed(ids: readonly string[]): Promise<void> {
    for (let start = 0; start < ids.length && !this.#stopRequested; start += batchMax) {
      const some = ids.slice(start, start + batchMax).filter((id) => this.#waiting.isFree(id))
      await this.#busyWith(some, async () => {
        await this.#allowed(await this.#options.store.retries.read(this.#options.workspaceId, some))
      })
    }
    this.#changes.tell()
  }

  /** The path may have changed, or its circuit wants a try. */
  wake(): void {
    this.#changes.tell()
  }

  /** Resolves when there is room for more, when the destination is paused, or when `signal` aborts. */
  room(signal: AbortSignal): Promise<void> {
    return this.#changes.until(() => this.length < this.#options.eventsMax || this.#isPaused, signal)
  }

  /** Resolves with true when nothing waits, with false when the queue was stopped before. */
  async empty(): Promise<boolean> {
    await this.#changes.until(() => this.length === 0, this.#stopping.signal)
    return this.length === 0
  }

  /** Resolves when the events being tried have ended, or wait again. */
  async tried(): Promise<void> {
    await Promise.allSettled([this.#trying, this.#slow.ended(), this.#kept.ended()])
    await this.#kept.stored()
  }

  start(): void {
    this.#running ??= this.#run()
  }

  /**
   * Stops after what is under way, or when `deadlineMs` have passed. Events that wait are tried after a restart.
   * @param consumer ends with what it takes from the log: until then, it may pass on events whose attempts still run.
   */
  async stop(deadlineMs: number, consumer?: Promise<unknown>): Promise<void> {
    this.#stopRequested = true
    this.#changes.tell()
    const timer = setTimeout(() => {
      this.#stopping.abort(new Error('the pipeline is stopping'))
      this.#kept.abort()
    }, deadlineMs)
    await Promise.allSettled([this.#running, consumer])
    await this.tried()
    // What is stored later would count twice once another queue has these events.
    await Promise.allSettled(this.#endings)
    clearTimeout(timer)
    this.#stopping.abort(new Error('the pipeline is stopping'))
  }

  get #isPaused(): boolean {
    return this.#options.current().path.pausedAt !== undefined
  }

  async #run(): Promise<void> {
    const { clock, turns, onError } = this.#options
    let failures = 0
    while (!this.#stopRequested) {
      try {
        const due = this.#due()
        const triesSlow = this.#trySlow()
        if (due.length > 0) {
          this.#trying = this.#busyWith(due, () => this.#try(due))
          await this.#trying
          if (due.length === batchMax) await turns?.spare()
        } else if (!triesSlow) await this.#untilDue()
        failures = 0
      } catch (error) {
        if (this.#stopping.signal.aborted) return
        onError(error)
        failures += 1
        await clock.sleep(doublingMs(failures, ownBackoff), this.#stopping.signal)
      }
    }
  }

  /**
   * Returns ids of events that are due and the first of their users. A destination that loads takes the next ones of a
   * user with them: they are loaded together, in their order. On a closed path all are due: it ends them. Due are
   * also those whose time lies further ahead than any wait: the clock was set back while no process ran. While the circuit
   * wants a try before its time, the first of all is due.
   */
  #due(): readonly string[] {
    const { current } = this.#options
    if (this.#isPaused) return []
    const back = this.#setBack()
    if (back > 0) this.#waiting.setBack(back)
    if (current().path.loader) return this.#waiting.dueTogether((entry) => this.#isDue(entry), loadMax)
    const due: string[] = []
    for (const entry of this.#waiting.firsts()) {
      if (due.length >= batchMax) break
      if (this.#isDue(entry) && !this.#slow.wasSlow(entry)) due.push(entry.id)
    }
    return due
  }

  #isDue({ id, dueAt }: DeferredEntry): boolean {
    const { clock, current } = this.#options
    const { isClosed, circuit } = current().path
    const now = clock.now()
    if (isClosed || dueAt <= now || dueAt > now + this.#waitMax) return true
    return circuit?.isTryWanted === true && id === this.#waiting.firsts().next().value?.id
  }

  /**
   * Tries events whose attempts took long, as many as may hang, each alone: no other event waits for them.
   * @returns whether any is tried.
   */
  #trySlow(): boolean {
    const { current, onError } = this.#options
    if (!this.#slow.isNeeded || this.#isPaused || current().path.loader) return false
    const tries = [...this.#waiting.firsts()]
      .filter((entry) => this.#isDue(entry) && this.#slow.wasSlow(entry))
      .slice(0, this.#slow.room(this.#kept.size))
    for (const { id } of tries) {
      const tried = this.#busyWith([id], () => this.#try([id], true)).catch((error) => {
        if (this.#stopping.signal.aborted) return
        this.#postpone(id)
        onError(error)
      })
      this.#slow.add(tried, () => this.#changes.tell())
    }
    return tries.length > 0
  }

  async #busyWith(ids: readonly string[], work: () => Promise<void>): Promise<void> {
    for (const id of ids) this.#busy.add(id)
    try {
      await work()
    } finally {
      for (const id of ids) this.#busy.delete(id)
    }
  }

  /** @param isSlow whether their attempts took long: this one is waited for. Others are kept when they take long. */
  async #try(ids: readonly string[], isSlow = false): Promise<void> {
    const { workspaceId, destinationId, store, telemetry } = this.#options
    const events = await store.retries.read(workspaceId, ids)
    const allowed = await this.#allowed(events)
    const { path } = this.#options.current()
    // It may have been paused since they were found to be due.
    if (path.pausedAt !== undefined) return
    const inputs = allowed.map((event, origin) => inputOf(event, origin, isSlow))
    const labels = { workspaceId, destinationId, inputs: inputs.length }
    const watch = { keepsAttempts: !isSlow && path.loader === undefined }
    const send = () => resultsAt(path, inputs, this.#stopping.signal, watch)
    const sent = inputs.length === 0 ? [] : await around(telemetry, { kind: 'retry', ...labels }, send)
    const results = new Map(sent.map((result) => [result.index, result]))
    const found = new Set(events.map(({ id }) => id))
    const gone = ids.filter((id) => !found.has(id))
    await this.#commit(allowed, gone, (recorder) => {
      for (const [index, event] of allowed.entries()) recorder.add(event.source, path, results.get(index), event)
    })
  }

  /** Remembers that attempts of an event take long, and keeps those that still run. */
  #isSlow(slow: SlowEvent): void {
    this.#slow.note(slow.result)
    this.#kept.keep(slow)
  }

  #postpone(id: string): void {
    const { backoff, clock } = this.#options
    this.#waiting.postpone(id, clock.now() + backoff.baseMs)
  }

  #commitKept(ended: readonly SlowEvent[]): Promise<void> {
    return this.#commit(
      ended.map(({ event }) => event),
      [],
      (recorder) => {
        for (const { event, path, result } of ended) recorder.add(event.source, path, result, event)
      },
    )
  }

  /**
   * Returns the events that belong to allowed users, with all their outputs. The others end now, as a whole: data of a
   * suppressed user does not wait for a destination.
   */
  async #allowed(events: readonly DeferredEvent[]): Promise<readonly DeferredEvent[]> {
    const { path, flow } = this.#options.current()
    const allowed = new Set(await recordsAllowed(flow, events, this.#stopping.signal))
    const stopped = events.filter((event) => !allowed.has(event))
    if (stopped.length > 0)
      await this.#commit(stopped, [], (recorder) => {
        for (const event of stopped) recorder.add(event.source, path, undefined, event)
      })
    return [...allowed]
  }

  /** Stores what became of events. @param gone ids of events that are no longer in the store. */
  async #commit(
    events: readonly DeferredEvent[],
    gone: readonly string[],
    record: (recorder: OutcomeRecorder) => void,
  ): Promise<void> {
    const { workspaceId, destinationId, store, telemetry } = this.#options
    const recorder = new OutcomeRecorder(this.#options)
    record(recorder)
    const { deferred: again, ...records } = recorder.records()
    const waiting = new Set(again.map(({ id }) => id))
    const ended = [...events.map(({ id }) => id).filter((id) => !waiting.has(id)), ...gone]
    const writeId = uuidV4(this.#options.random)
    const commit = () => store.retries.commit({ writeId, workspaceId, destinationId, ended, again, ...records })
    const labels = { workspaceId, destinationId, inputs: events.length }
    const { clock, onError } = this.#options
    const { signal } = this.#stopping
    // When storing fails, only storing is repeated: requests are not sent again.
    await untilDone(() => around(telemetry, { kind: 'commit', ...labels }, commit), { clock, signal, onError })
    recorder.show()
    for (const id of ended) this.#leave(id)
    for (const event of again) {
      this.#waiting.enter(event)
      const slow = recorder.slow.get(event.id)
      if (slow) this.#isSlow(slow)
    }
    this.#changes.tell()
  }

  #leave(id: string): void {
    this.#waiting.leave(id)
    this.#kept.forget(id)
  }

  async #untilDue(): Promise<void> {
    const { clock } = this.#options
    const mayBeTried = (entry: DeferredEntry): boolean =>
      this.#slow.room(this.#kept.size) > 0 || !this.#slow.wasSlow(entry)
    const firsts = this.#isPaused ? [] : [...this.#waiting.firsts()].filter(mayBeTried)
    const dueAt = firsts.reduce((least, entry) => Math.min(least, entry.dueAt), Number.POSITIVE_INFINITY)
    // With nothing to wait for, only a change ends the wait.
    const wait = firsts.length > 0 ? Math.max(1, Math.min(dueAt - clock.now(), sleepMsMax)) : Number.POSITIVE_INFINITY
    if (firsts.length > 0 || !this.#stopRequested) await this.#changes.next(wait, clock)
  }
}

function inputOf(
  { source, outputs, attempts, firstTriedAt }: DeferredEvent,
  origin: number,
  isSlow: boolean,
): PathInput {
  const item: SourcedEvent = source
  if (outputs === undefined) return { origin, item }
  const tried = { attempts, firstTriedAt, isSlow: isSlow || undefined }
  return { origin, item, outputs: outputs.map(({ event, ...rest }) => ({ event, history: { ...rest, ...tried } })) }
}
