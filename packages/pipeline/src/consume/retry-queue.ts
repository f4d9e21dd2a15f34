import { createSetBack, doublingMs, onAbort, type SourcedEvent, uuidV4 } from '@sluice/core'
import { retryAfterMsMax } from '@sluice/delivery'
import { isClosed } from '../flow/closed-path.ts'
import type { DestinationPath, PathInput } from '../flow/destination-path.ts'
import { type Flow, runDestination } from '../flow/flow.ts'
import { recordsAllowed } from '../flow/records-allowed.ts'
import { ownBackoff, untilDone } from '../flow/until-done.ts'
import type { DeferredEntry, DeferredEvent } from '../ports/deferred-event.ts'
import type { Store } from '../ports/store.ts'
import { around, type Telemetry } from '../ports/telemetry.ts'
import { OutcomeRecorder, type OutcomeRecorderOptions } from './outcome-recorder.ts'

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
  readonly telemetry?: Telemetry
  /** Returns the current flow, and the current path of the destination. */
  current(): { readonly flow: Pick<Flow, 'suppress'>; readonly path: DestinationPath }
  /** The store failed; the queue tries again by itself. */
  onError(error: unknown): void
}

/** An event that waits; `place` is its rank in the order in which events were deferred. */
interface PlacedEntry extends DeferredEntry {
  readonly place: number
}

/**
 * Events of one destination that wait to be tried again. Only the first event of each user is tried; when it has ended,
 * the next one is. So the order of a user is kept, and users do not wait for each other.
 */
export class RetryQueue {
  readonly #options: RetryQueueOptions
  /** In the order they were deferred. */
  readonly #entries = new Map<string, PlacedEntry>()
  /** Ids of events by user, in the order in which they wait for each other. */
  readonly #byUser = new Map<string, Set<string>>()
  /** Ids that are not stored yet, and must not be tried. */
  readonly #unstored = new Set<string>()
  /** Ids that are being tried or ended. */
  readonly #busy = new Set<string>()
  readonly #stopping = new AbortController()
  readonly #changes = new Set<() => void>()
  readonly #setBack: () => number
  /** Milliseconds no event waits longer than: one that is due later was deferred while the clock was ahead. */
  readonly #waitMax: number
  #running: Promise<void> | undefined
  #trying: Promise<void> = Promise.resolve()
  /** Ends of suppressed events that are under way beside the tries. */
  readonly #endings = new Set<Promise<void>>()
  #stopRequested = false
  #lastPlace = 0

  constructor(entries: readonly DeferredEntry[], options: RetryQueueOptions) {
    this.#options = options
    this.#setBack = createSetBack(options.clock)
    this.#waitMax = Math.max(options.backoff.baseMs, options.backoff.capMs, retryAfterMsMax)
    for (const entry of entries) this.#enter(entry)
  }

  /** Events that wait. */
  get length(): number {
    return this.#entries.size
  }

  /** Ids of the events that wait. */
  ids(): readonly string[] {
    return [...this.#entries.keys()]
  }

  /** Whether an event of this user waits, so that later ones have to wait behind it. */
  isHeld(userKey: string): boolean {
    return this.#byUser.has(userKey)
  }

  /** Holds the users of events that are about to be stored. */
  hold(events: readonly DeferredEvent[]): void {
    for (const event of events) {
      this.#enter(event)
      this.#unstored.add(event.id)
    }
  }

  /** Adds events that are stored and that the queue does not know: one that ended meanwhile is found to be gone later. */
  found(entries: readonly DeferredEntry[]): void {
    const unknown = entries.filter(({ id }) => !this.#entries.has(id))
    for (const entry of unknown) this.#enter(entry)
    if (unknown.length > 0) this.#changed()
  }

  /** Events that were held are stored now: they are tried when they are due. */
  stored(events: readonly DeferredEvent[]): void {
    for (const { id } of events) this.#unstored.delete(id)
    this.#changed()
  }

  /** Events that were held will not be stored: their batches are processed again. */
  discard(events: readonly DeferredEvent[]): void {
    for (const { id } of events) this.#leave(id)
    this.#changed()
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
      const some = ids
        .slice(start, start + batchMax)
        .filter((id) => this.#entries.has(id) && !this.#unstored.has(id) && !this.#busy.has(id))
      await this.#busyWith(some, async () => {
        await this.#allowed(await this.#options.store.retries.read(this.#options.workspaceId, some))
      })
    }
    this.#changed()
  }

  /** The path may have changed. */
  wake(): void {
    this.#changed()
  }

  /** Resolves when there is room for more, when the destination is paused, or when `signal` aborts. */
  room(signal: AbortSignal): Promise<void> {
    return this.#until(() => this.#entries.size < this.#options.eventsMax || this.#isPaused, signal)
  }

  /** Resolves with true when nothing waits, with false when the queue was stopped before. */
  async empty(): Promise<boolean> {
    await this.#until(() => this.#entries.size === 0, this.#stopping.signal)
    return this.#entries.size === 0
  }

  /** Resolves when the events being tried have ended, or wait again. */
  async tried(): Promise<void> {
    await this.#trying.catch(() => {})
  }

  start(): void {
    this.#running ??= this.#run()
  }

  /** Stops after the batch under way, or when `deadlineMs` have passed. Events that wait are tried after a restart. */
  async stop(deadlineMs: number): Promise<void> {
    this.#stopRequested = true
    this.#changed()
    const timer = setTimeout(() => this.#stopping.abort(new Error('the pipeline is stopping')), deadlineMs)
    await this.#running
    // What is stored later would count twice once another queue has these events.
    await Promise.allSettled(this.#endings)
    clearTimeout(timer)
    this.#stopping.abort(new Error('the pipeline is stopping'))
  }

  get #isPaused(): boolean {
    return this.#options.current().path.pausedAt !== undefined
  }

  async #run(): Promise<void> {
    const { clock, onError } = this.#options
    let failures = 0
    while (!this.#stopRequested) {
      try {
        const due = this.#due()
        if (due.length > 0) {
          this.#trying = this.#busyWith(due, () => this.#try(due))
          await this.#trying
        } else await this.#untilDue()
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
   * also those whose time lies further ahead than any wait: the clock was set back while no process ran.
   */
  #due(): readonly string[] {
    const { clock, current } = this.#options
    if (this.#isPaused) return []
    const back = this.#setBack()
    if (back > 0)
      for (const [id, entry] of this.#entries) this.#entries.set(id, { ...entry, dueAt: entry.dueAt - back })
    const { path } = current()
    const now = isClosed(path) ? Number.POSITIVE_INFINITY : clock.now()
    const isDue = ({ dueAt }: DeferredEntry): boolean => dueAt <= now || dueAt > now + this.#waitMax
    return path.loader ? this.#dueTogether(isDue) : this.#dueFirsts(isDue)
  }

  #dueFirsts(isDue: (entry: DeferredEntry) => boolean): readonly string[] {
    const due: string[] = []
    for (const entry of this.#entries.values()) {
      if (due.length >= batchMax) break
      if (isDue(entry) && this.#isFirst(entry)) due.push(entry.id)
    }
    return due
  }

  /** Returns ids of events that are due, without those of users of whom an earlier event is left out. */
  #dueTogether(isDue: (entry: DeferredEntry) => boolean): readonly string[] {
    const due: string[] = []
    const waiting = new Set<string>()
    for (const entry of this.#entries.values()) {
      if (due.length >= loadMax) break
      const { id, userKeys } = entry
      const isNext = !this.#unstored.has(id) && !this.#busy.has(id) && userKeys.every((key) => !waiting.has(key))
      if (isNext && isDue(entry)) due.push(id)
      else for (const key of userKeys) waiting.add(key)
    }
    return due
  }

  #isFirst({ id, userKeys }: DeferredEntry): boolean {
    if (this.#unstored.has(id) || this.#busy.has(id)) return false
    return userKeys.every((key) => this.#byUser.get(key)?.values().next().value === id)
  }

  async #busyWith(ids: readonly string[], work: () => Promise<void>): Promise<void> {
    for (const id of ids) this.#busy.add(id)
    try {
      await work()
    } finally {
      for (const id of ids) this.#busy.delete(id)
    }
  }

  async #try(ids: readonly string[]): Promise<void> {
    const { workspaceId, destinationId, store, telemetry } = this.#options
    const events = await store.retries.read(workspaceId, ids)
    const allowed = await this.#allowed(events)
    const { path } = this.#options.current()
    // It may have been paused since they were found to be due.
    if (path.pausedAt !== undefined) return
    const inputs = allowed.map(inputOf)
    const labels = { workspaceId, destinationId, inputs: inputs.length }
    const send = () => runDestination(path, inputs, this.#stopping.signal)
    const sent = inputs.length === 0 ? [] : await around(telemetry, { kind: 'retry', ...labels }, send)
    const results = new Map(sent.map((result) => [result.index, result]))
    const found = new Set(events.map(({ id }) => id))
    const gone = ids.filter((id) => !found.has(id))
    await this.#commit(allowed, gone, (recorder) => {
      for (const [index, event] of allowed.entries()) recorder.add(event.source, path, results.get(index), event)
    })
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
    recorder.showTap()
    for (const id of ended) this.#leave(id)
    for (const event of again) this.#again(event)
    this.#changed()
  }

  #enter({ id, userKeys, dueAt }: DeferredEntry): void {
    const before = this.#entries.get(id)
    if (before === undefined) this.#lastPlace += 1
    this.#entries.set(id, { id, userKeys, dueAt, place: before?.place ?? this.#lastPlace })
    for (const key of userKeys) {
      const ids = this.#byUser.get(key) ?? new Set()
      const isLate = before !== undefined && !ids.has(id)
      ids.add(id)
      this.#byUser.set(key, isLate ? this.#inOrder(ids) : ids)
    }
  }

  /** The same order for every user: two events that shared two users in different orders would wait for each other. */
  #inOrder(ids: ReadonlySet<string>): Set<string> {
    const placeOf = (id: string): number => this.#entries.get(id)?.place ?? 0
    return new Set([...ids].sort((a, b) => placeOf(a) - placeOf(b)))
  }

  #leave(id: string): void {
    for (const key of this.#entries.get(id)?.userKeys ?? []) {
      const ids = this.#byUser.get(key)
      ids?.delete(id)
      if (ids?.size === 0) this.#byUser.delete(key)
    }
    this.#entries.delete(id)
    this.#unstored.delete(id)
  }

  /** The event keeps its place. Releases users with no waiting event. */
  #again(event: DeferredEvent): void {
    const before = this.#entries.get(event.id)
    for (const key of before?.userKeys ?? []) {
      if (event.userKeys.includes(key)) continue
      const ids = this.#byUser.get(key)
      ids?.delete(event.id)
      if (ids?.size === 0) this.#byUser.delete(key)
    }
    this.#enter(event)
  }

  async #untilDue(): Promise<void> {
    const { clock } = this.#options
    const firsts = this.#isPaused ? [] : [...this.#entries.values()].filter((entry) => this.#isFirst(entry))
    const dueAt = firsts.reduce((least, entry) => Math.min(least, entry.dueAt), Number.POSITIVE_INFINITY)
    const wait = Math.max(1, Math.min(dueAt - clock.now(), sleepMsMax))
    const waiting = new AbortController()
    const wake = (): void => waiting.abort()
    this.#changes.add(wake)
    // With nothing to wait for, only a change ends the wait.
    if (firsts.length > 0) await clock.sleep(wait, waiting.signal)
    else if (!this.#stopRequested)
      await new Promise<void>((resolve) => waiting.signal.addEventListener('abort', () => resolve()))
    this.#changes.delete(wake)
  }

  async #until(isSo: () => boolean, signal: AbortSignal): Promise<void> {
    while (!isSo() && !signal.aborted)
      await new Promise<void>((resolve) => {
        const done = (): void => {
          this.#changes.delete(done)
          unwatch()
          resolve()
        }
        const unwatch = onAbort(signal, done)
        this.#changes.add(done)
      })
  }

  #changed(): void {
    for (const callback of [...this.#changes]) callback()
  }
}

function inputOf({ source, outputs, attempts, firstTriedAt }: DeferredEvent, origin: number): PathInput {
  const item: SourcedEvent = source
  if (outputs === undefined) return { origin, item }
  const tried = { attempts, ...(firstTriedAt === undefined ? {} : { firstTriedAt }) }
  return { origin, item, outputs: outputs.map(({ event, ...rest }) => ({ event, history: { ...rest, ...tried } })) }
}
