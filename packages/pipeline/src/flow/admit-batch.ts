import { InvariantError, type SourcedEvent, type Stage } from '@sluice/core'
import type { SuppressStage } from '@sluice/regulation'
import { type Ending, runGuard, runStage, type StageRun, type Tracked } from './run-stage.ts'

/** The stages before the log. */
export interface EntryStages {
  readonly suppress: SuppressStage
  /** Stages of the embedding program that run before the log. Each passes an event on as one event, or ends it. */
  readonly beforeLog: readonly Stage<SourcedEvent>[]
}

/** What may enter the pipeline. */
export interface Admitted {
  /** Events to be accepted; `origin` is their index in the batch. */
  readonly events: readonly Tracked<SourcedEvent>[]
  /** Events that a stage of the embedding program dropped or failed. */
  readonly endings: readonly Ending[]
  readonly suppressed: number
}

/**
 * Decides which events of a batch are accepted: those that are not suppressed, as the stages of the embedding program
 * leave them. Such a stage changes nothing but the event, and not its `messageId`, which the sender knows already.
 *
 * @throws when a stage is broken: nothing may continue unchecked.
 */
export async function admitBatch(
  flow: EntryStages,
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
  flow: Pick<EntryStages, 'suppress'>,
  batch: readonly SourcedEvent[],
  signal: AbortSignal,
): Promise<readonly Tracked<SourcedEvent>[]> {
  const tracked = batch.map((item, origin) => ({ origin, item }))
  if (!batch.some((item) => flow.suppress.mayStop(item))) return tracked
  const { passed } = await runGuard(flow.suppress, tracked, signal)
  return passed
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
