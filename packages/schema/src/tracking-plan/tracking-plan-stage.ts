import {
  drop,
  type Event,
  fail,
  isJsonObject,
  type JsonValue,
  type Outcome,
  type PlannedEvent,
  pass,
  type SourcedEvent,
  type Stage,
  type TrackingPlan,
} from '@sluice/core'
import { compilePlan, nameOf, type PlanChecks } from './compile-plan.ts'
import { planStepsMax } from './plan-compiler.ts'
import type { PlanProblem } from './plan-problem.ts'
import { stripProblems } from './strip-problems.ts'
import { isUnplanned, type Violation, violationsOf } from './violation.ts'
import { violationPlaces } from './violation-places.ts'
import { withoutPlanMarks } from './without-plan-marks.ts'

export const violationReason = 'violates the tracking plan'
export const unplannedReason = 'not in the tracking plan'

/** Most times an event is stripped, because removing a value can reveal another violation. Then the rest is marked. */
const stripsMax = 5

/** Works on items one by one, and gives others their turn in between. Returns the results in order. */
export type InTurns = <In, Out>(items: readonly In[], work: (item: In) => Out) => Promise<readonly Out[]>

/**
 * Creates the stage that validates events against the tracking plan of their source. `plans` is keyed by source id;
 * events of other sources pass. Marks that a client wrote itself are removed first. The input is never changed; a marked or stripped event is a copy. Source:
 * packages/docs/behaviour/schemas.md#tracking-plans.
 *
 * @param inTurns see `InTurns`. Default: all items at once.
 * @throws Error when a schema of a plan cannot be compiled: see `trackingPlanProblem`.
 */
export function createTrackingPlanStage(
  plans: ReadonlyMap<string, TrackingPlan>,
  inTurns: InTurns = async (items, work) => items.map(work),
): Stage<SourcedEvent> {
  const compiled = new Map(
    [...plans].map(([sourceId, plan]) => [sourceId, { plan, checks: compilePlan(plan), answers: answersOf(plan) }]),
  )
  return {
    name: 'tracking-plan',
    run: (batch) =>
      inTurns(batch, (item) => {
        const found = compiled.get(item.sourceId)
        return found === undefined ? pass(item) : check({ ...item, event: withoutPlanMarks(item.event) }, found)
      }),
  }
}

interface CompiledPlan {
  readonly plan: TrackingPlan
  readonly checks: PlanChecks
  /** What to do with violations, by `nameOf` the event. */
  readonly answers: ReadonlyMap<string, PlannedEvent['onViolation']>
}

function answersOf({ onViolation, events }: TrackingPlan): CompiledPlan['answers'] {
  return new Map(events.map((planned) => [nameOf(planned), planned.onViolation ?? onViolation]))
}

function check(item: SourcedEvent, { plan, checks, answers }: CompiledPlan): Outcome<SourcedEvent> {
  const name = nameOf({ type: item.event['type'], event: item.event['event'] })
  const problemsOf = checks.get(name)
  if (problemsOf === undefined) {
    if (plan.unplanned === 'pass') return pass(item)
    if (plan.unplanned === 'drop') return drop(unplannedReason)
    if (plan.unplanned === 'quarantine') return quarantined(`${unplannedReason} (unplanned)`)
    return pass({
      ...item,
      event: marked(item.event, [{ type: 'Unplanned-Event', path: '', message: unplannedReason }]),
    })
  }
  const onViolation = answers.get(name)
  if (onViolation === 'pass') return pass(item)
  const budget = { left: planStepsMax }
  let problems = problemsOf(item.event, budget)
  if (problems.length === 0) return pass(item)
  if (onViolation === 'drop') return drop(violationReason)
  if (onViolation === 'quarantine')
    return quarantined(`${violationReason}: ${violationPlaces(item.event, problems).join(', ')}`)
  if (onViolation === 'mark') return pass({ ...item, event: marked(item.event, violationsOf(problems)) })
  const event = structuredClone(item.event)
  const strippable = (found: readonly PlanProblem[]): readonly PlanProblem[] =>
    onViolation === 'strip-unplanned' ? found.filter(isUnplanned) : found
  for (let strips = 0; strips < stripsMax && strippable(problems).length > 0; strips += 1) {
    stripProblems(event, strippable(problems))
    problems = problemsOf(event, budget)
  }
  return pass({ ...item, event: problems.length === 0 ? event : marked(event, violationsOf(problems)) })
}

/** Fails the event, so that it is kept as a dead letter, and can be replayed after the plan or the sender is repaired. */
function quarantined(message: string): Outcome<SourcedEvent> {
  return fail({ code: 'plan.violated', message })
}

function marked(event: Event, violations: readonly Violation[]): Event {
  const context = isJsonObject(event['context']) ? event['context'] : {}
  return { ...event, context: { ...context, violationErrors: violations as unknown as JsonValue } }
}
