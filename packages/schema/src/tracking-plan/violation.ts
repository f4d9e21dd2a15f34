import { pointerOf } from '@sluice/json-schema'
import type { PlanProblem } from './plan-problem.ts'

/** A violation of the plan, as listed in `context.violationErrors`. */
export interface Violation {
  readonly type: 'Required-Missing' | 'Datatype-Mismatch' | 'Additional-Property' | 'Unplanned-Event' | 'Other'
  /** Place of the violation as a JSON Pointer; '' is the event itself. A long one is cut. */
  readonly path: string
  /** Contains keys and rules, never values. A long one is cut. */
  readonly message: string
}

/** Most violations reported per event. */
const violationsMax = 50
/** Longest text of a violation, in characters: it may have whole rules of the plan, or keys of the event. */
const textMax = 300
/** Most characters of all violations of an event, besides the first one. */
const allTextsMax = 10_000

/** Returns what is reported of problems: few of them, and little of each, because every destination gets it. */
export function violationsOf(problems: readonly PlanProblem[]): readonly Violation[] {
  const violations: Violation[] = []
  let length = 0
  for (const problem of problems) {
    const path = cut(pointerOf(problem.at.slice(0, textMax).map((key) => key.slice(0, textMax))))
    const message = cut(problem.message)
    length += path.length + message.length
    if (violations.length >= violationsMax || (violations.length > 0 && length > allTextsMax)) break
    violations.push({ type: violationTypeOf(problem), path, message })
  }
  return violations
}

const types: Readonly<Record<string, Violation['type']>> = {
  required: 'Required-Missing',
  type: 'Datatype-Mismatch',
  additionalProperties: 'Additional-Property',
  unevaluatedProperties: 'Additional-Property',
}

/** Returns the types of the violations that are reported, each once. */
export function violationTypesOf(problems: readonly PlanProblem[]): readonly Violation['type'][] {
  return [...new Set(problems.slice(0, violationsMax).map(violationTypeOf))]
}

/** Whether a value is at a place that the schema does not have. */
export function isUnplanned(problem: PlanProblem): boolean {
  return violationTypeOf(problem) === 'Additional-Property'
}

/** Returns the type by which a problem is reported and counted. */
export function violationTypeOf({ keyword }: PlanProblem): Violation['type'] {
  return types[keyword] ?? 'Other'
}

/** Cuts between characters. */
function cut(text: string): string {
  if (text.length <= textMax) return text
  return `${text.slice(0, textMax - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
