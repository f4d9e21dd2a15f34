import {
  drop,
  type Event,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Outcome,
  type PlannedEvent,
  pass,
  type SourcedEvent,
  type Stage,
  type TrackingPlan,
} from '@sluice/core'
import { pointerOf } from '@sluice/core/json-schema'
import { createPlanCompiler } from './plan-compiler.ts'
import type { PlanCheck, PlanProblem } from './plan-problem.ts'

/** A violation of the plan, as listed in `context.violationErrors`. */
export interface Violation {
  readonly type: 'Required-Missing' | 'Datatype-Mismatch' | 'Additional-Property' | 'Unplanned-Event' | 'Other'
  /** Place of the violation as a JSON Pointer; '' is the event itself. */
  readonly path: string
  /** Contains keys and rules, never values. */
  readonly message: string
}

export const violationReason = 'violates the tracking plan'
export const unplannedReason = 'not in the tracking plan'

/** Most violations reported per event. */
const violationsMax = 50
/** Most times an event is stripped, because removing a value can reveal another violation. Then the rest is marked. */
const stripsMax = 5

/** Returns why a plan cannot be used, that is, an invalid schema; undefined when it is valid. */
export function trackingPlanProblem(plan: TrackingPlan): string | undefined {
  try {
    compilePlan(plan)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/**
 * Creates the stage that validates events against the tracking plan of their source. `plans` is keyed by source id;
 * events of other sources pass. Marks that a client wrote itself are removed first. The input is never changed; a marked or stripped event is a copy. Source:
 * packages/docs/behaviour/schemas.md#tracking-plans.
 *
 * @throws Error when a schema of a plan cannot be compiled: see `trackingPlanProblem`.
 */
export function createTrackingPlanStage(plans: ReadonlyMap<string, TrackingPlan>): Stage<SourcedEvent> {
  const compiled = new Map([...plans].map(([sourceId, plan]) => [sourceId, { plan, checks: compilePlan(plan) }]))
  return {
    name: 'tracking-plan',
    mutatesInput: false,
    run: async (batch) =>
      batch.map((item) => {
        const found = compiled.get(item.sourceId)
        return found === undefined ? pass(item) : check(withoutMarks(item), found.plan, found.checks)
      }),
  }
}

export type PlanChecks = ReadonlyMap<string, PlanCheck>

/** @throws Error when a schema cannot be compiled. @returns a check for each planned event, by `nameOf`. */
export function compilePlan({ events }: TrackingPlan): PlanChecks {
  const compile = createPlanCompiler()
  return new Map(events.map((planned) => [nameOf(planned), compileOne(compile, planned)]))
}

function compileOne(compile: (schema: JsonObject) => PlanCheck, planned: PlannedEvent): PlanCheck {
  try {
    if (planned.schema['$async'] !== undefined) throw new Error('$async is not supported; leave it out')
    return compile(planned.schema)
  } catch (error) {
    // ajv runs out of stack for some wrong references.
    const isOutOfStack = error instanceof RangeError
    const text = isOutOfStack
      ? 'a $ref leads to itself or to nothing'
      : error instanceof Error
        ? error.message
        : String(error)
    throw new Error(`the schema of ${planned.type} ${planned.event ?? ''} cannot be used: ${text}`)
  }
}

/** Returns the name by which a plan knows an event: `track` and its own name, or the type. */
export function nameOf(named: { readonly type?: unknown; readonly event?: unknown } & object): string {
  const { type, event } = named
  return type === 'track' ? `track ${typeof event === 'string' ? event : ''}` : String(type)
}

function check(item: SourcedEvent, plan: TrackingPlan, checks: PlanChecks): Outcome<SourcedEvent> {
  const problemsOf = checks.get(nameOf({ type: item.event['type'], event: item.event['event'] }))
  if (problemsOf === undefined) {
    if (plan.unplanned === 'pass') return pass(item)
    if (plan.unplanned === 'drop') return drop(unplannedReason)
    return pass({
      ...item,
      event: marked(item.event, [{ type: 'Unplanned-Event', path: '', message: unplannedReason }]),
    })
  }
  let problems = problemsOf(item.event)
  if (problems.length === 0) return pass(item)
  if (plan.onViolation === 'drop') return drop(violationReason)
  if (plan.onViolation === 'mark') return pass({ ...item, event: marked(item.event, violationsOf(problems)) })
  const event = structuredClone(item.event)
  for (let strips = 0; strips < stripsMax && problems.length > 0; strips += 1) {
    strip(event, problems)
    problems = problemsOf(event)
  }
  return pass({ ...item, event: problems.length === 0 ? event : marked(event, violationsOf(problems)) })
}

export function violationsOf(problems: readonly PlanProblem[]): readonly Violation[] {
  return problems.slice(0, violationsMax).map(({ keyword, at, message }) => ({
    type: violationTypes[keyword] ?? 'Other',
    path: pointerOf(at),
    message,
  }))
}

const violationTypes: Readonly<Record<string, Violation['type']>> = {
  required: 'Required-Missing',
  type: 'Datatype-Mismatch',
  additionalProperties: 'Additional-Property',
  unevaluatedProperties: 'Additional-Property',
}

/** Returns the event without marks of violations: only the check of the plan writes them, so that they can be relied on. */
export function withoutMarks(item: SourcedEvent): SourcedEvent {
  const { context } = item.event
  if (!isJsonObject(context) || !Object.hasOwn(context, 'violationErrors')) return item
  const { violationErrors: _, ...others } = context
  return { ...item, event: { ...item.event, context: others } }
}

function marked(event: Event, violations: readonly Violation[]): Event {
  const context = isJsonObject(event['context']) ? event['context'] : {}
  return { ...event, context: { ...context, violationErrors: violations as unknown as JsonValue } }
}

/** Removes the values that problems refer to. The event itself, and missing values, cannot be removed. */
function strip(event: Event, problems: readonly PlanProblem[]): void {
  const places = problems.filter(({ keyword }) => keyword !== 'required').map(placeOf)
  // From the end, so that removing list items does not move places that are still to be removed.
  const apart = new Map(places.map((place) => [JSON.stringify(place.keys), place])).values()
  for (const { keys, keepsPlaces } of [...apart].sort((a, b) => comparePlaces(b.keys, a.keys))) {
    const last = keys.at(-1)
    if (last === undefined) continue
    let at: JsonValue | undefined = event
    for (const key of keys.slice(0, -1)) {
      at = typeof at === 'object' && at !== null ? (at as JsonObject)[key] : undefined
    }
    if (isJsonObject(at)) delete (at as Record<string, unknown>)[last]
    else if (!Array.isArray(at)) continue
    else if (keepsPlaces) at[Number(last)] = null
    else at.splice(Number(last), 1)
  }
}

interface Place {
  readonly keys: readonly string[]
  /**
   * True for an item of a list with a schema for each position: it is emptied, so that later items keep their
   * positions.
   */
  readonly keepsPlaces: boolean
}

function placeOf({ at, member, keepsPlaces }: PlanProblem): Place {
  return { keys: member === undefined ? at : [...at, member], keepsPlaces }
}

/** Compares places in document order as far as it matters: items by index, and inner places after outer ones. */
function comparePlaces(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((key, index) => key !== b[index])
  const [left, right] = [a[at], b[at]]
  if (left === undefined || right === undefined) return a.length - b.length
  return indexOf(left) - indexOf(right) || (left < right ? -1 : 1)
}

const indexOf = (key: string): number => (/^\d+$/.test(key) ? Number(key) : Number.POSITIVE_INFINITY)
