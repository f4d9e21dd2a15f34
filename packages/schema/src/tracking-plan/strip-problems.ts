import { type Event, isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import type { PlanProblem } from './plan-problem.ts'

/** Removes the values that problems refer to. The event itself, and missing values, cannot be removed. */
export function stripProblems(event: Event, problems: readonly PlanProblem[]): void {
  const items = new Map<unknown[], Set<number>>()
  for (const { keyword, at, member, keepsPlaces } of problems) {
    if (keyword === 'required') continue
    const last = member ?? at.at(-1)
    const holder = last === undefined ? undefined : valueAt(event, member === undefined ? at.slice(0, -1) : at)
    if (last === undefined || holder === undefined) continue
    if (isJsonObject(holder)) delete (holder as Record<string, unknown>)[last]
    else if (!Array.isArray(holder)) continue
    // The item is emptied, so that later ones keep their places.
    else if (keepsPlaces) holder[Number(last)] = null
    else items.set(holder, (items.get(holder) ?? new Set()).add(Number(last)))
  }
  // Once all are found, because this moves others.
  for (const [list, indexes] of items) {
    const kept = list.filter((_, index) => !indexes.has(index))
    list.length = 0
    for (const item of kept) list.push(item)
  }
}

function valueAt(event: Event, keys: readonly string[]): JsonValue | undefined {
  let at: JsonValue | undefined = event
  for (const key of keys) at = typeof at === 'object' && at !== null ? (at as JsonObject)[key] : undefined
  return at
}
