import type { Clock, Destination, Random, SourcedEvent, Workspace } from '@sluice/core'
import { createDeliverStage, type Transport } from '@sluice/delivery'
import { createDestinationTransformStage, type DestinationRegistry } from '@sluice/destinations'
import type { SuppressStage } from '@sluice/regulation'
import { createObserveStage } from '@sluice/schema'
import { createUserTransformStage, type TransformationPrograms } from '@sluice/transformations'
import { createClosedStage } from './closed-stage.ts'
import type { DestinationLine, Flow } from './flow.ts'

/** What every flow of a process is made with. */
export interface FlowParts {
  readonly suppress: SuppressStage
  readonly destinations: DestinationRegistry
  readonly programs: TransformationPrograms
  readonly transport: Transport
  readonly clock: Clock
  readonly random: Random
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
export async function buildFlow(workspace: Workspace, parts: FlowParts): Promise<Flow> {
  const problems: string[] = []
  const destinations: DestinationLine[] = []
  for (const destination of workspace.destinations) {
    const line = await buildLine(workspace, destination, parts)
    if (typeof line === 'string') problems.push(line)
    else destinations.push(line)
  }
  if (problems.length > 0) throw new WorkspaceProblems(problems)
  return { suppress: parts.suppress, observe: createObserveStage({ clock: parts.clock }), destinations }
}

/** The line of a destination that takes nothing; what waits for it ends with `reason`. */
export function closedLine(destinationId: string, reason: string): DestinationLine {
  return {
    destinationId,
    transform: [createClosedStage(reason)],
    destinationTransform: createClosedStage(reason),
    deliver: createClosedStage(reason),
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
    const compiled = await parts.programs.program(transformation)
    if (!compiled.ok)
      return `destination ${destinationId}: transformation ${transformation.name} cannot be loaded: ${compiled.error.message}`
  }
  if (!destination.enabled) return closedLine(destinationId, 'destination is disabled')

  const { transport, clock, random, programs } = parts
  const userTransform = transformation && {
    stage: createUserTransformStage({
      programs,
      transformation,
      metadataOf: metadataFor(workspace, destination),
      ...(workspace.credentials ? { credentials: workspace.credentials } : {}),
    }),
    versionId: transformation.versionId,
  }
  return {
    destinationId,
    transform: userTransform ? [userTransform.stage] : [],
    destinationTransform: createDestinationTransformStage({ definition, settings, destination }),
    deliver: createDeliverStage({ transport, clock, random }),
    ...(userTransform ? { versionId: userTransform.versionId } : {}),
  }
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
