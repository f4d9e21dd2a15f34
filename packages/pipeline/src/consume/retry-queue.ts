import { createSetBack, type SourcedEvent } from '@sluice/core'
import { type DestinationLine, type Flow, type LineInput, sendDown, suppress } from '../flow/flow.ts'
import type { DeferredEntry, DeferredEvent } from '../ports/deferred-event.ts'
import type { Store } from '../ports/store.ts'
import { around, type Telemetry } from '../ports/telemetry.ts'
import { LineAccounts, type LineAccountsOptions } from './line-accounts.ts'

/** Events tried in one round. */
const roundMax = 50
/** Waits after a failure of the store double from the first to the last of these. */
const retryFirstMs = 100
const retryLastMs = 30_000
/** Nobody is woken by a clock that was set back, so the queue looks again after so long. */
const lookMsMax = 60_000

export interface RetryQueueOptions extends LineAccountsOptions {
  readonly store: Pick<Store, 'retries'>
  /** How many events may wait; then nothing more is taken from the log until one ends. */
  readonly eventsMax: number
  readonly telemetry?: Telemetry
  /** What is current when a round begins. */
  line(): { readonly line: DestinationLine; readonly flow: Pick<Flow, 'suppress'> }
  /** The store failed; the queue tries again by itself. */
  onError(error: unknown): void
}

/** `place`: among those that wait, in the order they were deferred. */
interface PlacedEntry extends DeferredEntry {
  readonly place: number
}

/**
 * The events of one destination that wait for another try. Of each user only the first one is tried; when it has ended
 * the next one is, so the order of a user is kept. Users do not wait for each other.
 */
export class RetryQueue {
  readonly #options: RetryQueueOptions
  /** In the order they were deferred. */
  readonly #entries = new Map<string, PlacedEntry>()
  /** Who waits behind whom. */
  readonly #byUser = new Map<string, Set<string>>()
  /** Not in the store yet, so not to be tried. */
  readonly #unstored = new Set<string>()
  /** Being tried, or ended. */
  readonly #busy = new Set<string>()
  readonly #stopping = new AbortController()
  readonly #changes = new Set<() => void>()
  readonly #setBack: () => number
  #running: Promise<void> | undefined
  #trying: Promise<void> = Promise.resolve()
  #stopRequested = false
  #lastPlace = 0

  constructor(entries: readonly DeferredEntry[], options: RetryQueueOptions) {
    this.#options = options
    this.#setBack = createSetBack(options.clock)
    for (const entry of entries) this.#enter(entry)
  }

  /** How many events wait. */
  get length(): number {
    return this.#entries.size
  }

  /** Whether something of this user waits, so that later events have to wait behind it. */
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

  /** Events that were held are in the store now, and are tried when they are due. */
  stored(events: readonly DeferredEvent[]): void {
    for (const { id } of events) this.#unstored.delete(id)
    this.#changed()
  }

  /** Events that were held will not be stored: what they were made of is done again. */
  discard(events: readonly DeferredEvent[]): void {
    for (const { id } of events) this.#leave(id)
    this.#changed()
  }

  /** Ends those of the events whose users are suppressed, without waiting for others. What is being tried is left. */
  async endSuppressed(ids: readonly string[]): Promise<void> {
    for (let start = 0; start < ids.length; start += roundMax) {
      const some = ids
        .slice(start, start + roundMax)
        .filter((id) => this.#entries.has(id) && !this.#unstored.has(id) && !this.#busy.has(id))
      await this.#busyWith(some, async () => {
        await this.#allowed(await this.#options.store.retries.read(this.#options.workspaceId, some))
      })
    }
    this.#changed()
  }

  /** The line may be another one now. */
  wake(): void {
    this.#changed()
  }

  /** Resolves when there is room for more, or when `signal` aborts. */
  room(signal: AbortSignal): Promise<void> {
    return this.#until(() => this.#entries.size < this.#options.eventsMax, signal)
  }

  /** Resolves with true when nothing waits, with false when the queue was stopped before. */
  async empty(): Promise<boolean> {
    await this.#until(() => this.#entries.size === 0, this.#stopping.signal)
    return this.#entries.size === 0
  }

  /** Resolves when what is being tried has ended, or waits again. */
  async tried(): Promise<void> {
    await this.#trying.catch(() => {})
  }

  start(): void {
    this.#running ??= this.#run()
  }

  /** Ends with the round under way, or at once when `deadlineMs` have passed; what waits is tried after a restart. */
  async stop(deadlineMs: number): Promise<void> {
    this.#stopRequested = true
    this.#changed()
    const timer = setTimeout(() => this.#stopping.abort(new Error('the pipeline is stopping')), deadlineMs)
    await this.#running
    clearTimeout(timer)
    this.#stopping.abort(new Error('the pipeline is stopping'))
  }

  async #run(): Promise<void> {
    const { clock, onError } = this.#options
    let failures = 0
    while (!this.#stopRequested) {
      try {
        const due = this.#due()
        if (due.length > 0) {
          this.#trying = this.#busyWith(due, () => this.#round(due))
          await this.#trying
        } else await this.#untilDue()
        failures = 0
      } catch (error) {
        if (this.#stopping.signal.aborted) return
        onError(error)
        failures += 1
        await clock.sleep(Math.min(retryLastMs, retryFirstMs * 2 ** (failures - 1)), this.#stopping.signal)
      }
    }
  }

  /** The first events of their users that are due. A line that takes nothing any more ends everything at once. */
  #due(): readonly string[] {
    const { clock, line } = this.#options
    const back = this.#setBack()
    if (back > 0)
      for (const [id, entry] of this.#entries) this.#entries.set(id, { ...entry, dueAt: entry.dueAt - back })
    const now = line().line.isClosed ? Number.POSITIVE_INFINITY : clock.now()
    const due: string[] = []
    for (const entry of this.#entries.values()) {
      if (due.length >= roundMax) break
      if (entry.dueAt <= now && this.#isFirst(entry)) due.push(entry.id)
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

  async #round(ids: readonly string[]): Promise<void> {
    const { workspaceId, destinationId, store, telemetry } = this.#options
    const events = await store.retries.read(workspaceId, ids)
    const allowed = await this.#allowed(events)
    const { line } = this.#options.line()
    const inputs = allowed.map(inputOf)
    const labels = { workspaceId, destinationId, inputs: inputs.length }
    const send = () => sendDown(line, inputs, this.#stopping.signal)
    const sent = inputs.length === 0 ? [] : await around(telemetry, { kind: 'retry', ...labels }, send)
    const results = new Map(sent.map((result) => [result.index, result]))
    const there = new Set(events.map(({ id }) => id))
    const gone = ids.filter((id) => !there.has(id))
    await this.#commit(allowed, gone, (accounts) => {
      for (const [index, event] of allowed.entries()) accounts.add(event.source, line, results.get(index), event)
    })
  }

  /** Those of allowed users. The others end at once: the trace of a suppressed user does not wait for a destination. */
  async #allowed(events: readonly DeferredEvent[]): Promise<readonly DeferredEvent[]> {
    const { line, flow } = this.#options.line()
    const sources = events.map(({ source }) => source)
    const origins = new Set((await suppress(flow, sources, this.#stopping.signal)).map(({ origin }) => origin))
    const stopped = events.filter((_, origin) => !origins.has(origin))
    if (stopped.length > 0)
      await this.#commit(stopped, [], (accounts) => {
        for (const event of stopped) accounts.add(event.source, line, undefined, event)
      })
    return events.filter((_, origin) => origins.has(origin))
  }

  /** Stores what became of events; `gone` are no longer in the store. */
  async #commit(
    events: readonly DeferredEvent[],
    gone: readonly string[],
    account: (accounts: LineAccounts) => void,
  ): Promise<void> {
    const { workspaceId, destinationId, store, telemetry } = this.#options
    const accounts = new LineAccounts(this.#options)
    account(accounts)
    const { deferred: again, ...records } = accounts.records()
    const waiting = new Set(again.map(({ id }) => id))
    const ended = [...events.map(({ id }) => id).filter((id) => !waiting.has(id)), ...gone]
    const commit = () => store.retries.commit({ workspaceId, destinationId, ended, again, ...records })
    const labels = { workspaceId, destinationId, inputs: events.length }
    await this.#store(() => around(telemetry, { kind: 'commit', ...labels }, commit))
    accounts.tell()
    for (const id of ended) this.#leave(id)
    for (const event of again) this.#again(event)
    this.#changed()
  }

  /** What was sent is not sent again because the store failed: storing alone is repeated. */
  async #store(commit: () => Promise<void>): Promise<void> {
    const { clock, onError } = this.#options
    for (let failures = 0; ; failures += 1) {
      try {
        return await commit()
      } catch (error) {
        onError(error)
        await clock.sleep(Math.min(retryLastMs, retryFirstMs * 2 ** failures), this.#stopping.signal)
        this.#stopping.signal.throwIfAborted()
      }
    }
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

  /** Keeps its place: users that are done with let others pass, those that are not stay held. */
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
    const firsts = [...this.#entries.values()].filter((entry) => this.#isFirst(entry))
    const dueAt = firsts.reduce((least, entry) => Math.min(least, entry.dueAt), Number.POSITIVE_INFINITY)
    const wait = Math.max(1, Math.min(dueAt - clock.now(), lookMsMax))
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
          signal.removeEventListener('abort', done)
          resolve()
        }
        this.#changes.add(done)
        signal.addEventListener('abort', done)
      })
  }

  #changed(): void {
    for (const tell of [...this.#changes]) tell()
  }
}

function inputOf({ source, outputs, attempts, firstTriedAt }: DeferredEvent, origin: number): LineInput {
  const item: SourcedEvent = source
  if (outputs === undefined) return { origin, item }
  const tried = { attempts, ...(firstTriedAt === undefined ? {} : { firstTriedAt }) }
  return { origin, item, outputs: outputs.map(({ event, ...rest }) => ({ event, history: { ...rest, ...tried } })) }
}
