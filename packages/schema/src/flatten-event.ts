/// <reference lib="es2024.string" />
import type { JsonObject, JsonValue } from '@sluice/core'
import { sortByCodePoints } from './compare-code-points.ts'
import type { FlatSchema, SchemaTypeName } from './schema-delta.ts'

/**
 * Most characters the paths of one schema take together; a typical event needs 2,000. Paths repeat their prefix, so
 * without a bound a deeply nested event of a few megabytes would unfold to gigabytes.
 */
export const schemaCharactersMax = 262_144

/**
 * The shape of an event: dotted path to type name. Nested keys are joined by ".", array elements go by their index,
 * null and empty objects and arrays leave no path, every number is float64. Dots in keys are not escaped, so two values
 * can have one path: the first in document order counts. Lone surrogates, which UTF-8 cannot carry, become U+FFFD.
 *
 * Paths come in byte order, except that JavaScript lists whole-number keys first. Paths past `schemaCharactersMax`, in
 * document order, are left out. Depth is limited by that alone; the stack of the caller is not used.
 *
 * Sources: governance facts 1.3; that the first path wins is ours (the reference picks one at random).
 */
export function flattenEvent(event: JsonObject): FlatSchema {
  const types = new Map<string, SchemaTypeName>()
  let charactersLeft = schemaCharactersMax
  const open: Level[] = [levelOf('', event)]
  for (let level = open.at(-1); level !== undefined; level = open.at(-1)) {
    const key = level.keys[level.next]
    if (key === undefined) {
      open.pop()
      continue
    }
    const value = level.values[level.next]
    level.next += 1
    if (value === undefined || value === null) continue
    const path = level.prefix + (key.isWellFormed() ? key : key.toWellFormed())
    if (path.length > charactersLeft) break
    if (typeof value === 'object') {
      open.push(levelOf(`${path}.`, value))
    } else if (!types.has(path)) {
      types.set(path, typeName(value))
      charactersLeft -= path.length
    }
  }
  const sorted = new Map<string, SchemaTypeName>()
  for (const path of sortByCodePoints([...types.keys()])) {
    const type = types.get(path)
    if (type !== undefined) sorted.set(path, type)
  }
  // From entries, because assigning would lose a key named __proto__.
  return Object.fromEntries(sorted)
}

/** An object or array that is being walked; of an array the keys are the indexes. */
interface Level {
  readonly prefix: string
  readonly keys: readonly string[]
  readonly values: readonly (JsonValue | undefined)[]
  next: number
}

function levelOf(prefix: string, container: JsonObject | readonly JsonValue[]): Level {
  return { prefix, keys: Object.keys(container), values: Object.values(container), next: 0 }
}

function typeName(value: string | number | boolean): SchemaTypeName {
  if (typeof value === 'string') return 'string'
  return typeof value === 'number' ? 'float64' : 'bool'
}
