import { createDeadline, identifierText, SharedBudget, StoreFullError, type Workspace } from '@sluice/core'
import { isLargerThan } from '@sluice/core/is-larger-than'
import { allowManyListeners } from '@sluice/core/many-listeners'
import { type Deferring, slowPlaces } from '@sluice/delivery'
import type { InTurns } from '@sluice/schema'
import { Quarantine } from './consume/quarantine.ts'
import { defaultRetentionOptions } from './consume/retention-options.ts'
import { defaultRetryOptions, type RetryOptions } from './consume/retry/retry-options.ts'
import { createWaitInterrupts } from './consume/retry/wait-interrupts.ts'
import { type QueueState, WorkspaceRuntime } from './consume/workspace-runtime.ts'
import { type LogReplayQuery, type ReplayStep, replayLog } from './dead-letters/log-replay.ts'
import { replayOf } from './dead-letters/replay.ts'
import { DirectCalls } from './direct/direct-calls.ts'
import type { ProcessResult } from './direct/process-result.ts'
import type { EngineOptions } from './engine-options.ts'
import { type BuiltFlow, buildFlow, type FlowParts } from './flow/build-flow.ts'
import { destinationsHalted } from './flow/closed-path.ts'
import type { Flow } from './flow/flow.ts'
import { MainTurns } from './flow/main-turns.ts'
import { OutputBudget } from './flow/output-budget.ts'
import type { EventRecord } from './flow/records-allowed.ts'
import { unsuppressed } from './flow/unsuppressed.ts'
import { type IngestCall, type IngestResult, type Refusal, refusal } from './ingest/ingest-call.ts'
import type { IngestErrorCode } from './ingest/ingest-error.ts'
import { Ingestion } from './ingest/ingestion.ts'
import { type IngestSource, WriteKeys } from './ingest/write-keys.ts'
import { circuitsOf, type DestinationCircuit } from './insight/circuits.ts'
import { type EventTrace, traceEvent } from './insight/event-trace.ts'
import { findLoadConflicts, type LoadConflict } from './insight/load-conflicts.ts'
import { LoadHistory, type LoadState } from './insight/load-history.ts'
import { type SourceStats, toStats } from './insight/stats.ts'
import { consumerNameOf } from './ports/consumer-name.ts'
import type { DeferredEvent } from './ports/deferred-event.ts'
import type { EventReceipt } from './ports/receipt-store.ts'
import { type Routes, sourceKey } from './ports/routes.ts'
import { UnknownOutcomeError } from './ports/unknown-outcome-error.ts'

/** How often the engine checks whether events have ended, and the wait in between. */
const endLooksMax = 20
const endLookMs = 50
/** Characters of dead letters that are handed to the store together when they are replayed. */
const replayLengthMax = 512 * 1_024
/** Slices of events of all destinations that wait behind slow ones; each is at most 128 KiB of JSON text, or one call. */
const slicesAheadMax = 512
const olderDefinition =
  'this process has an older definition of workspaces than another one, and cannot decide on this call: give it the same file, and restart it or send SIGHUP'
/** How often waits for destinations are interrupted while a caller waits for work under way to end. */
const interruptEveryMs = 100

/** The pipeline of a process, for one or several workspaces. */
export class Engine {
  readonly #options: EngineOptions
  readonly #retries: RetryOptions
  readonly #flowParts: FlowParts
  readonly #runtimes = new Map<string, WorkspaceRuntime>()
  /** The flow of each workspace that is in effect, with what it was built from. */
  readonly #built = new Map<string, BuiltFlow>()
  readonly #calls = new Set<Promise<unknown>>()
  readonly #ingestion: Ingestion
  readonly #directs: DirectCalls
  readonly #quarantine: Quarantine
  readonly #turns: MainTurns
  readonly #cutOff = new AbortController()
  readonly #interrupts = createWaitInterrupts()
  readonly #loads: LoadHistory
  #workspaces: readonly Workspace[] = []
  readonly #ahead = new SharedBudget(slicesAheadMax)
  readonly #writeKeys: WriteKeys
  #updating: Promise<unknown> = Promise.resolve()
  #retiring: Promise<unknown> = Promise.resolve()
  #stopped = false
  #isPaused = false

  constructor(options: EngineOptions) {
    allowManyListeners(this.#cutOff.signal)
    this.#options = options
    this.#writeKeys = new WriteKeys([], options.clock)
    this.#turns = options.turns ?? new MainTurns()
    this.#quarantine = new Quarantine(options.store.crashes)
    this.#loads = new LoadHistory(options.store.loads)
    this.#retries = { ...defaultRetryOptions, ...options.retries }
    this.#flowParts = {
      ...options,
      turns: this.#turns,
      outputs: new OutputBudget(options.transformedBytesMax),
      ...(this.#retries.windowMs > 0
        ? { deferring: (workspaceId, destinationId) => this.#deferring(workspaceId, destinationId) }
        : {}),
    }
    this.#ingestion = new Ingestion(options, this.#turns, (workspaceId) => this.#runtimes.get(workspaceId)?.flow)
    this.#directs = new DirectCalls(options, this.#flowParts, this.#ingestion)
  }

  get workspaces(): readonly Workspace[] {
    return this.#workspaces
  }

  /**
   * Replaces the workspaces: all of them or, when anything is wrong, none. Events that were accepted for a destination or a
   * workspace that is gone, in an earlier process too, become dead letters with the code `destination.gone`.
   * @throws WorkspaceProblems, RangeError (write key used twice).
   */
  use(workspaces: readonly Workspace[]): Promise<void> {
    const update = this.#updating.then(() => this.#use(workspaces))
    this.#updating = update.catch(() => {})
    return update
  }

  async #use(workspaces: readonly Workspace[]): Promise<void> {
    const useKeys = this.#writeKeys.change(workspaces)
    const kept = new Set(workspaces.map(({ id }) => id))
    const known = new Set([...this.#runtimes.keys(), ...(await this.#options.store.log.workspaces())])
    const gone = [...known].filter((id) => !kept.has(id)).map(emptyWorkspace)
    const changes: { readonly runtime: WorkspaceRuntime; readonly flow: Flow; readonly workspace: Workspace }[] = []
    for (const workspace of [...workspaces, ...gone]) {
      const built = this.#built.get(workspace.id)
      const running = this.#runtimes.get(workspace.id)
      // Processes that share the store may have left consumers for each other: there, all are looked at again.
      if (running && built?.workspace === workspace && this.#options.store.cluster === undefined) continue
      const flow =
        built?.workspace === workspace ? built.flow : await buildFlow(workspace, this.#flowParts, undefined, built)
      changes.push({ runtime: running ?? this.#runtime(workspace.id, flow), flow, workspace })
    }
    for (const { runtime, flow } of changes) {
      await runtime.register(flow, !kept.has(runtime.workspaceId))
      if (!this.#isPaused) await runtime.open()
    }
    const halted: (() => Promise<void>)[] = []
    const retirements = changes.map(({ runtime, flow, workspace }) => {
      const { workspaceId } = runtime
      for (const id of destinationsHalted(runtime.flow.destinations, flow.destinations))
        halted.push(() => this.#handBack(workspaceId, id))
      this.#runtimes.set(workspaceId, runtime)
      this.#built.set(workspaceId, { workspace, flow })
      return runtime.use(flow)
    })
    useKeys()
    this.#workspaces = workspaces
    this.#retiring = Promise.all([this.#retiring, this.#retire(retirements), ...halted.map((handBack) => handBack())])
  }

  /**
   * Stops reading the log, and what is under way after `deadlineMs`; events are accepted meanwhile. `resume` continues with
   * what the store lets this process read by then.
   */
  pause(deadlineMs: number): Promise<void> {
    const pause = this.#updating.then(async () => {
      this.#isPaused = true
      const stopped = [...this.#runtimes.values()]
      await Promise.all(stopped.map((runtime) => runtime.stop(deadlineMs)))
      for (const { workspaceId, flow } of stopped) this.#runtimes.set(workspaceId, this.#runtime(workspaceId, flow))
    })
    this.#updating = pause.catch(() => {})
    return pause
  }

  /** Reads the log again after `pause`. */
  resume(): Promise<void> {
    const resume = this.#updating.then(async () => {
      if (!this.#isPaused || this.#stopped) return
      const retirements: (() => Promise<void>)[] = []
      for (const runtime of this.#runtimes.values()) {
        const { flow, workspaceId } = runtime
        await runtime.register(flow, !this.#workspaces.some(({ id }) => id === workspaceId))
        await runtime.open()
        retirements.push(runtime.use(flow))
      }
      this.#isPaused = false
      this.#retiring = Promise.all([this.#retiring, this.#retire(retirements)])
    })
    this.#updating = resume.catch(() => {})
    return resume
  }

  /** Adds events that other processes of the store have deferred to what waits here. */
  async findDeferred(workspaceId: string): Promise<void> {
    await this.#runtimes.get(workspaceId)?.findDeferred()
  }

  /** Returns the source of a write key, also a disabled one. */
  sourceOf(writeKey: string): IngestSource | undefined {
    return this.#writeKeys.find(writeKey)
  }

  /** Finds the source of a write key that may send, before anything of the body is read. */
  authenticate(writeKey: string): { readonly ok: true; readonly source: IngestSource } | Refusal {
    if (writeKey === '') return refusal('writeKeyMissing')
    return this.#admitted(this.sourceOf(writeKey))
  }

  /** Counts a call that never became a payload (a body that is too large, not JSON, …) against its source. */
  async refuse(source: IngestSource, code: IngestErrorCode): Promise<void> {
    await this.#ingestion.countRejected(source, new Map([[code, 1]]))
  }

  /**
   * Runs work that holds this thread, such as parsing a body, in the turn of its workspace, so that one workspace does not
   * delay all others.
   */
  inTurn<T>({ workspaceId }: Pick<IngestSource, 'workspaceId'>, work: () => T): Promise<T> {
    return this.#turns.run(workspaceId, async () => work())
  }

  /** Returns a function that works on a list in the turns of a workspace, about a millisecond in each. */
  inTurns(workspaceId: string): InTurns {
    return (items, work) => this.#turns.each(workspaceId, items, work)
  }

  /**
   * Accepts events. They are durable when the promise resolves with `ok`. Never throws for anything a sender does.
   * @param sender the source that `authenticate` found for the write key; left out, it is found here.
   */
  async ingest(call: IngestCall, sender?: IngestSource): Promise<IngestResult> {
    const source = sender && this.#writeKeys.current(sender)
    const authenticated = source?.enabled ? this.#admitted(source) : this.authenticate(call.writeKey)
    if (!authenticated.ok) return authenticated
    if (this.#stopped || this.#options.store.cluster?.isServing === false) return refusal('unavailable')
    const work = this.#ingestion.take(authenticated.source, call)
    this.#calls.add(work)
    try {
      return await work
    } catch (error) {
      if (!(error instanceof StoreFullError)) this.#options.onError?.(error)
      const isUnknown = error instanceof UnknownOutcomeError
      return isUnknown ? { ...refusal('unavailable'), outcome: 'unknown' } : refusal('unavailable')
    } finally {
      this.#calls.delete(work)
    }
  }

  /**
   * Takes events through the whole flow without the log, for programs with a queue of their own. When the promise resolves,
   * each event has ended at every destination, and the result reports its failures. One call of a workspace runs at a time,
   * which keeps the order of every user; other calls wait.
   * @throws the reason of `signal` when it aborts. Nothing is counted then; what was delivered already stays delivered.
   */
  async process(call: IngestCall, signal?: AbortSignal): Promise<ProcessResult> {
    const authenticated = this.authenticate(call.writeKey)
    if (!authenticated.ok) return authenticated
    if (this.#stopped) return refusal('unavailable')
    if (this.#newerRoutes) return refusal('unavailable', olderDefinition)
    const workspace = this.#workspaces.find(({ id }) => id === authenticated.source.workspaceId)
    // Most calls have no signal of their own, and a joint one for each would have to be kept by the other.
    const stopping = signal ? AbortSignal.any([signal, this.#cutOff.signal]) : this.#cutOff.signal
    const work = this.#directs.process(workspace, authenticated.source, call, stopping)
    this.#calls.add(work)
    try {
      return await work
    } catch (error) {
      signal?.throwIfAborted()
      if (!this.#cutOff.signal.aborted) this.#options.onError?.(error)
      return refusal('unavailable')
    } finally {
      this.#calls.delete(work)
    }
  }

  /** Resolves once everything ingested so far has been observed and has ended at every destination. */
  async settled(): Promise<void> {
    const { log } = this.#options.store
    await Promise.all(
      [...this.#runtimes.values()].map((runtime) =>
        log.settled ? log.settled(runtime.workspaceId, undefined, this.#cutOff.signal) : runtime.settled(),
      ),
    )
  }

  async stats(workspaceId: string): Promise<readonly SourceStats[]> {
    const { counters, schema } = this.#options.store
    const [counts, bounds] = await Promise.all([counters.read(workspaceId), schema.bounds(workspaceId)])
    const sources = this.#workspaces.find(({ id }) => id === workspaceId)?.sources ?? []
    const countedOnly = bounds.flatMap(({ writeKey, bound, count }): [string, number][] => {
      const source = bound === 'countedOnly' && sources.find((each) => each.writeKey === writeKey)
      return source ? [[source.id, count]] : []
    })
    return toStats(counts, new Map(countedOnly))
  }

  /** Where one event went: a receipt per destination where it has ended. Empty for an id never seen or suppressed. */
  receipts(workspaceId: string, messageId: string): Promise<readonly EventReceipt[]> {
    return this.#options.store.receipts.find(workspaceId, identifierText(messageId))
  }

  /**
   * Where one event went, stage by stage, also while it is on its way. Undefined for an id never seen, for an event that
   * was suppressed, and for an event whose records have all been removed.
   */
  trace(workspaceId: string, messageId: string): Promise<EventTrace | undefined> {
    return traceEvent(
      { workspaceId, messageId: identifierText(messageId) },
      this.#options.store,
      this.#runtimes.get(workspaceId)?.flow,
    )
  }

  /** Returns the records of users who are not suppressed now; none while that cannot be decided. */
  async unsuppressed<T extends EventRecord>(workspaceId: string, records: readonly T[]): Promise<readonly T[]> {
    const flow = this.#runtimes.get(workspaceId)?.flow
    return flow && records.length > 0 ? unsuppressed(flow, records) : []
  }

  /** How far the consumers of a workspace are. */
  async queues(workspaceId: string): Promise<readonly QueueState[]> {
    return (await this.#runtimes.get(workspaceId)?.queues()) ?? []
  }

  /** Returns whether requests are sent to each destination that is enabled, in order of id, as this process knows it. */
  circuits(workspaceId: string): readonly DestinationCircuit[] {
    return circuitsOf(this.#runtimes.get(workspaceId)?.flow.destinations ?? [])
  }

  /** Returns the ids of the destinations of a workspace into which events are loaded, in order. */
  warehouses(workspaceId: string): readonly string[] {
    const destinations = this.#runtimes.get(workspaceId)?.flow.destinations ?? []
    return destinations.flatMap(({ destinationId, loader }) => (loader ? destinationId : [])).sort()
  }

  /**
   * Returns what is known of the loads into a warehouse, undefined for a destination that does not load.
   * @param attemptsMax how many of the last attempts to return, at most 100.
   */
  async loads(workspaceId: string, destinationId: string, attemptsMax?: number): Promise<LoadState | undefined> {
    if (!this.warehouses(workspaceId).includes(destinationId)) return undefined
    return this.#loads.of({ workspaceId, destinationId }, attemptsMax)
  }

  /**
   * Loads into a warehouse what was accepted so far, without waiting for its time. It also ends when a load fails, or
   * `signal` aborts; the loads continue then by themselves.
   * @returns what is known of its loads, undefined for a destination that does not load.
   */
  async syncLoads(workspaceId: string, destinationId: string, signal: AbortSignal): Promise<LoadState | undefined> {
    const { clock } = this.#options
    const state = () => this.loads(workspaceId, destinationId, 1)
    const runtime = this.#runtimes.get(workspaceId)
    const startedAt = clock.now()
    while (runtime && !this.#stopped && !signal.aborted) {
      const [last] = (await state())?.attempts ?? []
      if (last?.error !== undefined && last.startedAt >= startedAt) break
      const path = runtime.flow.destinations.find((each) => each.destinationId === destinationId)
      if (!path?.loader || path.pausedAt !== undefined || !(await runtime.isBehind(destinationId))) break
      // A consumer that is waited for loads at once.
      void runtime.passed(destinationId)
      await clock.sleep(endLookMs, signal)
    }
    return state()
  }

  /**
   * Returns the columns of a warehouse that do not fit values of events that were seen: see `findLoadConflicts`.
   * @throws an Error when the warehouse cannot be asked.
   */
  async loadConflicts(
    workspaceId: string,
    destinationId: string,
    signal: AbortSignal,
  ): Promise<readonly LoadConflict[] | undefined> {
    const workspace = this.#workspaces.find(({ id }) => id === workspaceId)
    const flow = this.#runtimes.get(workspaceId)?.flow
    const path = flow?.destinations.find((each) => each.destinationId === destinationId)
    if (workspace === undefined || path === undefined) return undefined
    const connected = new Set(
      workspace.connections.flatMap((each) => (each.destinationId === destinationId ? each.sourceId : [])),
    )
    const sources = workspace.sources.filter(({ id }) => connected.has(id))
    return findLoadConflicts(workspaceId, sources, path, this.#options.store.schema, signal)
  }

  /**
   * Sends dead letters again, from where they failed: outputs of the user transformation are sent again, and what failed
   * before starts from the first stage. Suppression is checked again. Unknown ids, and dead letters whose destination is
   * gone, are skipped. @returns how many are on their way.
   */
  async replay(workspaceId: string, ids: readonly string[]): Promise<number> {
    const { store } = this.#options
    const workspace = this.#workspaces.find(({ id }) => id === workspaceId)
    const known = new Set(workspace?.destinations.map(({ id }) => id))
    let count = 0
    type Replay = ReturnType<typeof replayOf>
    const replay = async (replays: readonly Replay[]): Promise<void> => {
      const deferred = await store.deadLetters.replay(workspaceId, replays)
      this.#deferred(workspaceId, deferred)
      count += deferred.length
    }
    let some: Replay[] = []
    // One by one, and stored when enough are together: large letters take milliseconds to pass to the store.
    for (const id of ids) {
      const letter = await store.deadLetters.find(workspaceId, id)
      if (letter && known.has(letter.destinationId)) some.push(replayOf(letter, this.#options))
      if (!isLargerThan(some, replayLengthMax)) continue
      await replay(some)
      some = []
    }
    if (some.length > 0) await replay(some)
    return count
  }

  /**
   * Runs one step of a replay of the log: see `replayLog`.
   * @returns undefined when the destination does not exist or is disabled.
   */
  async replayLog(workspaceId: string, query: LogReplayQuery): Promise<ReplayStep | undefined> {
    const runtime = this.#runtimes.get(workspaceId)
    const workspace = this.#workspaces.find(({ id }) => id === workspaceId)
    const { destinationId } = query
    if (!runtime || !workspace?.destinations.some(({ id, enabled }) => id === destinationId && enabled))
      return undefined
    return replayLog(query, {
      ...this.#options,
      workspace,
      flow: runtime.flow,
      cursor: (await this.#options.store.log.cursors(workspaceId)).get(consumerNameOf(destinationId)) ?? 0,
      room: runtime.room(destinationId),
      deferred: (events) => this.#deferred(workspaceId, events),
    })
  }

  /**
   * Resolves when all work that began before has ended: calls of `ingest`, and batches of consumers, at one destination or,
   * without one, at all. Later work checks suppression again. Until `signal` aborts, events that wait for a destination
   * that is down are deferred.
   */
  async passed(workspaceId: string, destinationId: string | undefined, signal: AbortSignal): Promise<void> {
    await Promise.allSettled(this.#calls)
    const ending = new AbortController()
    const passed = this.#runtimes
      .get(workspaceId)
      ?.passed(destinationId)
      .finally(() => ending.abort())
    // Again and again: one step may deliver several times.
    while (passed && !ending.signal.aborted && !signal.aborted) {
      this.#interrupts.interrupt(workspaceId, destinationId)
      await this.#options.clock.sleep(interruptEveryMs, ending.signal)
    }
    await passed
  }

  /** Stores the values that were observed since the last time, so that what is deleted from the store does not come back. */
  async storeValues(workspaceId: string): Promise<void> {
    await this.#runtimes.get(workspaceId)?.storeValues()
  }

  /** Ends all deferred events of suppressed users that wait in this process. */
  async endSuppressed(workspaceId: string): Promise<void> {
    await this.#runtimes.get(workspaceId)?.endAllSuppressed()
  }

  /**
   * Ends the deferred events of a suppressed user.
   * @returns whether none of them waits any more.
   */
  async endDeferred(workspaceId: string, userId: string): Promise<boolean> {
    const { store, clock } = this.#options
    for (let looks = 0; looks < endLooksMax; looks += 1) {
      const waiting = await store.retries.ofUser(workspaceId, userId)
      if (waiting.length === 0) return true
      await this.#runtimes.get(workspaceId)?.endSuppressed(waiting)
      await clock.sleep(endLookMs)
    }
    return (await store.retries.ofUser(workspaceId, userId)).length === 0
  }

  /** Refuses new calls and lets consumers finish their batches within the deadline. The store stays open. */
  async stop(deadlineMs = 10_000): Promise<void> {
    this.#stopped = true
    const deadline = createDeadline(deadlineMs)
    const timer = setTimeout(() => this.#cutOff.abort(new Error('the pipeline is stopping')), deadlineMs)
    await Promise.allSettled([...this.#calls, this.#updating])
    clearTimeout(timer)
    this.#interrupts.end()
    await this.#directs.stop()
    await Promise.all([...this.#runtimes.values()].map((runtime) => runtime.stop(deadline.left())))
    await this.#retiring
    // A store that is gone cannot say so; then the next start counts one try too many.
    await this.#quarantine.stop().catch((error) => this.#options.onError?.(error))
  }

  get #newerRoutes(): Routes | undefined {
    return this.#options.store.cluster?.newerRoutes
  }

  /**
   * Decides whether a source may send, and where its events go. When another process has a newer definition, that one decides;
   * what only that one knows is sent again, to a process that has it.
   */
  #admitted(source: IngestSource | undefined): { readonly ok: true; readonly source: IngestSource } | Refusal {
    const newer = this.#newerRoutes
    if (newer) {
      const destinationIds = source && newer.get(sourceKey(source.workspaceId, source.sourceId))
      return source && destinationIds
        ? { ok: true, source: { ...source, destinationIds, enabled: true } }
        : refusal('unavailable', olderDefinition)
    }
    if (source === undefined) return refusal('writeKeyUnknown')
    return source.enabled ? { ok: true, source } : refusal('sourceDisabled')
  }

  /** Lets deliveries that began before a destination closed or paused hand their events back: they go the way of all that wait. */
  async #handBack(workspaceId: string, destinationId: string): Promise<void> {
    try {
      await this.passed(workspaceId, destinationId, this.#cutOff.signal)
    } catch (error) {
      this.#options.onError?.(error)
    }
  }

  /** In a cluster, the store notifies the process that holds the lanes of the users. */
  #deferred(workspaceId: string, events: readonly DeferredEvent[]): void {
    if (this.#options.store.cluster === undefined) this.#runtimes.get(workspaceId)?.deferred(events)
  }

  #deferring(workspaceId: string, destinationId: string): Deferring {
    const { windowMs, attemptsMin } = this.#retries
    return {
      windowMs,
      attemptsMin,
      drain: () => this.#interrupts.signal(workspaceId, destinationId),
      isHeld: (userKey) => this.#runtimes.get(workspaceId)?.isHeld(destinationId, userKey) ?? false,
    }
  }

  #runtime(workspaceId: string, flow: Flow): WorkspaceRuntime {
    const { store, clock, random, receipts = true, telemetry, tap } = this.#options
    const onError = (error: unknown) => this.#options.onError?.(error)
    return new WorkspaceRuntime(workspaceId, flow, {
      store,
      clock,
      random,
      retention: { ...defaultRetentionOptions, ...this.#options.retention },
      receipts,
      quarantine: this.#quarantine,
      turns: this.#turns,
      ...(telemetry ? { telemetry } : {}),
      ...(tap ? { tap } : {}),
      waiting: { ...this.#retries, slowMax: slowPlaces(this.#options.delivery?.concurrency) },
      ahead: this.#ahead,
      loads: this.#loads,
      onError,
    })
  }

  /** Calls under way may still append for destinations that are gone; what they append is ended too. */
  async #retire(retirements: readonly (() => Promise<void>)[]): Promise<void> {
    try {
      await Promise.allSettled(this.#calls)
      await Promise.all(retirements.map((retire) => retire()))
    } catch (error) {
      this.#options.onError?.(error)
    }
  }
}

/** A workspace that is gone, but to which events of the log may still be owed. */
function emptyWorkspace(id: string): Workspace {
  return { id, name: id, sources: [], destinations: [], connections: [], accessTokens: [] }
}

/** An engine that does nothing before `use`. */
export function createEngine(options: EngineOptions): Engine {
  return new Engine(options)
}
