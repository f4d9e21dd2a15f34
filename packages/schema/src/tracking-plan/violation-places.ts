import type { Event, JsonObject, JsonValue } from '@sluice/core'
import type { PlanProblem } from './plan-problem.ts'

/** Most places that are listed. */
const placesMax = 5

/**
 * Returns where an event violates its plan and which rule, such as `properties.total (type)`, each once. The same violations
 * have the same texts in every event, so that they can be grouped.
 */
export function violationPlaces(event: Event, problems: readonly PlanProblem[]): readonly string[] {
  const places = new Set<string>()
  for (const problem of problems) {
    const path = keyPathOf(event, keysOf(problem))
    places.add(`${path === '' ? 'the event' : path} (${problem.keyword})`)
    if (places.size >= placesMax) break
  }
  return [...places]
}

/** Returns the keys that lead to the value that a problem is about, or to the missing one. */
export function keysOf({ at, member }: PlanProblem): readonly string[] {
  return member === undefined ? at : [...at, member]
}

/** Returns the dotted path of a place, the same for all items of a list: `properties.lines[].sku`. */
export function keyPathOf(event: Event, keys: readonly string[], keyText = (key: string): string => key): string {
  let at: JsonValue | undefined = event
  let path = ''
  for (const key of keys) {
    if (Array.isArray(at)) path += '[]'
    else path += path === '' ? keyText(key) : `.${keyText(key)}`
    at = memberOf(at, key)
  }
  return path
}

/** Returns the value of a key or an index; undefined where there is none. */
export function memberOf(holder: JsonValue | undefined, key: string): JsonValue | undefined {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, key)) return undefined
  return (holder as JsonObject)[key]
}
