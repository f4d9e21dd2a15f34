import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { valueAt } from '../rules/key-path.ts'

/**
 * Creates a function that returns the id that an app gave a user for one product: the `id` of the first element of
 * `context.externalId` with this `type`.
 */
export function externalId(type: string): (event: JsonObject) => JsonValue | undefined {
  return (event) => {
    const ids = valueAt(event, path)
    return Array.isArray(ids) ? ids.filter(isJsonObject).find((each) => each['type'] === type)?.['id'] : undefined
  }
}

const path = ['context', 'externalId']
