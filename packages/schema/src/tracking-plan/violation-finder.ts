import type { SourcedEvent, TrackingPlan } from '@sluice/core'
import { compilePlan, nameOf, type Violation, violationsOf, withoutMarks } from './tracking-plan-stage.ts'

/** What an event violates. */
export interface FoundViolation {
  /** The planned event, such as `track Bought` or `page`; '' when the plan does not list the event. */
  readonly planned: string
  /** Types of its violations, each once. */
  readonly types: readonly Violation['type'][]
}

/** Returns what an event violates, undefined when it violates nothing. */
export type ViolationFinder = (item: SourcedEvent) => FoundViolation | undefined

/**
 * Creates a function that checks events against the plan of their source, whatever the plan does with violations. An event
 * that the plan does not list violates it, unless the plan lets it pass.
 *
 * @param plans by source id. @throws Error when a schema of a plan cannot be compiled.
 */
export function createViolationFinder(plans: ReadonlyMap<string, TrackingPlan>): ViolationFinder {
  const compiled = new Map([...plans].map(([sourceId, plan]) => [sourceId, { plan, checks: compilePlan(plan) }]))
  return (item) => {
    const found = compiled.get(item.sourceId)
    if (found === undefined) return undefined
    const { event } = withoutMarks(item)
    const planned = nameOf({ type: event['type'], event: event['event'] })
    const problemsOf = found.checks.get(planned)
    if (problemsOf === undefined)
      return found.plan.unplanned === 'pass' ? undefined : { planned: '', types: ['Unplanned-Event'] }
    const problems = problemsOf(event)
    if (problems.length === 0) return undefined
    return { planned, types: [...new Set(violationsOf(problems).map(({ type }) => type))] }
  }
}
