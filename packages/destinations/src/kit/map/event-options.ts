import { isJsonObject, type JsonObject } from '@sluice/core'
import { firstAt } from '../rules/first-at.ts'

/**
 * Creates a function that returns the options which an event has for a product, in any spelling of its name: see
 * `otherNames` of a definition. Without options, it returns an empty object.
 *
 * @param type of the destination.
 */
export function eventOptions(type: string): (event: JsonObject) => JsonObject {
  const read = firstAt([['integrations', type]], isJsonObject)
  return (event) => read(event) ?? {}
}
