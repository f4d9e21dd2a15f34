import type { JsonObject, PlannedEvent, TrackingPlan } from '@sluice/core'
import { hashText } from '@sluice/core/hash'
import type { Pausing } from '@sluice/json-schema'
import { finished } from './finished.ts'
import { allStepsMax, createPlanCompiler } from './plan-compiler.ts'
import type { PlanCheck } from './plan-problem.ts'

/** A check for each planned event, by `nameOf`. */
export type PlanChecks = ReadonlyMap<string, PlanCheck>

/** Runs a part of long work in a turn of its own, so that others get theirs in between. */
export type InOwnTurn = <T>(work: () => T) => Promise<T>

/** What a plan has become: its checks, or why it cannot be used. */
type Compiled = ({ readonly checks: PlanChecks } | { readonly problem: string }) & {
  /** Steps that it took, which its memory grows with. */
  readonly steps: number
}

/** Most steps of all plans that are remembered, beside those in use: one of the largest. */
const recentStepsMax = allStepsMax
/** What is counted for the memory of a plan that cannot be used. */
const leastSteps = 1_000
/** Time after which others get their turn while a plan is compiled. One part of it may take longer. */
const turnMs = 5

const known = new WeakMap<readonly PlannedEvent[], Compiled>()
/** By the hash of the planned events, the one that was used last at the end. */
const recent = new Map<string, Compiled>()

/**
 * Returns the checks of a plan. A plan is compiled once, however often it is used; to do so in turns, call
 * `preparePlan` before.
 * @throws Error when a schema cannot be used: see `trackingPlanProblem`.
 */
export function compilePlan(plan: TrackingPlan): PlanChecks {
  const found = finished(compiling(plan.events))
  if ('problem' in found) throw new Error(found.problem)
  return found.checks
}

/**
 * Returns why a plan cannot be used, that is, an invalid schema; undefined when it is valid.
 * @example
 * ```ts
 * import { trackingPlanProblem } from '@sluice/schema'
 *
 * console.log(trackingPlanProblem({ unplanned: 'pass', onViolation: 'mark', events: [] })) // undefined
 * ```
 */
export function trackingPlanProblem(plan: TrackingPlan): string | undefined {
  const found = finished(compiling(plan.events))
  return 'problem' in found ? found.problem : undefined
}

/** Compiles a plan part by part, so that it is known when it is used. What is wrong with it is reported there. */
export async function preparePlan({ events }: Pick<TrackingPlan, 'events'>, inTurn: InOwnTurn): Promise<void> {
  if (known.has(events)) return
  const parts = compiling(events)
  const untilTurnEnds = (): boolean => {
    const end = performance.now() + turnMs
    for (;;) {
      if (parts.next().done === true) return true
      if (performance.now() >= end) return false
    }
  }
  while (!(await inTurn(untilTurnEnds))) {
    // The next turn continues.
  }
}

/** Compiles planned events, unless they are known. */
function* compiling(events: readonly PlannedEvent[]): Pausing<Compiled> {
  const before = known.get(events)
  if (before) return before
  const key = hashText('sha256', JSON.stringify(events))
  yield
  const compiled = recent.get(key) ?? (yield* compilingNew(events))
  keep(events, key, compiled)
  return compiled
}

function keep(events: readonly PlannedEvent[], key: string, compiled: Compiled): void {
  known.set(events, compiled)
  recent.delete(key)
  recent.set(key, compiled)
  let steps = 0
  for (const each of recent.values()) steps += each.steps
  for (const [oldest, each] of recent) {
    if (steps <= recentStepsMax || oldest === key) return
    recent.delete(oldest)
    steps -= each.steps
  }
}

function* compilingNew(events: readonly PlannedEvent[]): Pausing<Compiled> {
  const checks = new Map<string, PlanCheck>()
  const all = { left: allStepsMax }
  try {
    const compile = createPlanCompiler(all)
    for (const planned of events) {
      checks.set(nameOf(planned), yield* compiledEvent(compile, planned))
      yield
    }
    return { checks, steps: allStepsMax - all.left }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error), steps: leastSteps }
  }
}

function* compiledEvent(
  compile: (schema: JsonObject) => Pausing<PlanCheck>,
  planned: PlannedEvent,
): Pausing<PlanCheck> {
  try {
    if (planned.schema['$async'] !== undefined) throw new Error('$async is not supported; leave it out')
    return yield* compile(planned.schema)
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
