import type { Clock, Destination, Random, SourcedEvent, Stage, Workspace } from '@sluice/core'
import {
  createCircuitBreaker,
  createDeliverStage,
  type Deferring,
  ownedTransport,
  type Transport,
} from '@sluice/delivery'
import { createDestinationTransformStage, createPermissionStage, type DestinationRegistry } from '@sluice/destinations'
import type { SuppressStage } from '@sluice/regulation'
import { createTrackingPlanStage, type ObservedFrom, type Observers, trackingPlanProblem } from '@sluice/schema'
import { createUserTransformStage, type TransformationPrograms } from '@sluice/transformations'
import type { Telemetry } from '../ports/telemetry.ts'
import { createClosedStage } from './closed-stage.ts'
import type { DeliveryOptions } from './delivery-options.ts'
import type { DestinationLine, Flow, SourcedRequest } from './flow.ts'
import { MainTurns } from './main-turns.ts'
import { measuredStage } from './measured-stage.ts'
import { OutputBudget } from './output-budget.ts'
import { createSuppressionRecheck } from './suppression-recheck.ts'

/** What every flow of a process is made with. */
export interface FlowParts {
  readonly suppress: SuppressStage
  readonly observers: Observers
  readonly destinations: DestinationRegistry
  readonly programs: TransformationPrograms
  readonly transport: Transport
  /** What differs from the defaults of the deliver stage. */
  readonly delivery?: DeliveryOptions
  readonly clock: Clock
  readonly random: Random
  /** Who takes events back that cannot be delivered yet; left out, they fail. */
  deferring?(workspaceId: string, destinationId: string): Deferring
  /** What the workspaces of a process share; left out, a flow has turns of its own. */
  readonly turns?: MainTurns
  /** What they share of the memory for what user code makes; left out, a flow has a budget of its own. */
  readonly outputs?: OutputBudget
  /** Told what the stages of destinations do. */
  readonly telemetry?: Telemetry
  /** Told when a destination is left alone because it fails, and when it takes something again. */
  onCircuit?(circuit: { readonly workspaceId: string; readonly destinationId: string; readonly isOpen: boolean }): void
  /** Told of failures that are got over without help, here or in the engine. */
  onError?(error: unknown): void
}

/** A workspace that cannot run as it is; one line per problem, each naming the record and the way out. */
export class WorkspaceProblems extends Error {
  override readonly name = 'WorkspaceProblems'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/**
 * Makes the flow of a workspace: one line per destination. User code is compiled here, so that code which cannot load
 * is refused before any event meets it.
 * @throws WorkspaceProblems with all of them at once.
 */
export async function buildFlow(workspace: Workspace, parts: FlowParts, from?: ObservedFrom): Promise<Flow> {
  const problems = workspace.sources.flatMap(({ id, trackingPlan }) => {
    const problem = trackingPlan && trackingPlanProblem(trackingPlan)
    return problem === undefined ? [] : `source ${id}: trackingPlan: ${problem}`
  })
  if (problems.length > 0) throw new WorkspaceProblems(problems)
  const destinations: DestinationLine[] = []
  for (const destination of workspace.destinations) {
    const line = await buildLine(workspace, destination, parts)
    if (typeof line === 'string') problems.push(line)
    else destinations.push(line)
  }
  if (problems.length > 0) throw new WorkspaceProblems(problems)
  return { suppress: parts.suppress, observe: parts.observers.of(workspace, from), destinations }
}

/** The line of a destination that takes nothing; what waits for it ends with `reason`. */
export function closedLine(destinationId: string, reason: string): DestinationLine {
  return {
    destinationId,
    transform: [createClosedStage(reason)],
    destinationTransform: createClosedStage(reason),
    deliver: createClosedStage(reason),
    isClosed: true,
  }
}

async function buildLine(
  workspace: Workspace,
  destination: Destination,
  parts: FlowParts,
): Promise<DestinationLine | string> {
  const { id: destinationId, settings, transformation } = destination
  const definition = parts.destinations.get(destination.type)
  if (definition === undefined) {
    const known = parts.destinations.list().map(({ type }) => type)
    return `destination ${destinationId} has the unknown type ${destination.type}; known types: ${known.join(', ')}`
  }
  if (transformation !== undefined) {
    const compiled = await parts.programs.program(transformation, workspace.id)
    if (!compiled.ok)
      return `destination ${destinationId}: transformation ${transformation.name} cannot be loaded: ${compiled.error.message}`
  }
  if (!destination.enabled) return closedLine(destinationId, 'destination is disabled')

  const { turns = new MainTurns(), clock, random } = parts
  const transport = ownedTransport(parts.transport, workspace.id)
  const { circuit, ...sending } = parts.delivery ?? {}
  const outputs = (parts.outputs ?? new OutputBudget()).line(workspace.id)
  const userTransform = userTransformStage(workspace, destination, parts, (bytes) => outputs.made(bytes))
  const changing = [...trackingPlanStages(workspace), ...(userTransform ? [userTransform] : [])]
  const measured = <In, Out>(stage: Stage<In, Out>): Stage<In, Out> =>
    parts.telemetry ? measuredStage(stage, { workspaceId: workspace.id, destinationId }, parts.telemetry) : stage
  return {
    destinationId,
    // Where nothing changes events, the destination-transform stage asks the same.
    transform: changing.length === 0 ? [] : [createPermissionStage(definition, settings), ...changing].map(measured),
    destinationTransform: turns.stage(
      workspace.id,
      measured(createDestinationTransformStage({ definition, settings, destination, clock })),
    ),
    deliver: measured(
      createDeliverStage<SourcedRequest>({
        transport,
        clock,
        random,
        ...sending,
        breaker: createCircuitBreaker({
          clock,
          ...circuit,
          onChange: (isOpen) => parts.onCircuit?.({ workspaceId: workspace.id, destinationId, isOpen }),
        }),
        destination: { definition, settings },
        reasonsToDrop: createSuppressionRecheck(parts),
        ...(parts.deferring ? { deferring: parts.deferring(workspace.id, destinationId) } : {}),
      }),
    ),
    ...(transformation ? { versionId: transformation.versionId, outputs } : {}),
  }
}

/** The stage that runs the transformation of a destination; undefined when it has none. */
export function userTransformStage(
  workspace: Workspace,
  destination: Destination,
  { programs }: Pick<FlowParts, 'programs'>,
  onOutput?: (bytes: number) => void,
): Stage<SourcedEvent> | undefined {
  const { transformation } = destination
  if (transformation === undefined) return undefined
  return createUserTransformStage({
    programs,
    transformation,
    metadataOf: metadataFor(workspace, destination),
    ...(workspace.credentials ? { credentials: workspace.credentials } : {}),
    ...(onOutput ? { onOutput } : {}),
  })
}

function trackingPlanStages({ sources }: Workspace) {
  const plans = sources.flatMap(({ id, trackingPlan }) => (trackingPlan ? ([[id, trackingPlan]] as const) : []))
  return plans.length > 0 ? [createTrackingPlanStage(new Map(plans))] : []
}

function metadataFor(workspace: Workspace, destination: Destination) {
  const sourceNames = new Map(workspace.sources.map(({ id, name }) => [id, name]))
  return ({ sourceId }: SourcedEvent) => ({
    sourceName: sourceNames.get(sourceId),
    destinationId: destination.id,
    destinationType: destination.type,
    destinationName: destination.name,
  })
}
