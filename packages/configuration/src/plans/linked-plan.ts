import { eventTypes, isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import type { Part } from '../rudder-project/resource.ts'
import { eventSchema } from '../rudder-project/tracking-plan-of.ts'
import {
  objectsIn,
  type PlanPart,
  type PlanParts,
  projectCustomType,
  projectPart,
  projectProperty,
  projectRule,
  textOf,
} from './plan-parts.ts'

/** What is wrong with a stored plan. */
interface PlanRefusal {
  readonly message: string
}

/**
 * Returns the tracking plan that a source linked to a stored plan has: the schema of each event, and what violations of
 * its type cost. Types of events that the plan does not name pass, except calls of track, which `allowUnplannedEvents`
 * decides about.
 */
export function linkedPlan(plan: PlanPart, config: JsonObject, parts: PlanParts): JsonObject | PlanRefusal {
  const refusals: string[] = []
  const catalogue = {
    properties: mapped(parts.property, (part) => projectProperty(part, parts)),
    customTypes: mapped(parts.customType, projectCustomType),
    report: ({ file, path }: Part, value: string, allowed: string) =>
      void refusals.push(`${path} (${file}) has ${value}; allowed is: ${allowed}`),
  }
  const planned = objectsIn(plan.body['events']).flatMap((rule): readonly JsonObject[] => {
    const event = parts.event.get(textOf(rule, 'id'))
    if (event === undefined) return []
    const type = textOf(event.body, 'eventType')
    const onViolation = onViolationOf(config[type])
    const name = type === 'track' ? { event: textOf(event.body, 'name') } : {}
    const schema = eventSchema(projectPart(event, projectRule(rule)), type, catalogue)
    return [{ type, ...name, schema, onViolation }]
  })
  const [refusal] = refusals
  if (refusal !== undefined) return { message: refusal }
  const types = new Set(planned.map(({ type }) => type))
  const others = eventTypes
    .filter((type) => type !== 'track' && !types.has(type))
    .map((type) => ({ type, schema: {}, onViolation: 'pass' }))
  return { onViolation: 'mark', unplanned: unplannedOf(config['track']), events: [...planned, ...others] }
}

/** Whether what `linkedPlan` returned is a refusal. */
export function isRefused(result: JsonObject | PlanRefusal): result is PlanRefusal {
  return 'message' in result
}

/** Returns what violations of a type of events cost, from the words of RudderStack's API. */
function onViolationOf(config: JsonValue | undefined): 'pass' | 'mark' | 'strip-unplanned' | 'drop' {
  const { anyOtherViolation, unplannedProperties, propagateValidationErrors } = isJsonObject(config) ? config : {}
  if (anyOtherViolation === 'drop') return 'drop'
  if (unplannedProperties === 'drop') return 'strip-unplanned'
  return propagateValidationErrors === 'false' ? 'pass' : 'mark'
}

function unplannedOf(config: JsonValue | undefined): 'pass' | 'mark' | 'drop' {
  const { allowUnplannedEvents, propagateValidationErrors } = isJsonObject(config) ? config : {}
  if (allowUnplannedEvents === 'false') return 'drop'
  return propagateValidationErrors === 'true' ? 'mark' : 'pass'
}

function mapped<T>(parts: ReadonlyMap<string, PlanPart>, convert: (part: PlanPart) => T): ReadonlyMap<string, T> {
  return new Map([...parts].map(([id, part]) => [id, convert(part)]))
}
