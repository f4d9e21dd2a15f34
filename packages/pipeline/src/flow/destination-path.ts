import type { Event, SourcedEvent, Stage } from '@sluice/core'
import type { CircuitBreaker, DeliverableEvent, Delivery, DeliveryHistory } from '@sluice/delivery'
import type { Loader, MappedEvent } from '@sluice/destinations'
import type { OutputShare } from './output-budget.ts'
import type { Tracked } from './run-stage.ts'

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

/** The stages of one destination, in the order in which events pass them. A stage that is left out does not apply here. */
export interface DestinationPath {
  readonly destinationId: string
  /** Drops everything: the destination is disabled or gone. */
  readonly connect?: Stage<SourcedEvent>
  /**
   * Drops what the sender or the user of an event does not want at this destination. Only where a stage before the
   * destination transform sees events. Elsewhere the destination transform does this work, in the name of this stage.
   */
  readonly permission?: Stage<SourcedEvent>
  readonly trackingPlan?: Stage<SourcedEvent>
  /** Stages of the embedding program. */
  readonly own?: readonly Stage<SourcedEvent>[]
  readonly userTransform?: Stage<SourcedEvent>
  readonly destinationTransform: Stage<SourcedEvent, MappedEvent>
  readonly deliver: Stage<SourcedRequest, Delivery>
  /** Loads what comes from the event log, in place of `deliver`, which then takes single events: retries, direct calls. */
  readonly loader?: Loader
  /** Bounds the memory for outputs of the user transformation. */
  readonly outputs?: OutputShare
  /** The version of the user transformation, for the receipts. */
  readonly versionId?: string
  /** When it was paused, in milliseconds since the epoch: then nothing is taken from the log, and nothing is tried again. */
  readonly pausedAt?: number
  /** Why it is paused, when no person did it. */
  readonly pausedBecause?: string
  /** Whether the destination works, as far as `deliver` knows. */
  readonly circuit?: Pick<CircuitBreaker, 'state'>
}

/** Returns the stages that decide about events or change them, in order: all before the destination transform. */
export function stagesBeforeMapping(path: Omit<DestinationPath, 'destinationTransform' | 'deliver'>) {
  const { connect, permission, trackingPlan, own = [], userTransform } = path
  return [connect, permission, trackingPlan, ...own, userTransform].filter((stage) => stage !== undefined)
}

/** Wraps a stage in another one of the same name and types, to measure it or to let it wait for its turn. */
export type StageWrapper = <In, Out>(stage: Stage<In, Out>) => Stage<In, Out>

/** Returns the same path with all stages before delivery wrapped. */
export function withWrappedStages<Path extends Omit<DestinationPath, 'deliver'>>(path: Path, wrap: StageWrapper): Path {
  const { connect, permission, trackingPlan, own, userTransform, destinationTransform } = path
  return {
    ...path,
    ...(connect ? { connect: wrap(connect) } : {}),
    ...(permission ? { permission: wrap(permission) } : {}),
    ...(trackingPlan ? { trackingPlan: wrap(trackingPlan) } : {}),
    ...(own ? { own: own.map(wrap) } : {}),
    ...(userTransform ? { userTransform: wrap(userTransform) } : {}),
    destinationTransform: wrap(destinationTransform),
  }
}
