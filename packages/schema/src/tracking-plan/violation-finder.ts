import type { SourcedEvent, TrackingPlan } from '@sluice/core'
import { compilePlan, nameOf } from './compile-plan.ts'
import type { InTurns } from './tracking-plan-stage.ts'
import { type Violation, violationTypesOf } from './violation.ts'
import { withoutPlanMarks } from './without-plan-marks.ts'

/** What an event violates. */
export interface FoundViolation {
  /** The planned event, such as `track Bought` or `page`; '' when the plan does not list the event. */
  readonly planned: string
  /** Types of its violations, each once. */
  readonly types: readonly Violation['type'][]
}

/** Returns what each event violates, undefined for those that violate nothing. */
export type ViolationFinder = (items: readonly SourcedEvent[]) => Promise<readonly (FoundViolation | undefined)[]>

/**
 * Creates a function that checks events against the plan of their source, whatever the plan does with violations. An event
 * that the plan does not list violates it, unless the plan lets it pass.
 *
 * @param plans by source id.
 * @param inTurns see `InTurns`. Default: all items at once.
 * @throws Error when a schema of a plan cannot be compiled.
 */
export function createViolationFinder(
  plans: ReadonlyMap<string, TrackingPlan>,
  inTurns: InTurns = async (items, work) => items.map(work),
): ViolationFinder {
  const compiled = new Map([...plans].map(([sourceId, plan]) => [sourceId, { plan, checks: compilePlan(plan) }]))
  const find = (item: SourcedEvent): FoundViolation | undefined => {
    const found = compiled.get(item.sourceId)
    if (found === undefined) return undefined
    const event = withoutPlanMarks(item.event)
    const planned = nameOf({ type: event['type'], event: event['event'] })
    const problemsOf = found.checks.get(planned)
    if (problemsOf === undefined)
      return found.plan.unplanned === 'pass' ? undefined : { planned: '', types: ['Unplanned-Event'] }
    const problems = problemsOf(event)
    if (problems.length === 0) return undefined
    return { planned, types: violationTypesOf(problems) }
  }
  return (items) => inTurns(items, find)
}
