import type { Clock, Random, SourcedEvent } from '@sluice/core'
import type { Backoff } from '@sluice/delivery'
import { closedLine } from '../flow/build-flow.ts'
import { type DestinationLine, type Flow, observe, sendDown, suppress } from '../flow/flow.ts'
import type { MainTurns } from '../flow/main-turns.ts'
import type { Tracked } from '../flow/run-stage.ts'
import type { LineResult } from '../flow/settlement.ts'
import type { Tap } from '../insight/tap.ts'
import type { DeferredEvent } from '../ports/deferred-event.ts'
import type { LogBatch, LogPosition } from '../ports/event-log.ts'
import type { Store } from '../ports/store.ts'
import { around, type Telemetry } from '../ports/telemetry.ts'
import { Consumer, type Made, readBatchesMax } from './consumer.ts'
import { consumerOf, destinationOf, observer } from './consumer-names.ts'
import { LineAccounts } from './line-accounts.ts'
import { type Quarantine, quarantined } from './quarantine.ts'
import type { RetentionOptions } from './retention-options.ts'
import { RetryQueue } from './retry-queue.ts'

/** How many events go through a line together: what RudderStack sends to user code at a time. */
const lineBatchMax = 200
/** When the observer commits: what it adds to the store per commit hardly grows with the events. */
const observedPace = { ms: 500, eventsMax: 20_000 }
/** Shapes of events in one commit, more or less: how much memory their samples and schemas take is bounded by this. */
const observedVersionsMax = 1_000
/**
 * How often counters of values are stored, and the log is trimmed. The counters are not part of a commit, so what is
 * younger is lost in a crash.
 */
const upkeepEveryMs = 10_000

const nothing: Made = { counts: [], receipts: [] }

export interface RuntimeOptions {
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
  readonly retention: RetentionOptions
  /** How events wait that could not be delivered, and how many of one destination may. */
  readonly waiting: { readonly backoff: Backoff; readonly eventsMax: number }
  /** Of the process. */
  readonly quarantine: Quarantine
  /** Of the process. */
  readonly turns: MainTurns
  /** False leaves receipts out; default true. */
  readonly receipts?: boolean
  readonly telemetry?: Telemetry
  readonly tap?: Tap
  onError(error: unknown): void
}

/** How far a consumer is. */
export interface QueueState {
  /** Absent for the observer. */
  readonly destinationId?: string
  /** How long ago the oldest batch was accepted that it has not passed; 0 when there is none. */
  readonly lagMs: number
  /** Events that wait for another try. */
  readonly waiting: number
}

/** The running half of a workspace: one consumer that observes, and per destination one consumer and one queue of retries. */
export class WorkspaceRuntime {
  readonly workspaceId: string
  readonly #options: RuntimeOptions
  readonly #consumers = new Map<string, Consumer>()
  readonly #retries = new Map<string, RetryQueue>()
  #flow: Flow
  #lines: ReadonlyMap<string, DestinationLine> = new Map()
  #wanted: ReadonlySet<string> = new Set()
  /** Grows with every change, so that a retirement that waited knows whether it is still right. */
  #generation = 0
  #retiring: Promise<unknown> = Promise.resolve()

  constructor(workspaceId: string, flow: Flow, options: RuntimeOptions) {
    this.workspaceId = workspaceId
    this.#options = options
    this.#flow = flow
  }

  get flow(): Flow {
    return this.#flow
  }

  /**
   * Registers the consumers of a flow, and takes up those that still stand in the log though the workspace no longer
   * has them. To be awaited before `use` makes the destinations reachable.
   * @param gone whether the workspace itself is gone: then only what is owed is ended, and nothing new is registered.
   */
  async open(flow: Flow, gone: boolean): Promise<void> {
    this.#generation += 1
    await this.#retiring
    const { quarantine, store } = this.#options
    const { log } = store
    const names = flow.destinations.map(({ destinationId }) => consumerOf(destinationId))
    const wanted = gone ? [] : [observer, ...names]
    for (const name of wanted) await log.register(this.workspaceId, name)
    const cursors = await log.cursors(this.workspaceId)
    if (this.#consumers.size === 0) {
      const delivering = new Map([...cursors].filter(([name]) => name !== observer))
      await quarantine.open(this.workspaceId, delivering, await log.end(this.workspaceId))
    }
    for (const [name, cursor] of cursors) {
      if (this.#consumers.has(name)) continue
      // Before the consumer: what it reads must wait behind what waits already.
      if (name !== observer) await this.#openRetries(destinationOf(name))
      this.#consumers.set(name, this.#consumer(name, cursor))
    }
    // A replay may have come while its destination was taken away.
    for (const destinationId of await this.#options.store.retries.destinations(this.workspaceId))
      await this.#openRetries(destinationId)
    this.#wanted = new Set(wanted)
  }

  /**
   * Switches to another flow between two batches, and lets the consumers run.
   * @returns the retirement this change brings, to be run once nothing is appended any more for what is gone.
   */
  use(flow: Flow): () => Promise<void> {
    this.#flow = flow
    this.#lines = new Map(flow.destinations.map((line) => [line.destinationId, line]))
    for (const queue of this.#retries.values()) {
      queue.start()
      queue.wake()
    }
    for (const consumer of this.#consumers.values()) consumer.start()
    const generation = this.#generation
    return () => this.#retire(generation)
  }

  /**
   * Lets the consumers nobody wants any more end what is still owed, then forgets them. Gives way to any later change,
   * which brings a retirement of its own.
   */
  async #retire(generation: number): Promise<void> {
    if (generation !== this.#generation) return
    const end = await this.#options.store.log.end(this.workspaceId)
    const unwanted = [...this.#consumers].filter(([name]) => !this.#wanted.has(name))
    await Promise.all(
      unwanted.map(async ([name, consumer]) => {
        const ended = (await consumer.reached(end)) && (await this.#retries.get(destinationOf(name))?.empty()) !== false
        if (!ended || generation !== this.#generation) return
        const forgetting = this.#forget(name, consumer)
        this.#retiring = Promise.allSettled([this.#retiring, forgetting])
        await forgetting
      }),
    )
  }

  async #forget(name: string, consumer: Consumer): Promise<void> {
    this.#consumers.delete(name)
    this.#options.quarantine.forget(this.workspaceId, name)
    await consumer.stop(0)
    await this.#retries.get(destinationOf(name))?.stop(0)
    this.#retries.delete(destinationOf(name))
    await this.#options.store.log.unregister(this.workspaceId, name)
  }

  /** Resolves once everything appended so far has been observed and has ended at every destination. */
  async settled(): Promise<void> {
    const end = await this.#options.store.log.end(this.workspaceId)
    await Promise.all([...this.#consumers.values()].map((consumer) => consumer.reached(end)))
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

  /** Events that were stored among those to be tried. */
  deferred(events: readonly DeferredEvent[]): void {
    for (const event of events) {
      const queue = this.#retries.get(event.destinationId)
      queue?.hold([event])
      queue?.stored([event])
    }
  }

  /** How many events may still be added to those that wait for a destination. */
  room(destinationId: string): number {
    return Math.max(0, this.#options.waiting.eventsMax - (this.#retries.get(destinationId)?.length ?? 0))
  }

  /** Up to where a destination has taken the log. */
  cursor(destinationId: string): LogPosition {
    return this.#consumers.get(consumerOf(destinationId))?.cursor ?? 0
  }

  /** Resolves when everything ended that was begun before, at one destination or, without one, everywhere. */
  async passed(destinationId?: string): Promise<void> {
    const isMeant = (name: string): boolean => destinationId === undefined || name === consumerOf(destinationId)
    const consumers = [...this.#consumers].filter(([name]) => isMeant(name))
    const queues = [...this.#retries].filter(([id]) => isMeant(consumerOf(id)))
    await Promise.all(consumers.map(([, consumer]) => consumer.stepped()))
    await Promise.all(queues.map(([, queue]) => queue.tried()))
  }

  /** How far every consumer is, in order of name. */
  async queues(): Promise<readonly QueueState[]> {
    const { store, clock } = this.#options
    const consumers = [...this.#consumers].sort(([a], [b]) => (a < b ? -1 : 1))
    return Promise.all(
      consumers.map(async ([name, { cursor }]): Promise<QueueState> => {
        const [next] = await store.log.read(this.workspaceId, cursor, 1)
        const lagMs = next ? Math.max(0, clock.now() - next.receivedAt) : 0
        if (name === observer) return { lagMs, waiting: 0 }
        const destinationId = destinationOf(name)
        return { destinationId, lagMs, waiting: this.#retries.get(destinationId)?.length ?? 0 }
      }),
    )
  }

  async stop(deadlineMs: number): Promise<void> {
    const running = [...this.#consumers.values(), ...this.#retries.values()]
    await Promise.all(running.map((each) => each.stop(deadlineMs)))
    await this.#storeValues().catch((error) => this.#options.onError(error))
  }

  async #upkeep(): Promise<void> {
    const { store, clock, retention } = this.#options
    await this.#storeValues()
    await store.log.trim(this.workspaceId, { since: clock.now() - retention.ageMs, bytesMax: retention.bytesMax })
  }

  #storeValues(): Promise<void> {
    const { schema } = this.#options.store
    return this.#flow.observe.storeValues((values) => schema.mergeValues(this.workspaceId, values))
  }

  async #openRetries(destinationId: string): Promise<void> {
    if (this.#retries.has(destinationId)) return
    const { waiting, ...options } = this.#options
    const { store } = options
    const entries = await store.retries.entries(this.workspaceId, destinationId)
    const line = () => ({ line: this.#options.quarantine.inTurns(this.#line(destinationId)), flow: this.#flow })
    const { workspaceId } = this
    const queue = new RetryQueue(entries, { ...options, ...waiting, workspaceId, destinationId, line })
    this.#retries.set(destinationId, queue)
  }

  #line(destinationId: string): DestinationLine {
    return this.#lines.get(destinationId) ?? closedLine(destinationId, 'destination is gone')
  }

  #consumer(name: string, cursor: number): Consumer {
    const { store, clock, turns, telemetry, onError } = this.#options
    const { workspaceId } = this
    const shared = { clock, turns, onError, log: store.log, workspaceId, name, ...(telemetry && { telemetry }) }
    if (name === observer)
      return new Consumer(cursor, {
        ...shared,
        process: (batches, signal) => this.#observe(batches, signal),
        take: () => ({ ...nothing, observed: this.#flow.observe.take() }),
        discard: () => this.#flow.observe.discard(),
        pace: observedPace,
        upkeep: { everyMs: upkeepEveryMs, run: () => this.#upkeep() },
      })
    const destinationId = destinationOf(name)
    let accounts: LineAccounts | undefined
    let taken: LineAccounts | undefined
    return new Consumer(cursor, {
      ...shared,
      destinationId,
      readMax: () => (this.#options.quarantine.isCareful(workspaceId, name) ? 1 : readBatchesMax),
      process: async (batches, signal) => {
        const { waiting, ...options } = this.#options
        accounts = new LineAccounts({ ...options, ...waiting, workspaceId, destinationId })
        await this.#deliver(destinationId, batches, accounts, signal)
        return batches.length
      },
      take: () => {
        const made = accounts?.records() ?? nothing
        taken = accounts
        accounts = undefined
        return made
      },
      committed: ({ deferred = [] }) => {
        this.#retries.get(destinationId)?.stored(deferred)
        taken?.tell()
        taken = undefined
        this.#options.quarantine.passed(workspaceId, name, this.cursor(destinationId))
      },
      discard: () => {
        this.#retries.get(destinationId)?.discard(accounts?.records().deferred ?? [])
        accounts = undefined
      },
    })
  }

  async #observe(batches: readonly LogBatch[], signal: AbortSignal): Promise<number> {
    const allowed: (readonly Tracked<SourcedEvent>[])[] = []
    for (const batch of batches)
      allowed.push((await suppress(this.#flow, sourcedEvents([batch]), signal)).filter(isNotErased))
    for (const [index, items] of allowed.entries()) {
      const work = { kind: 'observe', workspaceId: this.workspaceId, inputs: items.length } as const
      if (items.length > 0) await around(this.#options.telemetry, work, () => observe(this.#flow, items, signal))
      if (this.#flow.observe.pendingVersions >= observedVersionsMax) return index + 1
    }
    return batches.length
  }

  async #deliver(
    destinationId: string,
    batches: readonly LogBatch[],
    accounts: LineAccounts,
    signal: AbortSignal,
  ): Promise<void> {
    const queue = this.#retries.get(destinationId)
    const { workspaceId } = this
    const name = consumerOf(destinationId)
    const { quarantine } = this.#options
    const isCareful = quarantine.isCareful(workspaceId, name)
    const sliceMax = isCareful ? 1 : lineBatchMax
    const items = sourcedEvents(batches.filter((batch) => batch.destinationIds.includes(destinationId)))
    for (let start = 0; start < items.length; start += sliceMax) {
      await queue?.room(signal)
      const slice = items.slice(start, start + sliceMax)
      const line = this.#line(destinationId)
      // Checked again: a regulation may have come while the events waited in the log.
      const allowed = (await suppress(this.#flow, slice, signal)).filter(isNotErased)
      const work = { kind: 'deliver', workspaceId, destinationId, inputs: allowed.length } as const
      // A careful consumer reads one batch at a time.
      const place = { position: batches[0]?.position ?? 0, index: start }
      const event = isCareful ? { workspaceId, consumer: name, place } : undefined
      const send = () =>
        around(this.#options.telemetry, work, () => sendDown(quarantine.inTurns(line, event), allowed, signal))
      let sent: readonly LineResult[] = []
      if (allowed.length > 0) sent = event && quarantine.isSetAside(event) ? [setAside(line)] : await send()
      const results = new Map(sent.map((result) => [result.index, result]))
      const held = accounts.records().deferred.length
      for (const [index, item] of slice.entries()) accounts.add(item, line, results.get(index))
      // At once, so that the next slice waits behind it.
      queue?.hold(accounts.records().deferred.slice(held))
    }
  }
}

/** The result of an event that is not processed, since it ended a process. */
function setAside({ transform, destinationTransform }: DestinationLine): LineResult {
  const stage = (transform.at(-1) ?? destinationTransform).name
  const ending = { kind: 'fail', error: quarantined } as const
  return { index: 0, outcome: 'failed', stage, outputs: 0, ending, deferrals: [], failed: [] }
}

/** Of an erased event there is nothing left to tell but that it was; see `EventLog.forgetUsers`. */
function isNotErased({ item }: Tracked<SourcedEvent>): boolean {
  for (const _ in item.event) return true
  return false
}

function sourcedEvents(batches: readonly LogBatch[]): readonly SourcedEvent[] {
  return batches.flatMap(({ workspaceId, sourceId, writeKey, receivedAt, events }) =>
    events.map((event) => ({ workspaceId, sourceId, writeKey, event, receivedAt })),
  )
}
