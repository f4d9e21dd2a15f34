import type { Destination, TrackingPlan, Workspace } from '@sluice/core'
import { changedPart } from '@sluice/core/changed-part'
import {
  createTrackingPlanStage,
  createViolationFinder,
  type InTurns,
  type ObservedFrom,
  type Observers,
  preparePlan,
  trackingPlanProblem,
} from '@sluice/schema'
import { buildPath, connectionsWithSettings, type PathParts, type SharedOfPaths } from './build-path.ts'
import type { DestinationPath } from './destination-path.ts'
import type { Flow } from './flow.ts'
import { MainTurns } from './main-turns.ts'
import { stagesBeforeLog } from './stages/own-stages.ts'

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

/** A flow, and the workspace it was built from. */
export interface BuiltFlow {
  readonly workspace: Workspace
  readonly flow: Flow
}

/**
 * Builds the flow of a workspace, with one path per destination.
 * @param before an earlier flow of the workspace: its paths are used again where the objects that define them are the same.
 * @throws WorkspaceProblems with all problems; RangeError for a stage of the embedding program that cannot be used.
 */
export async function buildFlow(
  workspace: Workspace,
  parts: FlowParts,
  from?: ObservedFrom,
  before?: BuiltFlow,
): Promise<Flow> {
  const isKnown = before?.workspace.sources === workspace.sources
  const plans = plansOf(workspace, before?.workspace)
  const { turns = new MainTurns() } = parts
  for (const plan of plans.values()) await preparePlan(plan, (work) => turns.run(workspace.id, async () => work()))
  const problems = isKnown ? [] : planProblems(plans)
  if (problems.length > 0) throw new WorkspaceProblems(problems)
  const inTurns: InTurns = (items, work) => turns.each(workspace.id, items, work)
  const shared: SharedOfPaths = {
    connections: connectionsWithSettings(workspace),
    trackingPlan: plans.size > 0 ? createTrackingPlanStage(plans, inTurns) : undefined,
  }
  const reusable = before && pathsToReuse(workspace, before, shared)
  const built = await turns.slices(workspace.id, workspace.destinations, pathsPerTurn, (destinations) =>
    destinations.map((each) => reusable?.get(each) ?? buildPath(workspace, each, parts, shared)),
  )
  const destinations: DestinationPath[] = []
  for (const path of await Promise.all(built)) {
    if (typeof path === 'string') problems.push(path)
    else destinations.push(path)
  }
  if (problems.length > 0) throw new WorkspaceProblems(problems)
  const violations = isKnown
    ? before?.flow.violations
    : plans.size > 0
      ? createViolationFinder(plans, inTurns)
      : undefined
  return {
    suppress: parts.suppress,
    beforeLog: stagesBeforeLog(parts.stages),
    observe: parts.observers.of(workspace, from),
    destinations,
    violations,
  }
}

/** Paths that are built in one turn: roughly a millisecond. */
const pathsPerTurn = 20

function planProblems(plans: ReadonlyMap<string, TrackingPlan>): string[] {
  return [...plans].flatMap(([id, plan]) => {
    const problem = trackingPlanProblem(plan)
    return problem === undefined ? [] : `source ${id}: trackingPlan: ${problem}`
  })
}

/** Plans by the sources that have them: these may be many, and most of them are the same after a change. */
const plansBySources = new WeakMap<Workspace['sources'], ReadonlyMap<string, TrackingPlan>>()

function plansOf({ sources }: Workspace, before?: Workspace): ReadonlyMap<string, TrackingPlan> {
  const plans =
    plansBySources.get(sources) ??
    samePlans(sources, before?.sources) ??
    new Map<string, TrackingPlan>(sources.flatMap(({ id, trackingPlan }) => (trackingPlan ? [[id, trackingPlan]] : [])))
  plansBySources.set(sources, plans)
  return plans
}

/** Returns the plans that the sources had before, unless a source that changed has a plan. */
function samePlans(
  sources: Workspace['sources'],
  before: Workspace['sources'] = [],
): ReadonlyMap<string, TrackingPlan> | undefined {
  const known = plansBySources.get(before)
  const { removed, added } = changedPart(before, sources)
  return known && ![...removed, ...added].some(({ trackingPlan }) => trackingPlan) ? known : undefined
}

/** Returns the paths that can stay, by the destination they belong to. */
function pathsToReuse(
  workspace: Workspace,
  { workspace: old, flow }: BuiltFlow,
  { connections }: SharedOfPaths,
): ReadonlyMap<Destination, DestinationPath> {
  // A path knows all sources, and the credentials of its user code.
  if (old.sources !== workspace.sources || old.credentials !== workspace.credentials) return new Map()
  const before = connectionsWithSettings(old)
  const isSame = (id: string): boolean => {
    const [a = [], b = []] = [before.get(id), connections.get(id)]
    return a.length === b.length && a.every((each, index) => each === b[index])
  }
  return new Map(
    old.destinations.flatMap((destination, index): [Destination, DestinationPath][] => {
      const path = flow.destinations[index]
      return path && isSame(destination.id) ? [[destination, path]] : []
    }),
  )
}
