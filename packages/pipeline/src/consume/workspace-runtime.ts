import { type Backoff, type Clock, InvariantError, type Random, type SharedBudget } from '@sluice/core'
import type { DestinationPath } from '../flow/destination-path.ts'
import type { Flow } from '../flow/flow.ts'
import type { MainTurns } from '../flow/main-turns.ts'
import { gonePath } from '../flow/stages/closed-path.ts'
import { consumerNameOf, destinationOf, observer } from '../ports/consumer-name.ts'
import type { DeferredEvent } from '../ports/deferred-event.ts'
import type { ConsumerLog } from '../ports/event-log.ts'
import type { LogPosition } from '../ports/log-position.ts'
import type { Store } from '../ports/store.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import type { LoadHistory } from '../reports/counts/load-history.ts'
import type { DestinationFailure } from '../reports/destination-failure.ts'
import type { MinuteMeasures } from '../reports/history/minute-measures.ts'
import type { Tap } from '../reports/tap.ts'
import { LogCursor } from './cursor/log-cursor.ts'
import type { PaceShare, SharedPace } from './cursor/shared-pace.ts'
import { wholeLog } from './cursor/whole-log.ts'
import { observeLog } from './observe-log.ts'
import type { Quarantine } from './quarantine.ts'
import type { RetentionOptions } from './retention-options.ts'
import { RetryQueue } from './retry/retry-queue.ts'
import { takeFromLog } from './take-from-log.ts'

/** How often the log is trimmed, and the counters of values are stored or, as text, made smaller. */
const upkeepEveryMs = 10_000
/**
 * How often workspaces store their counters of values: it costs about the same however few events they have counted. The
 * counters are not part of a commit, so a crash loses those that are not stored.
 */
export const valuesPace = { msMin: upkeepEveryMs, msMax: 30_000, perSecondMax: 1 }
/** Consumers registered at a time: few enough for the queue of writes. */
const registeredTogether = 100

interface RuntimeOptions {
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
  readonly retention: RetentionOptions
  /** How long events that could not be delivered wait, and how many of one destination may wait. */
  readonly waiting: { readonly backoff: Backoff; readonly eventsMax: number; readonly slowMax: number }
  /** Slices of events that wait behind others: see `DeliveryWindow`. Shared by all workspaces. */
  readonly ahead: SharedBudget
  /** How often observers commit. Shared by all workspaces. */
  readonly observing: SharedPace
  /** How often values are stored. Shared by all workspaces. */
  readonly storing: SharedPace
  /** Shared by all workspaces. */
  readonly quarantine: Quarantine
  /** Shared by all workspaces. */
  readonly turns: MainTurns
  /** False writes no receipts; default true. */
  readonly receipts?: boolean
  readonly telemetry?: Telemetry
  readonly tap?: Tap
  onFailures?(failures: readonly DestinationFailure[]): void
  /** Gets how long events took, and which were tried again. */
  readonly measures?: MinuteMeasures
  /** Remembers loads into warehouses. */
  readonly loads?: LoadHistory
  onError(error: unknown): void
}

/** How far a consumer has read the log. */
export interface QueueState {
  /** Absent for the observer. */
  readonly destinationId?: string
  /** Age of the oldest batch it has not committed, in milliseconds; 0 when there is none. */
  readonly lagMs: number
  /** Age of the oldest event that has not ended, in milliseconds, also of those that wait to be tried again; 0 when there is none. */
  readonly oldestMs: number
  /** Events that wait to be tried again. */
  readonly waiting: number
}

/** What runs for a workspace: one consumer that observes, and one consumer and one retry queue per destination. */
export class WorkspaceRuntime {
  readonly workspaceId: string
  readonly #options: RuntimeOptions
  readonly #consumers = new Map<string, Consumer>()
  readonly #retries = new Map<string, RetryQueue>()
  readonly #storing: PaceShare
  #valuesStoredAt: number
  #flow: Flow
  #paths: ReadonlyMap<string, DestinationPath> = new Map()
  #wanted: ReadonlySet<string> = new Set()
  /** Grows with every change, so that a retirement that waited knows whether it still applies. */
  #generation = 0
  #retiring: Promise<unknown> = Promise.resolve()
  readonly #stopping = new AbortController()

  constructor(workspaceId: string, flow: Flow, options: RuntimeOptions) {
    this.workspaceId = workspaceId
    this.#options = options
    this.#flow = flow
    this.#storing = options.storing.share()
    this.#valuesStoredAt = options.clock.now()
  }

  get flow(): Flow {
    return this.#flow
  }

  /**
   * Registers the consumers of a flow. To be awaited before `use` makes the destinations reachable.
   * @param gone whether the workspace itself is gone: then the events it still owes are ended, and nothing new is registered.
   */
  async register(flow: Flow, gone: boolean): Promise<void> {
    this.#generation += 1
    await this.#retiring
    const names = flow.destinations.map(({ destinationId }) => consumerNameOf(destinationId))
    this.#wanted = new Set(gone ? [] : [observer, ...names])
    const { log } = this.#options.store
    const known = await log.cursors(this.workspaceId)
    const fresh = [...this.#wanted].filter((name) => !known.has(name))
    // Some together, so that they share commits.
    for (let start = 0; start < fresh.length; start += registeredTogether) {
      const some = fresh.slice(start, start + registeredTogether)
      await Promise.all(some.map((name) => log.register(this.workspaceId, name)))
    }
  }

  /**
   * Opens every registered consumer, also those that are still registered though the workspace no longer has them. To be
   * awaited before `use` starts them.
   */
  async open(): Promise<void> {
    const { quarantine, store } = this.#options
    const { log } = store
    const cursors = await log.cursors(this.workspaceId)
    if (this.#consumers.size === 0) {
      const delivering = new Map([...cursors].filter(([name]) => name !== observer))
      await quarantine.open(this.workspaceId, delivering, await log.end(this.workspaceId))
    }
    const waiting = await store.retries.destinations(this.workspaceId)
    // After the consumers were read: a process changes its definition before it registers new ones.
    const isUnknown = (name: string): boolean => !this.#wanted.has(name)
    const areLeft = [...cursors.keys(), ...waiting.map(consumerNameOf)].some(isUnknown) && !(await this.#isAgreed())
    for (const [name, cursor] of cursors) {
      if (this.#consumers.has(name) || (areLeft && isUnknown(name))) continue
      const own = (await log.open?.(this.workspaceId, name)) ?? (await wholeLog(log, this.workspaceId, name, cursor))
      // Before the consumer starts: events it reads must wait behind those that wait already. After the cursor was read: a
      // process that hands over late may defer events and move the cursor in between, and would else be overtaken.
      if (name !== observer) await this.#openRetries(destinationOf(name))
      this.#consumers.set(name, this.#consumer(name, own))
    }
    // A replay may have come while its destination was being removed.
    for (const destinationId of waiting)
      if (!(areLeft && isUnknown(consumerNameOf(destinationId)))) await this.#openRetries(destinationId)
  }

  /**
   * Switches to another flow between two batches, and starts the consumers.
   * @returns the retirement of what is gone, to be run once no call appends events for it any more.
   */
  use(flow: Flow): () => Promise<void> {
    this.#flow = flow
    this.#paths = new Map(flow.destinations.map((path) => [path.destinationId, path]))
    for (const queue of this.#retries.values()) {
      queue.start()
      queue.wake()
    }
    for (const { cursor, loop } of this.#consumers.values()) {
      cursor.start(loop)
      cursor.wake()
    }
    const generation = this.#generation
    return () => this.#retire(generation)
  }

  /**
   * Waits until consumers that are gone have ended the events they owe, then removes them. A later change cancels this
   * retirement, for it brings one of its own.
   */
  async #retire(generation: number): Promise<void> {
    // In a cluster, the process that sees all others agree retires them.
    if (!(await this.#isAgreed()) || generation !== this.#generation) return
    const end = await this.#options.store.log.end(this.workspaceId)
    const unwanted = [...this.#consumers].filter(([name]) => !this.#wanted.has(name))
    await Promise.all(
      unwanted.map(async ([name, { cursor }]) => {
        const ended = await this.#ended(name, cursor, end)
        // The generation last: from here to the assignment of `#retiring`, nothing may come between.
        if (!ended || !(await this.#isAgreed()) || generation !== this.#generation) return
        const forgetting = this.#forget(name, cursor)
        this.#retiring = Promise.allSettled([this.#retiring, forgetting])
        await forgetting
      }),
    )
  }

  /** Whether no other process has destinations that this one does not know. */
  async #isAgreed(): Promise<boolean> {
    return (await this.#options.store.cluster?.agrees()) !== false
  }

  /** Resolves with true once nothing is owed to a consumer, with false when it is stopped before. */
  async #ended(name: string, cursor: LogCursor, end: LogPosition): Promise<boolean> {
    const { log } = this.#options.store
    if (log.settled) return log.settled(this.workspaceId, name, this.#stopping.signal)
    return (await cursor.reached(end)) && (await this.#retries.get(destinationOf(name))?.empty()) !== false
  }

  async #forget(name: string, cursor: LogCursor): Promise<void> {
    this.#consumers.delete(name)
    this.#options.quarantine.forget(this.workspaceId, name)
    await cursor.stop(0)
    await this.#retries.get(destinationOf(name))?.stop(0)
    this.#retries.delete(destinationOf(name))
    await this.#options.store.loads.forget(this.workspaceId, name)
    await this.#options.store.log.unregister(this.workspaceId, name)
  }

  /** Resolves when everything appended so far has been observed and has ended at every destination. */
  async settled(): Promise<void> {
    const { log } = this.#options.store
    const end = await log.end(this.workspaceId)
    await Promise.all([...this.#consumers.values()].map(({ cursor }) => cursor.reached(end)))
    await Promise.all([...this.#retries.values()].map((queue) => queue.empty()))
  }

  /** Whether an event of this user waits for a destination, so that later ones must not overtake it. */
  isHeld(destinationId: string, userKey: string): boolean {
    return this.#retries.get(destinationId)?.isHeld(userKey) ?? false
  }

  /** Ends deferred events of suppressed users. */
  async endSuppressed(events: readonly { readonly id: string; readonly destinationId: string }[]): Promise<void> {
    for (const [destinationId, queue] of [...this.#retries]) {
      const ids = events.flatMap((event) => (event.destinationId === destinationId ? event.id : []))
      if (ids.length > 0) await queue.endSuppressed(ids)
    }
  }

  /** The same for all events that wait. */
  async endAllSuppressed(): Promise<void> {
    for (const queue of [...this.#retries.values()]) await queue.endSuppressed(queue.ids())
  }

  /** Adds events that were stored as deferred to the retry queues of their destinations. */
  deferred(events: readonly DeferredEvent[]): void {
    for (const event of events) {
      const queue = this.#retries.get(event.destinationId)
      queue?.hold([event])
      queue?.stored([event])
    }
  }

  /** Adds events that other processes have stored as deferred. */
  async findDeferred(): Promise<void> {
    for (const [destinationId, queue] of this.#retries)
      queue.found(await this.#options.store.retries.entries(this.workspaceId, destinationId))
  }

  /** Lets one event go to a destination whose circuit is open, before its time. Does nothing while it is closed. */
  tryNow(destinationId: string): void {
    if (this.#paths.get(destinationId)?.circuit?.tryNow()) this.#retries.get(destinationId)?.wake()
  }

  /** Returns how many more events may wait for a destination. */
  room(destinationId: string): number {
    return Math.max(0, this.#options.waiting.eventsMax - (this.#retries.get(destinationId)?.length ?? 0))
  }

  /** Resolves when all work under way has ended, at one destination or, without one, everywhere. */
  async passed(destinationId?: string): Promise<void> {
    const isChosen = (name: string): boolean => destinationId === undefined || name === consumerNameOf(destinationId)
    const consumers = [...this.#consumers].filter(([name]) => isChosen(name))
    const queues = [...this.#retries].filter(([id]) => isChosen(consumerNameOf(id)))
    await Promise.all(consumers.map(([, { cursor }]) => cursor.stepped()))
    await Promise.all(queues.map(([, queue]) => queue.tried()))
  }

  /** Whether a destination has not passed everything that was appended so far. */
  async isBehind(destinationId: string): Promise<boolean> {
    return (await this.#consumers.get(consumerNameOf(destinationId))?.cursor.isBehind()) ?? false
  }

  /** Returns how far each consumer is, in order of name. */
  async queues(): Promise<readonly QueueState[]> {
    const consumers = [...this.#consumers].sort(([a], [b]) => (a < b ? -1 : 1))
    return Promise.all(
      consumers.map(async ([name, { cursor }]): Promise<QueueState> => {
        const lagMs = await cursor.lagMs()
        if (name === observer) return { lagMs, oldestMs: lagMs, waiting: 0 }
        const destinationId = destinationOf(name)
        const retries = this.#retries.get(destinationId)
        const oldestMs = Math.max(lagMs, retries?.oldestMs ?? 0)
        return { destinationId, lagMs, oldestMs, waiting: retries?.length ?? 0 }
      }),
    )
  }

  async stop(deadlineMs: number): Promise<void> {
    this.#stopping.abort()
    const consumers = new Map([...this.#consumers].map(([name, { cursor }]) => [name, cursor.stop(deadlineMs)]))
    const queues = [...this.#retries].map(([id, queue]) => queue.stop(deadlineMs, consumers.get(consumerNameOf(id))))
    await Promise.all([...consumers.values(), ...queues])
    await this.storeValues().catch((error) => this.#options.onError(error))
    this.#storing.done()
  }

  async #upkeep(): Promise<void> {
    const { store, clock, retention } = this.#options
    await this.#keepValues()
    if (store.cluster?.isLeader === false) return
    await store.log.trim(this.workspaceId, { since: clock.now() - retention.ageMs, bytesMax: retention.bytesMax })
  }

  /** Stores values when it is time to. */
  async #keepValues(): Promise<void> {
    const { clock, storing } = this.#options
    const { observe } = this.#flow
    if (observe.holdsValues) this.#storing.gathers()
    else this.#storing.done()
    // The clock may have been set back. It is time when the next look would be further from it.
    if (Math.abs(clock.now() - this.#valuesStoredAt) < storing.ms - upkeepEveryMs / 2) observe.setValuesAside()
    else await this.storeValues()
  }

  /** Stores the values that were observed since the last time. */
  storeValues(): Promise<void> {
    const { clock, store } = this.#options
    const { schema } = store
    this.#valuesStoredAt = clock.now()
    return this.#flow.observe.storeValues((values) => schema.mergeValues(this.workspaceId, values))
  }

  async #openRetries(destinationId: string): Promise<void> {
    if (this.#retries.has(destinationId)) return
    const { waiting, ...options } = this.#options
    const { store } = options
    const entries = await store.retries.entries(this.workspaceId, destinationId)
    const current = () => ({ path: options.quarantine.guarded(this.#path(destinationId)), flow: this.#flow })
    const { workspaceId } = this
    const queue = new RetryQueue(entries, { ...options, ...waiting, workspaceId, destinationId, current })
    this.#retries.set(destinationId, queue)
  }

  #path(destinationId: string): DestinationPath {
    return this.#paths.get(destinationId) ?? gonePath(destinationId)
  }

  #consumer(name: string, log: ConsumerLog): Consumer {
    const { clock, turns, telemetry, onError } = this.#options
    const { workspaceId } = this
    const shared = { workspaceId, clock, onError, telemetry }
    if (name === observer) {
      const upkeep = { everyMs: upkeepEveryMs, run: () => this.#upkeep() }
      const place = { ...shared, flow: () => this.#flow, pace: this.#options.observing, upkeep }
      return { cursor: new LogCursor({ ...shared, turns, log }), loop: (cursor) => observeLog(cursor, place) }
    }
    const destinationId = destinationOf(name)
    const retries = this.#retries.get(destinationId)
    if (retries === undefined) throw new InvariantError(`consumer ${name} has no retry queue`)
    const { waiting, ahead, loads: history, ...options } = this.#options
    const loop = takeFromLog({
      ...options,
      loads: options.store.loads,
      history,
      ...waiting,
      ahead: ahead.share(workspaceId),
      workspaceId,
      destinationId,
      consumer: name,
      retries,
      current: () => ({ flow: this.#flow, path: this.#path(destinationId) }),
    })
    return { cursor: new LogCursor({ ...shared, turns, log, destinationId }), loop }
  }
}

/** A consumer of the log: its place there, and what it does. */
interface Consumer {
  readonly cursor: LogCursor
  loop(cursor: LogCursor): Promise<void>
}
