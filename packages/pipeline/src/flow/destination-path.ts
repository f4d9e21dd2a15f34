import type { Event, SourcedEvent, Stage } from '@sluice/core'
import type { CircuitBreaker, DeliverableEvent, DeliveryHistory, Send } from '@sluice/delivery'
import type { Loader, MappedEvent } from '@sluice/destinations'
import type { OutputShare } from './output-budget.ts'
import type { Tracked } from './run-stage.ts'
import type { TryLog } from './try-log.ts'

/**
 * Requests to be delivered, with the accepted event they were made from, unchanged by user code, and what user code made
 * of it: whether they may still be sent depends on the users of both.
 */
export interface SourcedRequest extends DeliverableEvent {
  readonly source: SourcedEvent
  /** The source itself where no user code ran. */
  readonly output: SourcedEvent
}

/** An event for a destination, or what is left of one that was there before. */
export interface PathInput extends Tracked<SourcedEvent> {
  /** Outputs of the user transformation that are still to be delivered. Left out, the event starts at the first stage. */
  readonly outputs?: readonly { readonly event: Event; readonly history: DeliveryHistory }[]
}

/** The way of an event to one destination: through `before`, in order, then `map`, then `send`. */
export interface DestinationPath {
  readonly destinationId: string
  /** Whether nothing is sent: the destination is disabled or gone, and the first stage ends every event. */
  readonly isClosed?: boolean
  /** The stages that decide about events or change them: see `stagesBeforeDelivery`. */
  readonly before: readonly Stage<SourcedEvent>[]
  /** Makes the requests of an event. */
  readonly map: Stage<SourcedEvent, MappedEvent>
  readonly send: Send<SourcedRequest>
  /** Has the tries of events that the first one did not deliver. */
  readonly tries?: TryLog
  /** Loads what comes from the event log, in place of `send`, which then takes single events: retries, direct calls. */
  readonly loader?: Loader
  /** Bounds the memory for outputs of the user transformation. */
  readonly outputs?: OutputShare
  /** The version of the user transformation, for the receipts. */
  readonly versionId?: string
  /** When it was paused, in milliseconds since the epoch: then nothing is taken from the log, and nothing is tried again. */
  readonly pausedAt?: number
  /** Why it is paused, when no person did it. */
  readonly pausedBecause?: string
  /** Whether the destination works, as far as `send` knows. */
  readonly circuit?: Pick<CircuitBreaker, 'state' | 'tryNow' | 'isTryWanted'>
}

/** Wraps a stage in another one of the same name and types, to measure it or to let it wait for its turn. */
export type StageWrapper = <In, Out>(stage: Stage<In, Out>) => Stage<In, Out>

/** Returns the same path with all stages before delivery wrapped. */
export function withWrappedStages<Path extends Pick<DestinationPath, 'before' | 'map'>>(
  path: Path,
  wrap: StageWrapper,
): Path {
  return { ...path, before: path.before.map((stage) => wrap(stage)), map: wrap(path.map) }
}
