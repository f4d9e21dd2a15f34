import { type Event, InvariantError, type SourcedEvent, type Stage } from '@sluice/core'
import type { DeliverableEvent, Delivery, DeliveryHistory } from '@sluice/delivery'
import type { MappedEvent } from '@sluice/destinations'
import type { SuppressStage } from '@sluice/regulation'
import type { ObserveStage } from '@sluice/schema'
import type { LineOutputs } from './output-budget.ts'
import { type Ending, runStage, type Tracked } from './run-stage.ts'
import { type LineResult, Settlement } from './settlement.ts'

/**
 * Requests on their way, with the accepted event they were made of, as no user code has changed it: whether they may
 * still be sent is asked of the user who caused them.
 */
export interface SourcedRequest extends DeliverableEvent {
  readonly source: SourcedEvent
}

/** An event for a line, or what is left of one that was there before. */
export interface LineInput extends Tracked<SourcedEvent> {
  /** Outputs of the user transformation that are still to be delivered; left out, the line starts at its beginning. */
  readonly outputs?: readonly { readonly event: Event; readonly history: DeliveryHistory }[]
}

/** What happens to the events of one destination, in order. */
export interface DestinationLine {
  readonly destinationId: string
  /** The user transformation, and whatever stages the embedding program adds, in order. */
  readonly transform: readonly Stage<SourcedEvent>[]
  readonly destinationTransform: Stage<SourcedEvent, MappedEvent>
  readonly deliver: Stage<SourcedRequest, Delivery>
  /** Bounds what `transform` makes; left out where no user code runs. */
  readonly outputs?: LineOutputs
  /** The version of the user transformation in `transform`, for the receipts. */
  readonly versionId?: string
  /** True where nothing is ever sent: then nothing waits either. */
  readonly isClosed?: boolean
}

/**
 * The order of things: suppress, then observe and every destination. Suppression and observation are not optional:
 * a flow without them does not type-check. Source: packages/docs/decisions/0001-suppression-before-the-log.md.
 */
export interface Flow {
  readonly suppress: SuppressStage
  readonly observe: ObserveStage
  readonly destinations: readonly DestinationLine[]
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
  inputs: readonly LineInput[],
  signal: AbortSignal,
): Promise<readonly LineResult[]> {
  const fresh = inputs.filter(({ outputs }) => outputs === undefined)
  if (line.outputs === undefined || fresh.length === 0) return runLine(line, inputs, fresh, signal)
  await line.outputs.enter(fresh.length, signal)
  try {
    return await runLine(line, inputs, fresh, signal)
  } finally {
    line.outputs.leave()
  }
}

/** @param fresh the inputs that start at the beginning of the line. */
async function runLine(
  line: DestinationLine,
  inputs: readonly LineInput[],
  fresh: readonly LineInput[],
  signal: AbortSignal,
): Promise<readonly LineResult[]> {
  const settlements = new Map(inputs.map(({ origin }) => [origin, new Settlement(origin)]))
  const endings: Ending[] = []
  let events: readonly Tracked<SourcedEvent>[] = fresh
  for (const stage of line.transform) events = await runStage(stage, events, endings, signal)
  for (const ending of endings) settlements.get(ending.origin)?.ended(ending)

  const pieces: readonly Piece[] = [...events, ...inputs.flatMap(resumed)]
  const ofPieces: Ending[] = []
  const outputs = pieces.map(({ item }, origin) => ({ origin, item }))
  const mapped = await runStage(line.destinationTransform, outputs, ofPieces, signal)
  const sources = new Map(inputs.map(({ origin, item }) => [origin, item]))
  const requests = mapped.flatMap(({ origin, item }) => {
    const piece = pieces[origin]
    const source = piece && sources.get(piece.origin)
    return source ? [{ origin, item: deliverable(item, source, piece.history) }] : []
  })
  for (const { origin, item } of await runStage(line.deliver, requests, ofPieces, signal))
    settlements.get(pieces[origin]?.origin ?? Number.NaN)?.delivered(item)
  for (const ending of ofPieces) {
    const piece = pieces[ending.origin]
    if (piece) settlements.get(piece.origin)?.ended(ending, piece.item.event)
  }
  return [...settlements.values()].map((settlement) => settlement.result(line.deliver.name))
}

/** An output of the user transformation, new or from an earlier round. */
interface Piece extends Tracked<SourcedEvent> {
  readonly history?: DeliveryHistory
}

function resumed({ origin, item, outputs = [] }: LineInput): readonly Piece[] {
  return outputs.map(({ event, history }) => ({ origin, item: { ...item, event }, history }))
}

function deliverable(mapped: MappedEvent, source: SourcedEvent, history?: DeliveryHistory): SourcedRequest {
  const { receivedAt } = source
  return {
    ...mapped,
    source,
    ...(receivedAt === undefined ? {} : { receivedAt }),
    ...(history ? { history } : {}),
  }
}
