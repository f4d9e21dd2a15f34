import type { JsonObject, PlannedEvent, TrackingPlan } from '@sluice/core'
import { compareCodePoints } from '../shapes/compare-code-points.ts'
import { nameOf } from '../tracking-plan/compile-plan.ts'
import { eventSections, type LearntEvent } from './event-learner.ts'
import { personalName } from './personal-name.ts'
import { type ValueFacts, valueTypes } from './value-facts.ts'

/** From when on a plan says what was seen. */
export interface InferRules {
  /** Share of the objects at a place that must have a key, so that it is required: from 0 to 1. */
  readonly requiredFrom: number
  /** Events of fewer are not planned. */
  readonly eventsMin: number
  /** Most values of a text that are listed as the only ones; 0 lists none. */
  readonly enumMax: number
  /** Whether keys that were not seen violate the plan. */
  readonly isClosed: boolean
}

export const defaultInferRules: InferRules = { requiredFrom: 0.99, eventsMin: 10, enumMax: 10, isClosed: false }

/** Each value of an `enum` was seen this often on average: with fewer, others are likely. */
const timesPerValueMin = 20

export interface InferredPlan {
  /** With events in the order of their names, and keys in byte order. */
  readonly plan: TrackingPlan
  /** Events that were seen too rarely, with how often. */
  readonly tooFew: readonly { readonly name: string; readonly count: number }[]
}

/**
 * Returns a tracking plan for events as they were seen. The same events result in the same plan, whatever their order.
 * Personal data is never in it: keys that have some are marked with `x-pii`, and list no values.
 */
export function inferPlan(learnt: readonly LearntEvent[], rules: Partial<InferRules> = {}): InferredPlan {
  const all = { ...defaultInferRules, ...rules }
  const sorted = learnt.toSorted((a, b) => compareCodePoints(nameOf(a), nameOf(b)))
  return {
    plan: {
      onViolation: 'mark',
      unplanned: 'pass',
      events: sorted.filter(({ count }) => count >= all.eventsMin).map((event) => plannedOf(event, all)),
    },
    tooFew: sorted
      .filter(({ count }) => count < all.eventsMin)
      .map((event) => ({ name: nameOf(event), count: event.count })),
  }
}

function plannedOf({ type, event, count, sections }: LearntEvent, rules: InferRules): PlannedEvent {
  const root = new Map<string, JsonObject>()
  const required: string[] = []
  for (const section of eventSections) {
    const facts = sections.get(section)
    if (facts === undefined) continue
    const keys = section.split('.')
    const inSection = { ...rules, isOfPerson: type !== 'group' && section !== 'properties' }
    const isRequired = facts.count >= rules.requiredFrom * count
    const [first = ''] = keys
    if (isRequired) required.push(first)
    root.set(first, within(keys.slice(1), schemaOf(facts, inSection), isRequired))
  }
  return {
    type,
    ...(event === undefined ? {} : { event }),
    schema: {
      type: 'object',
      ...(root.size > 0 ? { properties: Object.fromEntries(root) } : {}),
      ...(required.length > 0 ? { required: required.sort(compareCodePoints) } : {}),
    },
  }
}

/** Returns the schema of an object that has another one in it. */
function within(keys: readonly string[], inner: JsonObject, isRequired: boolean): JsonObject {
  return keys.reduceRight<JsonObject>(
    (schema, key) => ({ type: 'object', properties: { [key]: schema }, ...(isRequired ? { required: [key] } : {}) }),
    inner,
  )
}

interface SectionRules extends InferRules {
  /** Whether keys describe a person: then `name` is a name of one. */
  readonly isOfPerson: boolean
}

function schemaOf(facts: ValueFacts, rules: SectionRules, key = ''): JsonObject {
  const types = valueTypes.filter((type) => isListed(facts, type))
  const named = rules.isOfPerson && key === 'name' ? 'name' : personalName(key)
  const kinds = [...new Set([...facts.texts.personal, ...(named === undefined ? [] : [named])])]
  const isScalar = !types.includes('object') && !types.includes('array')
  const values = kinds.length > 0 ? undefined : choiceOf(facts, rules)
  const [only] = types
  return {
    ...(types.length === 0 ? {} : { type: types.length === 1 ? only : types }),
    ...(values ? { enum: [...values, ...(types.includes('null') ? [null] : [])] } : {}),
    ...(values || !types.includes('string') ? {} : formatOf(facts)),
    ...(kinds.length > 0 && isScalar ? { 'x-pii': kinds.sort(compareCodePoints).join(', ') } : {}),
    ...(types.includes('object') ? membersOf(facts, rules) : {}),
    ...(facts.items && facts.items.count > 0 ? { items: schemaOf(facts.items, rules, key) } : {}),
  }
}

/** Whether a type is listed: `number` includes whole numbers. */
function isListed({ types }: ValueFacts, type: (typeof valueTypes)[number]): boolean {
  return types.has(type) && !(type === 'integer' && types.has('number'))
}

function formatOf({ texts: { format } }: ValueFacts): JsonObject {
  return format === undefined ? {} : { format }
}

/** Returns the values of a text with few of them, in byte order; undefined for any other. */
function choiceOf({ texts, types }: ValueFacts, { enumMax }: InferRules): readonly string[] | undefined {
  const { values, format } = texts
  const others = [...types.keys()].filter((type) => type !== 'string' && type !== 'null')
  if (values === undefined || format !== undefined || others.length > 0) return undefined
  if (values.size === 0 || values.size > enumMax) return undefined
  if ((types.get('string') ?? 0) < timesPerValueMin * values.size) return undefined
  return [...values.keys()].sort(compareCodePoints)
}

function membersOf(facts: ValueFacts, rules: SectionRules): JsonObject {
  const objects = facts.types.get('object') ?? 0
  const members = [...facts.members].sort(([a], [b]) => compareCodePoints(a, b))
  const required = members.filter(([, { count }]) => count > 0 && count >= rules.requiredFrom * objects)
  return {
    ...(members.length > 0
      ? { properties: Object.fromEntries(members.map(([key, member]) => [key, schemaOf(member, rules, key)])) }
      : {}),
    ...(required.length > 0 ? { required: required.map(([key]) => key) } : {}),
    ...(rules.isClosed && !facts.isOpen ? { additionalProperties: false } : {}),
  }
}
