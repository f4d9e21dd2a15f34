import { InvariantError, type SourcedEvent, type Stage, type StageError } from '@sluice/core'
import type { SuppressStage } from '@sluice/regulation'
import type { ObserveStage, ViolationFinder } from '@sluice/schema'
import type { DestinationPath, PathInput, SourcedRequest } from './destination-path.ts'
import type { DestinationResult } from './destination-result.ts'
import { DestinationRun, type OutputRequests, type RunWatch } from './destination-run.ts'
import { type Ending, runGuard, runStage, type StageRun, type Tracked } from './run-stage.ts'

/**
 * The stages of a workspace, in order. Suppression and observation are not optional: a flow without them does not
 * type-check. Source: packages/docs/decisions/0001-suppression-before-the-log.md.
 *
 * The functions below are the whole path of an event. With an event log, `admitBatch` runs before the log; its consumers
 * run `suppressLogged`, and then `observe` or `runDestination`. Without a log, `processBatch` runs all of it.
 */
export interface Flow {
  readonly suppress: SuppressStage
  /** Stages of the embedding program that run before the log. Each passes an event on as one event, or ends it. */
  readonly beforeLog: readonly Stage<SourcedEvent>[]
  readonly observe: ObserveStage
  /** Finds violations of tracking plans, to be counted; only where a source has a plan. */
  readonly violations?: ViolationFinder
  readonly destinations: readonly DestinationPath[]
}

/** What may enter the pipeline. */
export interface Admitted {
  /** Events to be accepted; `origin` is their index in the batch. */
  readonly events: readonly Tracked<SourcedEvent>[]
  /** Events that a stage of the embedding program dropped or failed. */
  readonly endings: readonly Ending[]
  readonly suppressed: number
}

export interface FlowReport extends Admitted {
  readonly received: number
  /** Per destination, one result for every admitted event, in batch order. */
  readonly destinations: ReadonlyMap<string, readonly DestinationResult[]>
}

/**
 * Takes a batch through the whole flow without an event log: when the promise resolves, every event has ended at every
 * destination. What was observed is in `flow.observe.take()`.
 *
 * @param onAdmitted awaited before any destination gets the events that are accepted.
 * @throws when suppression, observation or a stage before the log is broken, and the reason of `signal` when it aborts.
 * Nothing is observed then, though requests may have been sent.
 */
export async function processBatch(
  flow: Flow,
  batch: readonly SourcedEvent[],
  signal: AbortSignal = new AbortController().signal,
  onAdmitted: (items: readonly SourcedEvent[]) => Promise<void> = async () => {},
): Promise<FlowReport> {
  const admitted = await admitBatch(flow, batch, signal)
  await onAdmitted(admitted.events.map(({ item }) => item))
  const results = await Promise.all(flow.destinations.map((path) => resultsAt(path, admitted.events, signal)))
  await observe(flow, admitted.events, signal)
  return {
    ...admitted,
    received: batch.length,
    destinations: new Map(flow.destinations.map(({ destinationId }, i) => [destinationId, results[i] ?? []])),
  }
}

/**
 * Decides which events of a batch are accepted: those that are not suppressed, as the stages of the embedding program
 * leave them. Such a stage changes nothing but the event, and not its `messageId`, which the sender knows already.
 *
 * @throws when a stage is broken: nothing may continue unchecked.
 */
export async function admitBatch(
  flow: Pick<Flow, 'suppress' | 'beforeLog'>,
  batch: readonly SourcedEvent[],
  signal: AbortSignal,
): Promise<Admitted> {
  let events = await suppress(flow, batch, signal)
  const suppressed = batch.length - events.length
  const endings: Ending[] = []
  for (const stage of flow.beforeLog) {
    const inputs = new Map(events.map(({ origin, item }) => [origin, item]))
    const run = await runStage(stage, events, signal)
    requireOneEach(stage, events.length, run)
    endings.push(...run.endings)
    events = run.passed.map(({ origin, item }) => ({ origin, item: withEventOf(item, inputs.get(origin) ?? item) }))
  }
  return { events, endings, suppressed }
}

/**
 * Runs the suppress stage alone. A suppressed event leaves no trace but its number.
 * @throws what the stage throws: nothing may continue unchecked, and nothing may be lost as if it were suppressed.
 */
export async function suppress(
  flow: Pick<Flow, 'suppress'>,
  batch: readonly SourcedEvent[],
  signal: AbortSignal,
): Promise<readonly Tracked<SourcedEvent>[]> {
  const tracked = batch.map((item, origin) => ({ origin, item }))
  if (!batch.some((item) => flow.suppress.mayStop(item))) return tracked
  const { passed } = await runGuard(flow.suppress, tracked, signal)
  return passed
}

/**
 * Runs the suppress stage on events of the log: a regulation may have come while they waited. Erased events are left
 * out, too: only their place in the log remains (see `EventLog.forgetUsers`). @throws as `suppress`.
 */
export async function suppressLogged(
  flow: Pick<Flow, 'suppress'>,
  batch: readonly SourcedEvent[],
  signal: AbortSignal,
): Promise<readonly Tracked<SourcedEvent>[]> {
  return (await suppress(flow, batch, signal)).filter(({ item }) => !isErased(item))
}

/** Runs the observe stage alone. @throws when it is broken, so that no event goes uncounted. */
export async function observe(
  flow: Pick<Flow, 'observe'>,
  events: readonly Tracked<SourcedEvent>[],
  signal: AbortSignal,
): Promise<void> {
  await runGuard(flow.observe, events, signal)
}

/**
 * Takes events that are not suppressed through the stages of one destination. Production, retries, the Test API and
 * offline tests all run this function.
 * @param ended called once for each event, as soon as its result is known: others may still be on their way.
 */
export async function runDestination(
  path: DestinationPath,
  inputs: readonly PathInput[],
  signal: AbortSignal,
  ended: (result: DestinationResult) => void,
  watch?: RunWatch,
): Promise<void> {
  const run = new DestinationRun(inputs, signal, ended, watch)
  await mapped(path, run, signal, (requests) => run.send(path.send, requests))
}

/**
 * Takes events to something that collects their requests, in place of sending them.
 * @param collect returns why it does not take a request, undefined when it does.
 * @param ended called once for each event. What is collected counts as delivered: the caller records it once it is stored.
 */
export async function collectAt(
  path: DestinationPath,
  inputs: readonly PathInput[],
  signal: AbortSignal,
  collect: (item: SourcedRequest) => StageError | undefined,
  ended: (result: DestinationResult) => void,
): Promise<void> {
  const run = new DestinationRun(inputs, signal, ended)
  await mapped(path, run, signal, async (requests) => run.collect(collect, requests))
}

/** Takes the events of a run to their requests, and holds the memory for outputs of user code until `use` is done with them. */
async function mapped(
  path: DestinationPath,
  run: DestinationRun,
  signal: AbortSignal,
  use: (requests: readonly OutputRequests[]) => Promise<void>,
): Promise<void> {
  const { fresh } = run
  const share = fresh.length > 0 ? path.outputs : undefined
  const leave = await share?.enter(fresh.length, signal)
  try {
    let events = fresh
    for (const stage of path.before) events = await run.through(stage, events)
    await use(await run.map(path.map, events))
  } finally {
    leave?.()
  }
}

/** Runs `runDestination`, and waits for all events. @returns one result per event, in the order given. */
export async function resultsAt(
  path: DestinationPath,
  inputs: readonly PathInput[],
  signal: AbortSignal,
  watch?: RunWatch,
): Promise<readonly DestinationResult[]> {
  const results = new Map<number, DestinationResult>()
  await runDestination(path, inputs, signal, (result) => results.set(result.index, result), watch)
  return inputs.map(({ origin }) => {
    const result = results.get(origin)
    if (result === undefined) throw new InvariantError(`event ${origin} has not ended at ${path.destinationId}`)
    return result
  })
}

/** A stage before the log may fail events, one by one, but answers once for each. @throws InvariantError */
function requireOneEach(stage: Stage<SourcedEvent>, inputs: number, { passed, endings }: StageRun<SourcedEvent>): void {
  for (const { outcome } of endings)
    if (outcome.kind === 'fail' && outcome.error.code === 'stage.broken')
      throw new InvariantError(outcome.error.message)
  if (passed.length + endings.length !== inputs)
    throw new InvariantError(`stage ${stage.name} is broken: before the log, it may pass on only one event for each`)
}

function withEventOf({ event }: SourcedEvent, original: SourcedEvent): SourcedEvent {
  const { messageId } = original.event
  return {
    ...original,
    event: event.messageId === messageId || messageId === undefined ? event : { ...event, messageId },
  }
}

/** Returns whether only the place of an event in the log remains. */
export function isErased({ event }: SourcedEvent): boolean {
  for (const _ in event) return false
  return true
}
