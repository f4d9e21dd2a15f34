import { isJsonObject, type JsonObject, type JsonValue, type PlannedEvent, type TrackingPlan } from '@sluice/core'
import { compareCodePoints } from '../shapes/compare-code-points.ts'
import { nameOf } from '../tracking-plan/compile-plan.ts'

/** A difference between a plan and the events that were seen. */
export interface PlanChange {
  /** The planned event, such as `track Bought`. */
  readonly event: string
  /** Dotted key path; items of lists as `[]`; '' for the event itself. */
  readonly path: string
  readonly kind: 'new' | 'gone' | 'changed'
  /** What differs, in words. */
  readonly text: string
  /** Whether the merged plan follows what was seen. */
  readonly isApplied: boolean
}

export interface MergedPlan {
  readonly plan: TrackingPlan
  readonly changes: readonly PlanChange[]
}

/**
 * Merges a plan that was inferred into one that exists. What the existing plan demands stays: new events and keys are added
 * only where it allows them, and nothing is removed. With `weakens`, demands that events did not meet are relaxed.
 */
export function mergePlans(existing: TrackingPlan, inferred: TrackingPlan, weakens = false): MergedPlan {
  const seen = new Map(inferred.events.map((event) => [nameOf(event), event]))
  const changes: PlanChange[] = []
  const events = existing.events.map((event): PlannedEvent => {
    const name = nameOf(event)
    const other = seen.get(name)
    seen.delete(name)
    if (other === undefined) {
      changes.push({ event: name, path: '', kind: 'gone', text: 'was not seen', isApplied: false })
      return event
    }
    const note = (path: string, kind: PlanChange['kind'], text: string, isApplied: boolean): void => {
      changes.push({ event: name, path, kind, text, isApplied })
    }
    return { ...event, schema: mergeSchemas(event.schema, other.schema, '', { note, weakens }) }
  })
  for (const [name, event] of seen) {
    changes.push({ event: name, path: '', kind: 'new', text: 'is not in the plan', isApplied: true })
    events.push(event)
  }
  return { plan: { ...existing, events }, changes }
}

interface Merging {
  readonly weakens: boolean
  note(path: string, kind: PlanChange['kind'], text: string, isApplied: boolean): void
}

function mergeSchemas(ours: JsonObject, seen: JsonObject, path: string, merging: Merging): JsonObject {
  // Words that refer to other schemas say more than can be compared here.
  if (compound.some((word) => Object.hasOwn(ours, word))) return ours
  const merged = mergeMembers(mergeTypes(ours, seen, path, merging), seen, path, merging)
  const [items, seenItems] = [ours['items'], seen['items']]
  if (!isJsonObject(items) || !isJsonObject(seenItems)) return merged
  return { ...merged, items: mergeSchemas(items, seenItems, `${path}[]`, merging) }
}

const compound = ['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'const'] as const

function mergeTypes(ours: JsonObject, seen: JsonObject, path: string, { note, weakens }: Merging): JsonObject {
  let merged = ours
  const types = namesIn(ours['type'])
  const more = namesIn(seen['type']).filter((type) => !types.includes(type) && !isWhole(type, types))
  if (types.length > 0 && more.length > 0) {
    note(path, 'changed', `is ${types.join(' or ')} in the plan, and was also ${more.join(' and ')}`, weakens)
    // A number may be whole, too.
    const all = [...types, ...more].filter((type) => !(type === 'integer' && more.includes('number')))
    if (weakens) merged = { ...merged, type: all.length === 1 ? all[0] : all }
  }
  const texts = namesIn(seen['type']).includes('string')
  const [listed, values] = [ours['enum'], seen['enum']]
  if (Array.isArray(listed) && Array.isArray(values)) {
    const others = values.filter((value: JsonValue) => !listed.includes(value))
    if (others.length > 0)
      note(
        path,
        'changed',
        `had ${others.length === 1 ? 'a value' : `${others.length} values`} that the plan does not list`,
        weakens,
      )
    if (others.length > 0 && weakens) merged = { ...merged, enum: [...listed, ...others] }
  } else if (Array.isArray(listed) && texts) {
    note(path, 'changed', 'is one of a few values in the plan, and may have had others', weakens)
    if (weakens) merged = without(merged, 'enum')
  }
  const [format, seenFormat] = [ours['format'], seen['format']]
  if (typeof format === 'string' && format !== seenFormat && texts && values === undefined) {
    const had = typeof seenFormat === 'string' ? `had ${seenFormat}` : 'had others, or too few texts to tell'
    note(path, 'changed', `has the format ${format} in the plan, and ${had}`, weakens)
    if (weakens) merged = typeof seenFormat === 'string' ? { ...merged, format: seenFormat } : without(merged, 'format')
  }
  // A mark demands nothing, but what is no text in the plan was a mistake in the events.
  const isText = types.length === 0 || types.includes('string')
  const isMarked = seen['x-pii'] !== undefined && merged['x-pii'] === undefined && (isText || weakens)
  return isMarked ? { ...merged, 'x-pii': seen['x-pii'] } : merged
}

function without(schema: JsonObject, word: string): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== word))
}

function isWhole(type: string, types: readonly string[]): boolean {
  return type === 'integer' && types.includes('number')
}

function mergeMembers(ours: JsonObject, seen: JsonObject, path: string, merging: Merging): JsonObject {
  const { note, weakens } = merging
  const seenMembers = isJsonObject(seen['properties']) ? seen['properties'] : {}
  const members = isJsonObject(ours['properties']) ? ours['properties'] : {}
  const seenRequired = namesIn(seen['required'])
  const isClosed = ours['additionalProperties'] === false || ours['unevaluatedProperties'] === false
  let required = namesIn(ours['required'])
  const merged = new Map<string, JsonValue>()
  const below = (key: string): string => (path === '' ? key : `${path}.${key}`)
  for (const [key, member] of Object.entries(members)) {
    const other = Object.hasOwn(seenMembers, key) ? seenMembers[key] : undefined
    // What a schema of true or false says is not compared.
    const isBoth = isJsonObject(member) && isJsonObject(other)
    if (other === undefined) note(below(key), 'gone', 'was not seen', false)
    merged.set(key, isBoth ? mergeSchemas(member, other, below(key), merging) : (member ?? true))
  }
  for (const key of required) {
    if (seenRequired.includes(key) || !namesIn(seen['type']).includes('object')) continue
    note(below(key), 'changed', 'is required in the plan, and was missing in some events', weakens)
    if (weakens) required = required.filter((each) => each !== key)
  }
  for (const [key, member] of Object.entries(seenMembers)) {
    if (Object.hasOwn(members, key) || member === undefined) continue
    const isAdded = !isClosed || weakens
    note(below(key), 'new', isAdded ? 'is not in the plan' : 'is not in the plan, which allows no other keys', isAdded)
    if (!isAdded) continue
    merged.set(key, member)
    if (seenRequired.includes(key)) required = [...required, key]
  }
  return {
    ...ours,
    ...(merged.size > 0
      ? { properties: Object.fromEntries([...merged].sort(([a], [b]) => compareCodePoints(a, b))) }
      : {}),
    ...(required.length > 0 || 'required' in ours ? { required: [...new Set(required)].sort(compareCodePoints) } : {}),
  }
}

function namesIn(words: JsonValue | undefined): readonly string[] {
  return [words].flat().filter((word): word is string => typeof word === 'string')
}
