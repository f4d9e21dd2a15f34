import type { Clock, SourcedEvent } from '@sluice/core'
import { suppressedReason } from '@sluice/regulation'
import { closedLine } from './build-flow.ts'
import { Consumer } from './consumer.ts'
import { CountTally } from './count-tally.ts'
import { utcDay } from './counters.ts'
import type { LogBatch, Progress } from './event-log.ts'
import { type DestinationLine, type Flow, type LineResult, observe, sendDown, suppress } from './flow.ts'
import type { EventReceipt } from './receipts.ts'
import type { Tracked } from './run-stage.ts'
import type { Store } from './store.ts'

/** How many events go through a line together: what the reference sends to user code at a time. */
const lineBatchMax = 200
const reasonLengthMax = 200
const observer = 'observe'
const consumerPrefix = 'destination/'
/** Reads of the observer in one commit: what it adds to the store per commit hardly grows with the events. */
const observedReadsPerCommit = 10
/** Shapes of events in one commit, more or less: how much memory their samples and schemas take is bounded by this. */
const observedVersionsMax = 1_000
/** How often counters of values are stored. They are not part of a commit, so what is younger is lost in a crash. */
const storeValuesEveryMs = 10_000

type Made = Pick<Progress, 'counts' | 'receipts' | 'observed'>
const nothing: Made = { counts: [], receipts: [] }

export interface RuntimeOptions {
  readonly store: Store
  readonly clock: Clock
  /** How many batches the log keeps behind all consumers. */
  readonly keepBatches: number
  onError(error: unknown): void
}

/** The running half of a workspace: one consumer that observes, and one per destination. */
export class WorkspaceRuntime {
  readonly workspaceId: string
  readonly #options: RuntimeOptions
  readonly #consumers = new Map<string, Consumer>()
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
    const { log } = this.#options.store
    const names = flow.destinations.map(({ destinationId }) => consumerPrefix + destinationId)
    const wanted = gone ? [] : [observer, ...names]
    for (const name of wanted) await log.register(this.workspaceId, name)
    for (const [name, cursor] of await log.cursors(this.workspaceId)) {
      if (this.#consumers.has(name)) continue
      this.#consumers.set(name, this.#consumer(name, cursor))
    }
    this.#wanted = new Set(wanted)
  }

  /**
   * Switches to another flow between two batches, and lets the consumers run.
   * @returns the retirement this change brings, to be run once nothing is appended any more for what is gone.
   */
  use(flow: Flow): () => Promise<void> {
    this.#flow = flow
    this.#lines = new Map(flow.destinations.map((line) => [line.destinationId, line]))
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
        const ended = await consumer.reached(end)
        if (!ended || generation !== this.#generation) return
        const forgetting = this.#forget(name, consumer)
        this.#retiring = Promise.allSettled([this.#retiring, forgetting])
        await forgetting
      }),
    )
  }

  async #forget(name: string, consumer: Consumer): Promise<void> {
    this.#consumers.delete(name)
    await consumer.stop(0)
    await this.#options.store.log.unregister(this.workspaceId, name)
  }

  /** Resolves once everything appended so far has been observed and has ended at every destination. */
  async settled(): Promise<void> {
    const end = await this.#options.store.log.end(this.workspaceId)
    await Promise.all([...this.#consumers.values()].map((consumer) => consumer.reached(end)))
  }

  async stop(deadlineMs: number): Promise<void> {
    await Promise.all([...this.#consumers.values()].map((consumer) => consumer.stop(deadlineMs)))
    await this.#storeValues().catch((error) => this.#options.onError(error))
  }

  #storeValues(): Promise<void> {
    const { schema } = this.#options.store
    return this.#flow.observe.storeValues((values) => schema.mergeValues(this.workspaceId, values))
  }

  #consumer(name: string, cursor: number): Consumer {
    const { store, ...rest } = this.#options
    const shared = { ...rest, log: store.log, workspaceId: this.workspaceId, name }
    if (name === observer)
      return new Consumer(cursor, {
        ...shared,
        process: (batches, signal) => this.#observe(batches, signal),
        take: () => ({ ...nothing, observed: this.#flow.observe.take() }),
        discard: () => this.#flow.observe.discard(),
        readsPerCommit: observedReadsPerCommit,
        upkeep: { everyMs: storeValuesEveryMs, run: () => this.#storeValues() },
      })
    let made = nothing
    return new Consumer(cursor, {
      ...shared,
      process: async (batches, signal) => {
        made = await this.#deliver(name.slice(consumerPrefix.length), batches, signal)
        return batches.length
      },
      take: () => {
        const taken = made
        made = nothing
        return taken
      },
      discard: () => {
        made = nothing
      },
    })
  }

  async #observe(batches: readonly LogBatch[], signal: AbortSignal): Promise<number> {
    const allowed: (readonly Tracked<SourcedEvent>[])[] = []
    for (const batch of batches) allowed.push(await suppress(this.#flow, sourcedEvents([batch]), signal))
    for (const [index, items] of allowed.entries()) {
      await observe(this.#flow, items, signal)
      if (this.#flow.observe.pendingVersions >= observedVersionsMax) return index + 1
    }
    return batches.length
  }

  async #deliver(destinationId: string, batches: readonly LogBatch[], signal: AbortSignal): Promise<Made> {
    const tally = new CountTally(this.workspaceId)
    const receipts: EventReceipt[] = []
    const items = sourcedEvents(batches.filter((batch) => batch.destinationIds.includes(destinationId)))
    for (let start = 0; start < items.length; start += lineBatchMax) {
      const slice = items.slice(start, start + lineBatchMax)
      const line = this.#lines.get(destinationId) ?? closedLine(destinationId, 'destination is gone')
      // Checked again: a regulation may have come while the events waited in the log.
      const allowed = await suppress(this.#flow, slice, signal)
      const results = new Map((await sendDown(line, allowed, signal)).map((result) => [result.index, result]))
      slice.forEach((item, index) => {
        const result = results.get(index)
        if (result === undefined || isSuppressed(result)) {
          // Suppressed before the line, or on its way down: its number is all that is kept.
          tally.add(item.sourceId, destinationId, 'dropped', suppressedReason, 1)
          tally.add(item.sourceId, destinationId, 'suppressed', utcDay(this.#options.clock.now()), 1)
          return
        }
        tally.add(item.sourceId, destinationId, result.outcome, countedReason(result), 1)
        tally.add(item.sourceId, destinationId, 'outputs', '', result.outputs)
        receipts.push(receiptOf(item, line, result, this.#options.clock.now()))
      })
    }
    return { counts: tally.deltas(), receipts }
  }
}

function sourcedEvents(batches: readonly LogBatch[]): readonly SourcedEvent[] {
  return batches.flatMap(({ workspaceId, sourceId, writeKey, receivedAt, events }) =>
    events.map((event) => ({ workspaceId, sourceId, writeKey, event, receivedAt })),
  )
}

/** Not so when a part of it had been delivered before: that part is told like any other. */
function isSuppressed({ outcome, ending }: LineResult): boolean {
  return outcome === 'dropped' && ending?.kind === 'drop' && ending.reason === suppressedReason
}

/**
 * Counters get the code of a failure, not its message, which may hold values of the event. The reason of a drop may be
 * the embedding program's: it is cut, and made storable.
 */
function countedReason({ ending }: LineResult): string {
  if (ending === undefined) return ''
  return ending.kind === 'drop' ? Buffer.from(ending.reason.slice(0, reasonLengthMax)).toString() : ending.error.code
}

function receiptOf(item: SourcedEvent, line: DestinationLine, result: LineResult, at: number): EventReceipt {
  const { ending, outcome, stage, outputs } = result
  return {
    workspaceId: item.workspaceId,
    messageId: item.event.messageId ?? '',
    sourceId: item.sourceId,
    destinationId: line.destinationId,
    outcome,
    stage,
    outputs,
    at,
    ...(ending?.kind === 'drop' ? { reason: ending.reason } : {}),
    ...(ending?.kind === 'fail' ? { reason: ending.error.message, code: ending.error.code } : {}),
    ...(line.versionId === undefined ? {} : { versionId: line.versionId }),
  }
}
