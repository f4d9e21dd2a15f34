import { InvariantError, type SourcedEvent, type Stage } from '@sluice/core'
import type { Delivery } from '@sluice/delivery'
import type { MappedEvent } from '@sluice/destinations'
import type { SuppressStage } from '@sluice/regulation'
import type { ObserveStage } from '@sluice/schema'
import { type Ending, runStage, type Tracked } from './run-stage.ts'

/**
 * A request on its way, with the accepted event it was made of, as no user code has changed it: whether it may still be
 * sent is asked of the user who caused it.
 */
export interface SourcedRequest extends MappedEvent {
  readonly source: SourcedEvent
}

/** What happens to the events of one destination, in order. */
export interface DestinationLine {
  readonly destinationId: string
  /** The user transformation, and whatever stages the embedding program adds, in order. */
  readonly transform: readonly Stage<SourcedEvent>[]
  readonly destinationTransform: Stage<SourcedEvent, MappedEvent>
  readonly deliver: Stage<SourcedRequest, Delivery>
  /** The version of the user transformation in `transform`, for the receipts. */
  readonly versionId?: string
}

/**
 * The order of things: suppress, then observe and every destination. Suppression and observation are not optional:
 * a flow without them does not type-check. Source: design, Contracts.
 */
export interface Flow {
  readonly suppress: SuppressStage
  readonly observe: ObserveStage
  readonly destinations: readonly DestinationLine[]
}

/** What became of one event at one destination. */
export interface LineResult {
  /** Index of the event in the batch the line was given. */
  readonly index: number
  /** Delivered when all its outputs were; failed when any of them failed; dropped when nothing of it was left to send. */
  readonly outcome: 'delivered' | 'dropped' | 'failed'
  /** The stage it ended in. */
  readonly stage: string
  /** Requests that were delivered. */
  readonly outputs: number
  readonly ending?: Ending['outcome']
}

export interface FlowReport {
  readonly received: number
  readonly suppressed: number
  /** Per destination, one result for every event that was not suppressed at the start, in batch order. */
  readonly destinations: ReadonlyMap<string, readonly LineResult[]>
}

/**
 * Takes a batch through the whole flow without an event log, for programs that have a queue of their own: when the
 * promise resolves, every event has ended at every destination. What was observed is in `flow.observe.take()`.
 */
export async function processBatch(
  flow: Flow,
  batch: readonly SourcedEvent[],
  signal: AbortSignal = new AbortController().signal,
): Promise<FlowReport> {
  const allowed = await suppress(flow, batch, signal)
  await observe(flow, allowed, signal)
  const results = await Promise.all(flow.destinations.map((line) => sendDown(line, allowed, signal)))
  return {
    received: batch.length,
    suppressed: batch.length - allowed.length,
    destinations: new Map(flow.destinations.map(({ destinationId }, i) => [destinationId, results[i] ?? []])),
  }
}

/**
 * Runs the suppress stage alone. What it does not pass leaves no trace but its number.
 * @throws when the stage is broken: nothing may go on unchecked, and nothing may be lost as if it were suppressed.
 */
export async function suppress(
  flow: Pick<Flow, 'suppress'>,
  batch: readonly SourcedEvent[],
  signal: AbortSignal,
): Promise<readonly Tracked<SourcedEvent>[]> {
  const tracked = batch.map((item, origin) => ({ origin, item }))
  return runGovernance(flow.suppress, tracked, signal)
}

/** Runs the observe stage alone. @throws when it is broken, so that no event goes uncounted. */
export async function observe(
  flow: Flow,
  allowed: readonly Tracked<SourcedEvent>[],
  signal: AbortSignal,
): Promise<void> {
  await runGovernance(flow.observe, allowed, signal)
}

async function runGovernance(
  stage: Stage<SourcedEvent>,
  inputs: readonly Tracked<SourcedEvent>[],
  signal: AbortSignal,
): Promise<readonly Tracked<SourcedEvent>[]> {
  const endings: Ending[] = []
  const passed = await runStage(stage, inputs, endings, signal)
  for (const { outcome } of endings) if (outcome.kind === 'fail') throw new InvariantError(outcome.error.message)
  return passed
}

/** Runs one destination's line on events that passed suppression. One result per event, in the order given. */
export async function sendDown(
  line: DestinationLine,
  allowed: readonly Tracked<SourcedEvent>[],
  signal: AbortSignal,
): Promise<readonly LineResult[]> {
  const endings: Ending[] = []
  let events = allowed
  for (const stage of line.transform) events = await runStage(stage, events, endings, signal)
  const mapped = await runStage(line.destinationTransform, events, endings, signal)
  const sources = new Map(allowed.map(({ origin, item }) => [origin, item]))
  const requests = mapped.flatMap(({ origin, item }) => {
    const source = sources.get(origin)
    return source ? [{ origin, item: { ...item, source } }] : []
  })
  const delivered = await runStage(line.deliver, requests, endings, signal)
  return settle(allowed, endings, delivered, line.deliver.name)
}

function settle(
  inputs: readonly Tracked<SourcedEvent>[],
  endings: readonly Ending[],
  delivered: readonly Tracked<Delivery>[],
  lastStage: string,
): readonly LineResult[] {
  const outputs = new Map<number, number>()
  for (const { origin } of delivered) outputs.set(origin, (outputs.get(origin) ?? 0) + 1)
  // A failure outweighs a drop: of several outputs, it is the one somebody has to look at.
  const decisive = new Map<number, Ending>()
  for (const ending of endings) {
    const earlier = decisive.get(ending.origin)
    if (earlier === undefined || (earlier.outcome.kind === 'drop' && ending.outcome.kind === 'fail'))
      decisive.set(ending.origin, ending)
  }
  return inputs.map(({ origin: index }) => {
    const sent = outputs.get(index) ?? 0
    const ending = decisive.get(index)
    if (ending === undefined || (ending.outcome.kind === 'drop' && sent > 0))
      return { index, outcome: 'delivered', stage: lastStage, outputs: sent }
    const outcome = ending.outcome.kind === 'fail' ? 'failed' : 'dropped'
    return { index, outcome, stage: ending.stage, outputs: sent, ending: ending.outcome }
  })
}
