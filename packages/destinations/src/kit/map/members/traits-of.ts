import { isJsonObject, type JsonObject } from '@sluice/core'
import { firstAt } from '../../rules/first-at.ts'
import { generic } from '../../rules/generic-fields.ts'

const traitsAt = firstAt(generic.traits, isJsonObject)

/**
 * Returns the traits of an event, or those of its context; an empty object if there are none.
 * @example
 * ```ts
 * import { traitsOf } from '@sluice/destinations/kit'
 *
 * console.log(traitsOf({ context: { traits: { plan: 'pro' } } })) // { plan: 'pro' }
 * ```
 */
export function traitsOf(event: JsonObject): JsonObject {
  return traitsAt(event) ?? {}
}
