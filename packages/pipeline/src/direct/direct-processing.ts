import type { Clock, Random, SourcedEvent } from '@sluice/core'
import PQueue from '#inlined/p-queue'
import { OutcomeRecorder } from '../consume/outcome-recorder.ts'
import type { Admitted } from '../flow/admit-batch.ts'
import type { DestinationPath } from '../flow/destination-path.ts'
import { type Flow, type FlowReport, processBatch } from '../flow/flow.ts'
import type { Ending } from '../flow/run-stage.ts'
import { recordWritings, type WritingsOf } from '../ingest/record-writings.ts'
import type { CountDelta } from '../ports/stores/counter-store.ts'
import type { EventReceipt } from '../ports/stores/receipt-store.ts'
import { CountTally } from '../reports/counts/count-tally.ts'
import { countViolations } from '../reports/counts/violations.ts'
import { DirectRecords, type DirectStore } from './direct-records.ts'
import type { ProcessedAt } from './process-result.ts'

/** Batches of a workspace that may wait for their turn. */
const waitingMax = 1_000

interface DirectOptions {
  readonly workspaceId: string
  readonly store: DirectStore & WritingsOf
  readonly clock: Clock
  readonly random: Random
  onError(error: unknown): void
}

/** Processes batches of one workspace without a log, one after the other: that keeps the order of every user. */
export class DirectProcessing {
  readonly #options: DirectOptions
  readonly #queue = new PQueue({ concurrency: 1 })
  #records: DirectRecords | undefined

  constructor(options: DirectOptions) {
    this.#options = options
  }

  /** Whether another batch is to be refused: too many wait, or too much waits for a store that fails. */
  get isFull(): boolean {
    return this.#queue.size >= waitingMax || this.#records?.isFull === true
  }

  /**
   * Takes events through the flow when their turn comes. Nothing waits to be tried again, and nothing becomes a dead
   * letter: failures are returned to the caller, who still has the events.
   * @param destinationIds the destinations the events go to.
   * @param counts returns what is to be counted beside the outcomes.
   * @returns for each event, in order, what became of it at each destination; nothing for suppressed events.
   * @throws the reason of `signal` when it aborts: nothing is counted or observed then, though some may be delivered.
   */
  run(
    flow: Flow,
    items: readonly SourcedEvent[],
    destinationIds: readonly string[],
    counts: (admitted: Admitted) => readonly CountDelta[],
    signal: AbortSignal,
  ): Promise<readonly (readonly ProcessedAt[])[]> {
    return this.#queue.add(() => this.#run(flow, items, destinationIds, counts, signal), { signal })
  }

  async #run(
    flow: Flow,
    items: readonly SourcedEvent[],
    destinationIds: readonly string[],
    counts: (admitted: Admitted) => readonly CountDelta[],
    signal: AbortSignal,
  ): Promise<readonly (readonly ProcessedAt[])[]> {
    const { workspaceId, store, clock, random, onError } = this.#options
    const paths = flow.destinations.filter(({ destinationId }) => destinationIds.includes(destinationId))
    const report = await processBatch({ ...flow, destinations: paths }, items, signal, (accepted) =>
      recordWritings(store, accepted),
    )
    const processed = items.map((): ProcessedAt[] => [])
    const deltas = paths.flatMap((path) => this.#record(path, report, processed))
    this.#records ??= new DirectRecords({ workspaceId, store, observe: flow.observe, clock, random, onError })
    const violations = new CountTally(workspaceId)
    if (flow.violations)
      await countViolations(
        flow.violations,
        report.events.map(({ item }) => item),
        violations,
      )
    this.#records.add([...counts(report), ...deltas, ...violations.deltas()])
    return processed
  }

  /** Adds what became of events at a destination to `processed`. @returns what is to be counted. */
  #record(path: DestinationPath, report: FlowReport, processed: readonly ProcessedAt[][]): readonly CountDelta[] {
    const { workspaceId, clock, random } = this.#options
    const { destinationId } = path
    // Nothing is deferred here, so nothing waits.
    const backoff = { baseMs: 0, capMs: 0 }
    const recorder = new OutcomeRecorder({ workspaceId, destinationId, clock, random, backoff })
    const results = new Map(report.destinations.get(destinationId)?.map((result) => [result.index, result]))
    for (const { origin, item } of report.events) {
      const receipt = recorder.add(item, path, results.get(origin))
      if (receipt) processed[origin]?.push(processedAt(receipt))
    }
    for (const { origin, stage, outcome } of report.endings)
      processed[origin]?.push({ destinationId, stage, outputs: 0, ...endedBeforeLog(outcome) })
    return recorder.records().counts
  }

  /** Waits for the batch under way and stores what was counted. Batches that wait in the queue must be aborted before. */
  async stop(): Promise<void> {
    await this.#queue.onIdle()
    await this.#records?.stop()
  }
}

function endedBeforeLog(outcome: Ending['outcome']): Pick<ProcessedAt, 'outcome' | 'reason' | 'code'> {
  if (outcome.kind === 'drop') return { outcome: 'dropped', reason: outcome.reason }
  return { outcome: 'failed', reason: outcome.error.message, code: outcome.error.code }
}

function processedAt({ destinationId, outcome, stage, reason, code, outputs }: EventReceipt): ProcessedAt {
  return {
    destinationId,
    outcome,
    stage,
    outputs,
    reason,
    code,
  }
}
