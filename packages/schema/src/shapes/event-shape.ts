/// <reference lib="es2024.string" />
import type { JsonObject, JsonValue } from '@sluice/core'
import type { SchemaLimits } from '../schema-limits.ts'
import { compareCodePoints, sortByCodePoints } from './compare-code-points.ts'
import type { FlatSchema, SchemaTypeName } from './flat-schema.ts'

export type ShapeLimits = Pick<SchemaLimits, 'keysPerEventMax' | 'depthMax' | 'pathLengthMax'>

export const noShapeLimits: ShapeLimits = {
  keysPerEventMax: Number.POSITIVE_INFINITY,
  depthMax: Number.POSITIVE_INFINITY,
  pathLengthMax: Number.POSITIVE_INFINITY,
}

/** The learnt keys of one event. */
export interface EventShape {
  readonly schema: FlatSchema
  /** The keys of `schema`. */
  readonly paths: readonly string[]
  /**
   * For each string, number or boolean of the event, in document order and down to `depthMax`: the index of its path in
   * `paths`, or -1 when it is not learnt.
   */
  readonly slots: readonly number[]
  readonly leftOut: {
    readonly keysPerEvent: number
    readonly depth: number
    readonly pathLength: number
    readonly pathCollisions: number
  }
}

/**
 * Returns the shape of an event: type name by dotted path. Nested keys are joined by ".", and array elements have their
 * index as key. Null and empty objects and arrays have no path, and every number is float64. Lone surrogates, which
 * UTF-8 cannot represent, become U+FFFD. Dots in keys are not escaped, so two values can have the same path. Then the
 * one nested deeper counts, whatever their order in the document, and the other is counted in `leftOut`.
 *
 * If there are more keys than allowed, the first in byte order are used (level by level, where keys with dots sort
 * between others). No recursion is used, and no more paths are built than are used.
 *
 * @param keyText returns a key as it is stored: personal data in it masked. Keys that become equal make equal paths.
 *
 * Sources: packages/docs/behaviour/schemas.md#flattening; the rule for equal paths is ours (RudderStack picks one at
 * random).
 */
export function eventShape(
  event: JsonObject,
  limits: ShapeLimits,
  keyText: (key: string) => string = (key) => key,
): EventShape {
  const { keysPerEventMax, depthMax, pathLengthMax } = limits
  const types = new Map<string, SchemaTypeName>()
  /** The paths of the learnt values, by container and key. */
  const taken = new Map<Container, Map<string, string>>()
  let pathLength = 0
  let pathCollisions = 0
  const open: Level[] = [{ container: event, prefix: '', keys: firstKeys(event, keysPerEventMax), next: 0 }]
  for (let level = open.at(-1); level !== undefined && types.size < keysPerEventMax; level = open.at(-1)) {
    const key = level.keys[level.next]
    if (key === undefined) {
      open.pop()
      continue
    }
    const { container, prefix } = level
    const value = (container as JsonObject)[key]
    level.next += 1
    if (value === undefined || value === null) continue
    if (typeof value === 'object') {
      if (open.length >= depthMax) continue
      const below = `${prefix}${keyText(wellFormed(key))}.`
      open.push({ container: value, prefix: below, keys: firstKeys(value, keysPerEventMax), next: 0 })
    } else if (prefix.length + key.length > pathLengthMax) {
      pathLength += 1
    } else {
      const path = prefix + keyText(wellFormed(key))
      if (types.has(path)) pathCollisions += 1
      else {
        types.set(path, typeName(value))
        const ofContainer = taken.get(container) ?? new Map<string, string>()
        taken.set(container, ofContainer.set(key, path))
      }
    }
  }
  const paths = sortByCodePoints([...types.keys()])
  const { slots, depth } = slotsOf(event, depthMax, taken, new Map(paths.map((path, index) => [path, index])))
  const values = slots.length - types.size - pathLength - pathCollisions
  return {
    // From entries, because assigning would lose a key named __proto__.
    schema: Object.fromEntries(paths.map((path) => [path, types.get(path) ?? 'string'])),
    paths,
    slots,
    leftOut: { keysPerEvent: values, depth, pathLength, pathCollisions },
  }
}

type Container = JsonObject | readonly JsonValue[]

/** An object or array being walked. The keys of an array are its indexes. */
interface Level {
  readonly container: Container
  readonly prefix: string
  readonly keys: readonly string[]
  next: number
}

/**
 * Returns the keys of a container in byte order of the paths they begin, at most `max`. Of equal paths the one that
 * continues deeper comes first.
 */
function firstKeys(container: Container, max: number): readonly string[] {
  const members = container as JsonObject
  let marked: string[] = []
  let last: string | undefined
  for (const key of Object.keys(container)) {
    const value = members[key]
    if (value === undefined || value === null) continue
    const text = typeof value === 'object' ? `${key}.${containerMark}` : key + valueMark
    if (last !== undefined && compareCodePoints(text, last) > 0) continue
    marked.push(text)
    // Truncated now and then, so that a hundred thousand keys are never sorted together.
    if (marked.length < 2 * max) continue
    marked = sortByCodePoints(marked).slice(0, max)
    last = marked.at(-1)
  }
  return sortByCodePoints(marked)
    .slice(0, max)
    .map((text) => text.slice(0, text.endsWith(containerMark) ? -2 : -1))
}

const containerMark = '\u0000'
const valueMark = '\u0001'

function slotsOf(
  event: JsonObject,
  depthMax: number,
  taken: ReadonlyMap<Container, ReadonlyMap<string, string>>,
  indexes: ReadonlyMap<string, number>,
): { readonly slots: readonly number[]; readonly depth: number } {
  const slots: number[] = []
  let depth = 0
  const levelOf = (container: Container) => ({
    container: container as JsonObject,
    keys: Object.keys(container),
    next: 0,
    paths: taken.get(container),
  })
  const open = [levelOf(event)]
  for (let level = open.at(-1); level !== undefined; level = open.at(-1)) {
    const key = level.keys[level.next]
    if (key === undefined) {
      open.pop()
      continue
    }
    const value = level.container[key]
    level.next += 1
    if (value === undefined || value === null) continue
    if (typeof value !== 'object') {
      const path = level.paths?.get(key)
      slots.push(path === undefined ? -1 : (indexes.get(path) ?? -1))
    } else if (open.length >= depthMax) depth += 1
    else open.push(levelOf(value))
  }
  return { slots, depth }
}

const wellFormed = (key: string): string => (key.isWellFormed() ? key : key.toWellFormed())

function typeName(value: string | number | boolean): SchemaTypeName {
  if (typeof value === 'string') return 'string'
  return typeof value === 'number' ? 'float64' : 'bool'
}
