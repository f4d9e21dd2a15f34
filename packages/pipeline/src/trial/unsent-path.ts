import type { Destination, TrackingPlan, Workspace } from '@sluice/core'
import type { DestinationDefinition } from '@sluice/destinations/kit'
import { createTrackingPlanStage, createViolationFinder, type ViolationFinder } from '@sluice/schema'
import { type PathParts, stagesBeforeDelivery } from '../flow/build-path.ts'
import type { DestinationPath } from '../flow/destination-path.ts'
import { leftOutSend } from '../flow/stages/left-out-stage.ts'
import { wrapStage } from '../flow/stages/wrap-stage.ts'

/** A destination as its workspace has it. */
export interface PlacedDestination {
  readonly workspace: Workspace
  readonly destination: Destination
  readonly definition: DestinationDefinition
}

interface UnsentPathParts extends Pick<PathParts, 'programs' | 'clock' | 'onCodeLog'> {
  /** Runs work that holds the thread when it is its turn. Default: immediately. */
  inTurn?<T>(work: () => T): Promise<T>
}

/** A path that sends nothing, and what the events on it violate. */
interface UnsentPath {
  readonly path: DestinationPath
  /** Absent when no source of the workspace has a tracking plan. */
  readonly violations?: ViolationFinder
}

/**
 * Returns the path of a destination with the stages of production: permission, tracking plans, user code and mapping, with
 * the settings of its connections. Nothing is sent, counted or observed. Plans are compiled once, however often it is called.
 * @throws Error when a schema of a tracking plan cannot be compiled.
 */
export function unsentPath(
  { workspace, destination, definition }: PlacedDestination,
  { inTurn = async (work) => work(), ...parts }: UnsentPathParts,
): UnsentPath {
  const { id: destinationId, settings } = destination
  const plans = new Map<string, TrackingPlan>(
    workspace.sources.flatMap(({ id, trackingPlan }) => (trackingPlan ? [[id, trackingPlan]] : [])),
  )
  const { before, map } = stagesBeforeDelivery({
    workspace,
    destination,
    definition,
    settings,
    connections: workspace.connections.filter(
      (each) => each.destinationId === destinationId && each.settings !== undefined,
    ),
    parts,
    trackingPlan: plans.size > 0 ? createTrackingPlanStage(plans) : undefined,
  })
  const path = {
    destinationId,
    before,
    map: wrapStage(map, async (batch, signal) => inTurn(() => map.run(batch, signal))),
    send: leftOutSend,
  }
  return plans.size > 0 ? { path, violations: createViolationFinder(plans) } : { path }
}
