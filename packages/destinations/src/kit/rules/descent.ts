import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import type { KeyPath } from './key-path.ts'
import type { Rule } from './rule.ts'

/** One key on the way to a place in the mapped object. */
export interface DescentStep {
  readonly key: string
  /**
   * True where the object under the key may have come with a `rest` rule and be the event's own. It has to be copied
   * before anything is written inside, and it may be no object at all.
   */
  readonly isShared: boolean
}

/** The way to a place, as far as the other rules of the set matter to it. */
export function descentTo(place: KeyPath, rules: readonly Rule[]): readonly DescentStep[] {
  const passedOn = rules.filter(({ kind }) => kind === 'rest').map(({ to }) => to)
  return place.map((key, index) => ({
    key,
    isShared: passedOn.some((to) => to.length <= index && to.every((part, i) => part === place[i])),
  }))
}

/** An object of our own with the same members; an empty one for what is no object. */
export function ownObject(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? { ...value } : {}
}
