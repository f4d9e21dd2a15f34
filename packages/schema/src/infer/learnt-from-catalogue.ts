import { type EventType, isEventType, isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { type EventSection, eventSections, type LearntEvent } from './event-learner.ts'
import { ValueFacts, type ValueType, valueTypes } from './value-facts.ts'

/** What the catalogue has of an event model. */
export interface CataloguedModel {
  readonly type: string
  /** Name of a track event. */
  readonly event: string
  readonly totalCount: number
  /** JSON Schema that accepts all of its events. */
  readonly schema: JsonObject
  /** Events that had each key, by path. */
  readonly keyCounts: Readonly<Record<string, number>>
  /** By path; `share` is overstated by a hundredth, at most 1. */
  readonly frequentValues: Readonly<Record<string, readonly { readonly value: string; readonly share: number }[]>>
  readonly samples: readonly JsonObject[]
}

/** Observations up to which the catalogue lists every value. */
const allListedMax = 111
/** Share of the observations that listed values have when there is no other. */
const allShares = 0.999
const overstated = 0.01

/**
 * Returns what the catalogue knows of a model, as if it were learnt from its events; undefined for a type that no plan has.
 * Shares are known of keys that are not in lists. Where it is not known whether there are other values, the values are left
 * out, and numbers may have fractions.
 */
export function learntFromCatalogue(model: CataloguedModel): LearntEvent | undefined {
  const { type, event, totalCount, schema } = model
  if (!isEventType(type)) return undefined
  const reader = readerOf(model)
  const sections = eventSections.flatMap((section): readonly (readonly [EventSection, ValueFacts])[] => {
    const keys = section.split('.')
    let at: JsonValue | undefined = schema
    let isInAll = true
    for (const key of keys) {
      isInAll &&= requiredOf(at).includes(key)
      at = propertiesOf(at)[key]
    }
    if (!isJsonObject(at)) return []
    const least = isInAll ? totalCount : reader.countAt(section)
    return least === 0 ? [] : [[section, reader.read(at, [section], { least, most: totalCount })]]
  })
  return {
    type: type satisfies EventType,
    ...(type === 'track' ? { event } : {}),
    count: totalCount,
    sections: new Map(sections),
  }
}

/** How many values there were at a place: the catalogue counts only texts, numbers and truth values. */
interface Bounds {
  readonly least: number
  readonly most: number
}

function readerOf({ keyCounts, frequentValues, samples }: CataloguedModel) {
  const paths = Object.keys(keyCounts)
  /** Returns how many events had something at a path, or below it: at least that many. */
  const countAt = (path: string): number =>
    paths.reduce(
      (most, each) => (each === path || each.startsWith(`${path}.`) ? Math.max(most, keyCounts[each] ?? 0) : most),
      0,
    )
  /** Returns the paths of the items of lists. */
  const itemsOf = (lists: readonly string[]): readonly string[] => [
    ...new Set(
      lists.flatMap((list) =>
        paths.flatMap((path) => {
          const index = path.startsWith(`${list}.`) ? /^\d+/.exec(path.slice(list.length + 1))?.[0] : undefined
          return index === undefined ? [] : [`${list}.${index}`]
        }),
      ),
    ),
  ]
  const read = (schema: JsonObject, at: readonly string[], { least, most }: Bounds): ValueFacts => {
    const facts = new ValueFacts()
    facts.count = least
    const types = typesOf(schema)
    if (types.includes('string')) addTexts(facts, at)
    const observed = at.reduce((sum, path) => sum + (keyCounts[path] ?? 0), 0)
    // A key is required of as many objects as there may have been.
    for (const type of types)
      facts.addType(type === 'number' && areWhole(at) ? 'integer' : type, type === 'object' ? most : observed)
    facts.isOpen = types.length === 0
    const required = requiredOf(schema)
    for (const [key, member] of Object.entries(propertiesOf(schema))) {
      const below = at.map((path) => `${path}.${key}`)
      const seen = required.includes(key) ? most : Math.min(most, Math.max(...below.map(countAt)))
      const place = facts.member(key)
      if (place !== undefined && isJsonObject(member))
        facts.members.set(key, read(member, below, { least: seen, most }))
    }
    const { items } = schema
    // Only what every item had is known to be required.
    if (isJsonObject(items)) facts.items = readItem(items, itemsOf(at))
    return facts
  }
  const readItem = (schema: JsonObject, at: readonly string[]): ValueFacts => {
    const facts = read(schema, at, { least: 1, most: 1 })
    const required = requiredOf(schema)
    for (const [key, member] of facts.members) if (!required.includes(key)) member.count = 0
    return facts
  }
  const listed = (path: string) => frequentValues[path] ?? []
  const isComplete = (path: string): boolean => {
    const shares = listed(path).map(({ share }) => share)
    if ((keyCounts[path] ?? 0) <= allListedMax) return true
    return !shares.includes(1) && shares.reduce((sum, share) => sum + share - overstated, 0) >= allShares
  }
  const addTexts = ({ texts }: ValueFacts, at: readonly string[]): void => {
    const isKnown = at.every(isComplete)
    if (!isKnown) texts.addUnknown()
    for (const path of at) {
      for (const { value, share } of listed(path))
        texts.add(value, Math.max(1, Math.round((share - overstated) * (keyCounts[path] ?? 0))))
      if (isKnown) continue
      for (const sample of samples) {
        const text = valueAt(sample, path)
        if (typeof text === 'string') texts.add(text)
      }
    }
  }
  const areWhole = (at: readonly string[]): boolean =>
    at.length > 0 && at.every((path) => isComplete(path) && listed(path).every(({ value }) => /^-?\d+$/.test(value)))
  return { read, countAt }
}

function typesOf({ type }: JsonObject): readonly ValueType[] {
  const names: readonly unknown[] = [type].flat()
  return valueTypes.filter((each) => names.includes(each))
}

function propertiesOf(schema: JsonValue | undefined): JsonObject {
  const properties = isJsonObject(schema) ? schema['properties'] : undefined
  return isJsonObject(properties) ? properties : {}
}

function requiredOf(schema: JsonValue | undefined): readonly JsonValue[] {
  const required = isJsonObject(schema) ? schema['required'] : undefined
  return Array.isArray(required) ? required : []
}

function valueAt(event: JsonObject, path: string): JsonValue | undefined {
  let at: JsonValue | undefined = event
  for (const key of path.split('.')) at = typeof at === 'object' && at !== null ? (at as JsonObject)[key] : undefined
  return at
}
