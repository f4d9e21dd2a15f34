import { detectors, type Event, type JsonValue, type TrackingPlan } from '@sluice/core'
import { personalName } from '../infer/personal-name.ts'
import { createPersonalDataMask, hiddenValue, type PersonalDataMask } from '../observe/personal-data.ts'
import { compareCodePoints } from '../shapes/compare-code-points.ts'
import { compilePlan, nameOf } from '../tracking-plan/compile-plan.ts'
import type { PlanProblem } from '../tracking-plan/plan-problem.ts'
import { type Violation, violationTypeOf } from '../tracking-plan/violation.ts'
import { keyPathOf, keysOf, memberOf } from '../tracking-plan/violation-places.ts'
import { withoutPlanMarks } from '../tracking-plan/without-plan-marks.ts'

/** Violations of one kind at one place. */
export interface ViolationGroup {
  /** The planned event, such as `track Bought`; for events that the plan does not list, their own name. */
  readonly event: string
  /** Dotted key path; items of lists as `[]`; '' is the event itself. */
  readonly path: string
  readonly type: Violation['type']
  /** Word of JSON Schema that is not met, such as `required`; `unplanned` for events that the plan does not list. */
  readonly rule: string
  /** Events that have it. */
  readonly count: number
  /** Their share of the events of that name. */
  readonly share: number
  readonly first: {
    readonly messageId?: string
    /** The value at the place, personal data masked; absent where there is none. */
    readonly value?: JsonValue
    readonly message: string
  }
}

/** What events would violate. */
export interface PlanReviewReport {
  readonly events: number
  /** Events with at least one violation. */
  readonly violating: number
  /** By name, those with the most violating events first. */
  readonly groups: readonly ViolationGroup[]
  /** Violations that are counted in no group, because there are too many groups. */
  readonly leftOut: number
}

/** Checks events by a plan, and groups what they violate. */
export interface PlanReview {
  add(event: Event): void
  report(): PlanReviewReport
}

const groupsMax = 1_000
/** Characters of a value that is shown. */
const valueLengthMax = 200

type Found = Pick<ViolationGroup, 'event' | 'path' | 'type' | 'rule' | 'first'>

/**
 * Creates a review of events by a plan, whatever the plan does with violations. Events that the plan lets pass without a check
 * are checked, too: the review is for the time before it is enforced.
 *
 * @param mask what samples must not show. Default: all personal data that is recognised.
 * @throws Error when a schema of the plan cannot be compiled: see `trackingPlanProblem`.
 * @example
 * ```ts
 * import { createPlanReview } from '@sluice/schema'
 *
 * const schema = { required: ['properties'] }
 * const review = createPlanReview({ onViolation: 'mark', unplanned: 'pass', events: [{ type: 'page', schema }] })
 * review.add({ type: 'page', userId: 'u1' })
 * console.log(review.report().groups[0]?.path) // properties
 * ```
 */
export function createPlanReview(
  plan: TrackingPlan,
  mask: PersonalDataMask = createPersonalDataMask({ maskPaths: [], detectors }),
): PlanReview {
  const checks = compilePlan(plan)
  const groups = new Map<string, Found & { count: number }>()
  const byName = new Map<string, number>()
  let [events, violating, leftOut] = [0, 0, 0]
  const count = (found: Found): void => {
    const key = JSON.stringify([found.event, found.path, found.rule])
    const known = groups.get(key)
    if (known !== undefined) known.count += 1
    else if (groups.size < groupsMax) groups.set(key, { ...found, count: 1 })
    else leftOut += 1
  }
  return {
    add(event) {
      events += 1
      const { type, event: called } = event
      const planned = nameOf({ type, event: called })
      const name = maskedName(planned, mask)
      if (byName.has(name) || byName.size < groupsMax) byName.set(name, (byName.get(name) ?? 0) + 1)
      const check = checks.get(planned)
      const about = messageIdOf(event, mask)
      if (check === undefined) {
        if (plan.unplanned === 'pass') return
        violating += 1
        const first = { ...about, message: 'is not in the tracking plan' }
        return count({ event: name, path: '', type: 'Unplanned-Event', rule: 'unplanned', first })
      }
      const clean = withoutPlanMarks(event)
      const found = new Map<string, Found>()
      for (const problem of check(clean)) {
        const each = foundOf(clean, name, problem, mask)
        const key = `${each.rule} ${each.path}`
        if (!found.has(key)) found.set(key, { ...each, first: { ...about, ...each.first } })
      }
      if (found.size > 0) violating += 1
      for (const each of found.values()) count(each)
    },
    report: () => ({
      events,
      violating,
      groups: [...groups.values()]
        .map((group) => ({ ...group, share: group.count / Math.max(group.count, byName.get(group.event) ?? 0) }))
        .sort((a, b) => b.count - a.count || compareCodePoints(textOf(a), textOf(b))),
      leftOut,
    }),
  }
}

function textOf({ event, path, rule }: Found): string {
  return JSON.stringify([event, path, rule])
}

function foundOf(event: Event, name: string, problem: PlanProblem, mask: PersonalDataMask): Found {
  const { keyword, message } = problem
  const keys = keysOf(problem)
  const value = keyword === 'required' ? undefined : valueAt(event, keys)
  return {
    event: name,
    path: keyPathOf(event, keys, mask.key),
    type: violationTypeOf(problem),
    rule: keyword,
    first: { ...(value === undefined ? {} : { value: shownValue(value, keys, mask) }), message: mask.key(message) },
  }
}

/** Names of track events are what senders wrote. */
function maskedName(name: string, mask: PersonalDataMask): string {
  return mask.key(name).slice(0, valueLengthMax)
}

function messageIdOf({ messageId }: Event, mask: PersonalDataMask): { readonly messageId?: string } {
  // Ids are needed to find an event again; one that contains an address is no reason to show that.
  return typeof messageId === 'string' && mask.value(messageId) === messageId ? { messageId } : {}
}

function valueAt(event: Event, keys: readonly string[]): JsonValue | undefined {
  return keys.reduce<JsonValue | undefined>(memberOf, event)
}

function shownValue(value: JsonValue, keys: readonly string[], mask: PersonalDataMask): JsonValue {
  if (mask.hides(keys.join('.')) || keys.some((key) => personalName(key) !== undefined)) return hiddenValue
  // Objects and lists may hold what only the rest of the event shows to be personal.
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object'
  if (typeof value !== 'string') return value === null ? null : mask.value(value)
  const shown = String(mask.value(mask.cut(value, valueLengthMax)))
  return value.length > valueLengthMax ? `${shown}…` : shown
}
