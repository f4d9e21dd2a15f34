import { InvariantError, type SourcedEvent, type StageError } from '@sluice/core'
import type { ObserveStage, ViolationFinder } from '@sluice/schema'
import { type Admitted, admitBatch, type EntryStages, suppress } from './admit-batch.ts'
import type { DestinationPath, PathInput, SourcedRequest } from './destination-path.ts'
import type { DestinationResult } from './destination-result.ts'
import { DestinationRun, type RunWatch } from './destination-run.ts'
import { runGuard, type Tracked } from './run-stage.ts'

/**
 * The stages of a workspace, in order. Suppression and observation are not optional: a flow without them does not
 * type-check. Source: packages/docs/decisions/0001-suppression-before-the-log.md.
 *
 * The functions below are the path of an event behind the log; `admit-batch.ts` is the part before it. With an event log,
 * `accept` runs `admitBatch`, and consumers run `suppressLogged`, and then `observe` or `runDestination`. Without a log, `processBatch` runs all of it.
 */
export interface Flow extends EntryStages {
  readonly observe: ObserveStage
  /** Finds violations of tracking plans, to be counted; only where a source has a plan. */
  readonly violations?: ViolationFinder
  readonly destinations: readonly DestinationPath[]
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
  await run.toRequests(path, (requests) => run.send(path.send, requests))
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
  await run.toRequests(path, async (requests) => run.collect(collect, requests))
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

/** Returns whether only the place of an event in the log remains. */
export function isErased({ event }: SourcedEvent): boolean {
  for (const _ in event) return false
  return true
}
