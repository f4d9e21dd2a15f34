import { createDeadline, SharedBudget, StoreFullError, type Workspace } from '@sluice/core'
import { allowManyListeners } from '@sluice/core/many-listeners'
import { withDefaults } from '@sluice/core/with-defaults'
import { type Deferring, slowPlaces } from '@sluice/delivery'
import type { InTurns } from '@sluice/schema'
import { SharedPace } from '../consume/cursor/shared-pace.ts'
import { observerPace } from '../consume/observe-log.ts'
import { Quarantine } from '../consume/quarantine.ts'
import { defaultRetentionOptions } from '../consume/retention-options.ts'
import { defaultRetryOptions, type RetryOptions } from '../consume/retry/retry-options.ts'
import { createWaitInterrupts } from '../consume/retry/wait-interrupts.ts'
import { valuesPace, WorkspaceRuntime } from '../consume/workspace-runtime.ts'
import { DirectCalls } from '../direct/direct-calls.ts'
import type { ProcessResult } from '../direct/process-result.ts'
import type { EngineOptions } from '../engine-options.ts'
import { type BuiltFlow, buildFlow, type FlowParts } from '../flow/build-flow.ts'
import type { Flow } from '../flow/flow.ts'
import { MainTurns } from '../flow/main-turns.ts'
import { OutputBudget } from '../flow/output-budget.ts'
import { destinationsHalted } from '../flow/stages/closed-path.ts'
import { type IngestCall, type IngestResult, refusal } from '../ingest/ingest-call.ts'
import type { IngestErrorCode } from '../ingest/ingest-error.ts'
import { Ingestion } from '../ingest/ingestion.ts'
import { type AdmittedSource, olderDefinition, SourceAdmission } from '../ingest/source-admission.ts'
import type { IngestSource } from '../ingest/write-keys.ts'
import type { Routes } from '../ports/routes.ts'
import { UnknownOutcomeError } from '../ports/unknown-outcome-error.ts'
import { LoadHistory } from '../reports/counts/load-history.ts'
import { HistoryKeeper } from '../reports/history/history-keeper.ts'
import { MinuteMeasures } from '../reports/history/minute-measures.ts'
import { KeptDeliveries, keptDeliveriesUsual } from '../reports/kept/kept-deliveries.ts'
import { EngineErasure } from './engine-erasure.ts'
import { EngineHistory } from './engine-history.ts'
import { EngineLoads } from './engine-loads.ts'
import { EngineReplays } from './engine-replays.ts'
import { EngineReports } from './engine-reports.ts'
import { RunningWorkspaces } from './running-workspaces.ts'

/** Characters of JSON text that wait behind slow answers, of all destinations. */
const aheadMax = 64 * 1_024 * 1_024

/**
 * The pipeline of a process, for one or several workspaces: it accepts events, and runs the consumers that deliver
 * them. What else it does is in parts by subject.
 */
export class Engine {
  readonly reports: EngineReports
  readonly history: EngineHistory
  readonly loads: EngineLoads
  readonly replays: EngineReplays
  readonly erasure: EngineErasure
  readonly kept: KeptDeliveries
  readonly #options: EngineOptions
  readonly #retries: RetryOptions
  readonly #flowParts: FlowParts
  readonly #running = new RunningWorkspaces()
  /** The flow of each workspace that is in effect, with what it was built from. */
  readonly #built = new Map<string, BuiltFlow>()
  readonly #calls = new Set<Promise<unknown>>()
  readonly #ingestion: Ingestion
  readonly #directs: DirectCalls
  readonly #quarantine: Quarantine
  readonly #turns: MainTurns
  readonly #cutOff = new AbortController()
  readonly #interrupts = createWaitInterrupts()
  readonly #stopping = new AbortController()
  readonly #loadHistory: LoadHistory
  readonly #measures = new MinuteMeasures()
  readonly #keeper: HistoryKeeper
  readonly #ahead = new SharedBudget(aheadMax)
  readonly #observing = new SharedPace(observerPace)
  readonly #storing = new SharedPace(valuesPace)
  readonly #sources: SourceAdmission
  #updating: Promise<unknown> = Promise.resolve()
  #retiring: Promise<unknown> = Promise.resolve()
  #isPaused = false

  constructor(options: EngineOptions) {
    allowManyListeners(this.#cutOff.signal)
    this.#options = options
    this.#sources = new SourceAdmission({ clock: options.clock, newerRoutes: () => this.#newerRoutes })
    this.#turns = options.turns ?? new MainTurns()
    this.#quarantine = new Quarantine(options.store.crashes)
    this.#loadHistory = new LoadHistory(options.store.loads, this.#measures)
    this.#retries = withDefaults(defaultRetryOptions, options.retries)
    this.kept = new KeptDeliveries({
      clock: options.clock,
      perDestination: options.keptDeliveries ?? keptDeliveriesUsual,
      unsuppressed: (workspaceId, records) => this.reports.unsuppressed(workspaceId, records),
    })
    this.#flowParts = {
      ...options,
      watchDelivered: (workspaceId, destinationId) => this.kept.watch(workspaceId, destinationId),
      watchAnswers: (workspaceId, destinationId) => (status, ms) =>
        this.#measures.answered(workspaceId, destinationId, status, ms),
      turns: this.#turns,
      outputs: new OutputBudget(options.transformedBytesMax),
      deferring:
        this.#retries.windowMs > 0
          ? (workspaceId, destinationId) => this.#deferring(workspaceId, destinationId)
          : undefined,
    }
    this.#ingestion = new Ingestion(options, this.#turns, (workspaceId) => this.#running.flow(workspaceId), {
      received: (workspaceId, sourceId, bytes) => {
        // What was counted in the minute before is kept as that of its minute, however late the timer is.
        void this.#keeper.look()
        this.#measures.received(workspaceId, sourceId, bytes)
      },
    })
    this.#directs = new DirectCalls(options, this.#flowParts, this.#ingestion)
    const { clock, store } = options
    this.reports = new EngineReports(store, this.#running)
    this.history = new EngineHistory({ clock, store, queues: (workspaceId) => this.reports.queues(workspaceId) })
    this.#keeper = new HistoryKeeper({
      clock,
      store,
      random: options.random,
      measures: this.#measures,
      oldestWaiting: async () => {
        const ids = this.#running.runtimes.map(({ workspaceId }) => workspaceId)
        return (await Promise.all(ids.map((id) => this.history.oldestWaiting(id)))).flat()
      },
      onError: (error) => options.onError?.(error),
    })
    this.loads = new EngineLoads({
      clock,
      store,
      running: this.#running,
      history: this.#loadHistory,
      stopping: this.#stopping.signal,
    })
    this.replays = new EngineReplays(options, this.#running)
    this.erasure = new EngineErasure({
      clock,
      store,
      running: this.#running,
      interrupts: this.#interrupts,
      calls: this.#calls,
    })
  }

  get workspaces(): readonly Workspace[] {
    return this.#running.defined
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
    const useKeys = this.#sources.change(workspaces)
    const kept = new Set(workspaces.map(({ id }) => id))
    const known = new Set([
      ...this.#running.runtimes.map(({ workspaceId }) => workspaceId),
      ...(await this.#options.store.log.workspaces()),
    ])
    const gone = [...known].filter((id) => !kept.has(id)).map(emptyWorkspace)
    const changes: { readonly runtime: WorkspaceRuntime; readonly flow: Flow; readonly workspace: Workspace }[] = []
    for (const workspace of [...workspaces, ...gone]) {
      const built = this.#built.get(workspace.id)
      const running = this.#running.runtime(workspace.id)
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
      this.#running.run(runtime)
      this.#built.set(workspaceId, { workspace, flow })
      return runtime.use(flow)
    })
    useKeys()
    this.#running.defined = workspaces
    this.#keeper.start()
    this.#retiring = Promise.all([this.#retiring, this.#retire(retirements), ...halted.map((handBack) => handBack())])
  }

  /**
   * Stops reading the log, and what is under way after `deadlineMs`; events are accepted meanwhile. `resume` continues with
   * what the store lets this process read by then.
   */
  pause(deadlineMs: number): Promise<void> {
    const pause = this.#updating.then(async () => {
      this.#isPaused = true
      const stopped = this.#running.runtimes
      await Promise.all(stopped.map((runtime) => runtime.stop(deadlineMs)))
      for (const { workspaceId, flow } of stopped) this.#running.run(this.#runtime(workspaceId, flow))
    })
    this.#updating = pause.catch(() => {})
    return pause
  }

  /** Reads the log again after `pause`. */
  resume(): Promise<void> {
    const resume = this.#updating.then(async () => {
      if (!this.#isPaused || this.#isStopping) return
      const retirements: (() => Promise<void>)[] = []
      for (const runtime of this.#running.runtimes) {
        const { flow, workspaceId } = runtime
        await runtime.register(flow, !this.#running.workspace(workspaceId))
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
    await this.#running.runtime(workspaceId)?.findDeferred()
  }

  /** Lets one event go to a destination whose circuit is open in this process, before its time. */
  tryNow(workspaceId: string, destinationId: string): void {
    this.#running.runtime(workspaceId)?.tryNow(destinationId)
  }

  /** Returns the source of a write key, also a disabled one. */
  sourceOf(writeKey: string): IngestSource | undefined {
    return this.#sources.find(writeKey)
  }

  /** Finds the source of a write key that may send, before anything of the body is read. */
  authenticate(writeKey: string): AdmittedSource {
    return this.#sources.authenticate(writeKey)
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
    const admitted = this.#sources.admitAgain(sender, call.writeKey)
    if (!admitted.ok) return admitted
    if (this.#isStopping || this.#options.store.cluster?.isServing === false) return refusal('unavailable')
    const work = this.#ingestion.take(admitted.source, call)
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
    if (this.#isStopping) return refusal('unavailable')
    if (this.#newerRoutes) return refusal('unavailable', olderDefinition)
    const workspace = this.#running.workspace(authenticated.source.workspaceId)
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
      this.#running.runtimes.map((runtime) =>
        log.settled ? log.settled(runtime.workspaceId, undefined, this.#cutOff.signal) : runtime.settled(),
      ),
    )
  }

  /** Refuses new calls and lets consumers finish their batches within the deadline. The store stays open. */
  async stop(deadlineMs = 10_000): Promise<void> {
    this.#stopping.abort()
    const deadline = createDeadline(deadlineMs)
    const timer = setTimeout(() => this.#cutOff.abort(new Error('the pipeline is stopping')), deadlineMs)
    await Promise.allSettled([...this.#calls, this.#updating])
    clearTimeout(timer)
    this.#interrupts.end()
    await this.#directs.stop()
    await Promise.all(this.#running.runtimes.map((runtime) => runtime.stop(deadline.left())))
    await this.#retiring
    await this.#keeper.close(deadline.left())
    this.kept.close()
    // A store that is gone cannot say so; then the next start counts one try too many.
    await this.#quarantine.stop().catch((error) => this.#options.onError?.(error))
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted
  }

  get #newerRoutes(): Routes | undefined {
    return this.#options.store.cluster?.newerRoutes
  }

  /** Lets deliveries that began before a destination closed or paused hand their events back, which then wait for the next read. */
  async #handBack(workspaceId: string, destinationId: string): Promise<void> {
    try {
      await this.erasure.passed(workspaceId, destinationId, this.#cutOff.signal)
    } catch (error) {
      this.#options.onError?.(error)
    }
  }

  #deferring(workspaceId: string, destinationId: string): Deferring {
    const { windowMs, attemptsMin } = this.#retries
    return {
      windowMs,
      attemptsMin,
      drain: () => this.#interrupts.signal(workspaceId, destinationId),
      isHeld: (userKey) => this.#running.runtime(workspaceId)?.isHeld(destinationId, userKey) ?? false,
    }
  }

  #runtime(workspaceId: string, flow: Flow): WorkspaceRuntime {
    const { store, clock, random, receipts = true, telemetry, tap, onFailures } = this.#options
    const onError = (error: unknown) => this.#options.onError?.(error)
    return new WorkspaceRuntime(workspaceId, flow, {
      store,
      clock,
      random,
      retention: withDefaults(defaultRetentionOptions, this.#options.retention),
      receipts,
      quarantine: this.#quarantine,
      turns: this.#turns,
      telemetry,
      tap,
      onFailures,
      waiting: { ...this.#retries, slowMax: slowPlaces(this.#options.delivery?.concurrency) },
      ahead: this.#ahead,
      observing: this.#observing,
      storing: this.#storing,
      loads: this.#loadHistory,
      measures: this.#measures,
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
