import type { Clock, Random, SourcedEvent } from '@sluice/core'
import PQueue from 'p-queue'
import { LineAccounts } from '../consume/line-accounts.ts'
import { type Flow, observe, sendDown, suppress } from '../flow/flow.ts'
import type { CountDelta } from '../ports/counters.ts'
import type { EventReceipt } from '../ports/receipts.ts'
import type { Store } from '../ports/store.ts'
import { DirectRecords } from './direct-records.ts'

/** Batches of a workspace that may wait for their turn. */
const waitingMax = 1_000

/** What became of an event at one destination. */
export type ProcessedAt = Pick<EventReceipt, 'destinationId' | 'outcome' | 'stage' | 'reason' | 'code' | 'outputs'>

export interface DirectOptions {
  readonly workspaceId: string
  readonly store: Pick<Store, 'counters' | 'schema'>
  readonly clock: Clock
  readonly random: Random
  onError(error: unknown): void
}

/** Batches of one workspace that come without a log, one after the other: that keeps the order of every user. */
export class DirectProcessing {
  readonly #options: DirectOptions
  readonly #turns = new PQueue({ concurrency: 1 })
  #records: DirectRecords | undefined

  constructor(options: DirectOptions) {
    this.#options = options
  }

  /** Whether so many batches wait, or so much for a store that fails, that another one is to be refused. */
  get isFull(): boolean {
    return this.#turns.size >= waitingMax || this.#records?.isFull === true
  }

  /**
   * Takes events through the flow when their turn comes. Nothing waits to be tried again, and nothing becomes a dead letter:
   * what failed is told to the caller, who has them still.
   * @param destinationIds those that owe the events an outcome.
   * @param counts what is to be counted beside the outcomes.
   * @returns per event, in order, what became of it; nothing of suppressed ones.
   * @throws the reason of `signal` when it aborts: nothing is counted or observed then, though some may be delivered.
   */
  run(
    flow: Flow,
    items: readonly SourcedEvent[],
    destinationIds: readonly string[],
    counts: (allowed: number) => readonly CountDelta[],
    signal: AbortSignal,
  ): Promise<readonly (readonly ProcessedAt[])[]> {
    return this.#turns.add(() => this.#run(flow, items, destinationIds, counts, signal), { signal })
  }

  async #run(
    flow: Flow,
    items: readonly SourcedEvent[],
    destinationIds: readonly string[],
    counts: (allowed: number) => readonly CountDelta[],
    signal: AbortSignal,
  ): Promise<readonly (readonly ProcessedAt[])[]> {
    const { workspaceId, store, clock, random, onError } = this.#options
    const allowed = await suppress(flow, items, signal)
    const lines = flow.destinations.filter(({ destinationId }) => destinationIds.includes(destinationId))
    const sent = await Promise.all(lines.map((line) => sendDown(line, allowed, signal)))
    signal.throwIfAborted()
    const processed = items.map((): ProcessedAt[] => [])
    const deltas = lines.flatMap((line, i) => {
      const { destinationId } = line
      const backoff = { baseMs: 0, capMs: 0 }
      const accounts = new LineAccounts({ workspaceId, destinationId, clock, random, backoff })
      const results = new Map(sent[i]?.map((result) => [result.index, result]))
      for (const { origin, item } of allowed) {
        const receipt = accounts.add(item, line, results.get(origin))
        if (receipt) processed[origin]?.push(processedAt(receipt))
      }
      return accounts.records().counts
    })
    await observe(flow, allowed, signal)
    this.#records ??= new DirectRecords({ workspaceId, store, observe: flow.observe, clock, onError })
    this.#records.add([...counts(allowed.length), ...deltas])
    return processed
  }

  /** Ends what is under way and stores what was counted. Batches that wait are not waited for: stop them before. */
  async stop(): Promise<void> {
    await this.#turns.onIdle()
    await this.#records?.stop()
  }
}

function processedAt({ destinationId, outcome, stage, reason, code, outputs }: EventReceipt): ProcessedAt {
  return {
    destinationId,
    outcome,
    stage,
    outputs,
    ...(reason === undefined ? {} : { reason }),
    ...(code === undefined ? {} : { code }),
  }
}
