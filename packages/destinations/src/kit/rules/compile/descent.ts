import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import type { KeyPath } from '../key-path.ts'
import type { Rule } from '../rule.ts'

/** One step on the path to a place in the mapped object. */
export interface DescentStep {
  readonly key: string
  /**
   * Whether the value under the key may come from a `rest` rule. Such a value belongs to the event, so it must be
   * copied before anything is written inside, and it may not be an object.
   */
  readonly isShared: boolean
}

/** Returns the steps to a place, considering the other rules of the set. */
export function descentTo(place: KeyPath, rules: readonly Rule[]): readonly DescentStep[] {
  const passedOn = rules.filter(({ kind }) => kind === 'rest').map(({ to }) => to)
  return place.map((key, index) => ({
    key,
    isShared: passedOn.some((to) => to.length <= index && to.every((part, i) => part === place[i])),
  }))
}

/** Returns a copy of an object, or an empty object for other values. */
export function ownObject(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? { ...value } : {}
}
