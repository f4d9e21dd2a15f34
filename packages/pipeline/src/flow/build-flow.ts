import type { Workspace } from '@sluice/core'
import { createViolationFinder, type ObservedFrom, type Observers, trackingPlanProblem } from '@sluice/schema'
import { buildPath, type PathParts } from './build-path.ts'
import type { DestinationPath } from './destination-path.ts'
import type { Flow } from './flow.ts'
import { stagesBeforeLog } from './own-stages.ts'

/** What the flows of all workspaces are built from. */
export interface FlowParts extends PathParts {
  readonly observers: Observers
}

/** A workspace that cannot run: one line per problem, each naming the record and what to do. */
export class WorkspaceProblems extends Error {
  override readonly name = 'WorkspaceProblems'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/**
 * Builds the flow of a workspace, with one path per destination.
 * @throws WorkspaceProblems with all problems; RangeError for a stage of the embedding program that cannot be used.
 */
export async function buildFlow(workspace: Workspace, parts: FlowParts, from?: ObservedFrom): Promise<Flow> {
  const problems = workspace.sources.flatMap(({ id, trackingPlan }) => {
    const problem = trackingPlan && trackingPlanProblem(trackingPlan)
    return problem === undefined ? [] : `source ${id}: trackingPlan: ${problem}`
  })
  if (problems.length > 0) throw new WorkspaceProblems(problems)
  const destinations: DestinationPath[] = []
  for (const destination of workspace.destinations) {
    const path = await buildPath(workspace, destination, parts)
    if (typeof path === 'string') problems.push(path)
    else destinations.push(path)
  }
  if (problems.length > 0) throw new WorkspaceProblems(problems)
  const beforeLog = stagesBeforeLog(parts.stages)
  const plans = workspace.sources.flatMap(({ id, trackingPlan }) =>
    trackingPlan ? ([[id, trackingPlan]] as const) : [],
  )
  return {
    suppress: parts.suppress,
    beforeLog,
    observe: parts.observers.of(workspace, from),
    destinations,
    ...(plans.length > 0 ? { violations: createViolationFinder(new Map(plans)) } : {}),
  }
}
