import { isJsonObject, type JsonObject } from '@sluice/core'
import { firstAt } from '../rules/first-at.ts'

/**
 * Creates a function that returns the options which an event has for one product: `integrations`, under the first of
 * these names that has an object. Without options, it returns an empty object.
 */
export function eventOptions(...names: readonly string[]): (event: JsonObject) => JsonObject {
  const read = firstAt(
    names.map((name) => ['integrations', name]),
    isJsonObject,
  )
  return (event) => read(event) ?? {}
}
