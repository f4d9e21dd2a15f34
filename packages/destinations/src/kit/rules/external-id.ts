import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { valueAt } from './key-path.ts'

const path = ['context', 'externalId']

/** Creates a function that returns the external id of a type from an event. Source: RudderStack docs, external ids. */
export function externalId(type: string): (event: JsonObject) => JsonValue | undefined {
  return (event) => {
    const ids = valueAt(event, path)
    if (!Array.isArray(ids)) return undefined
    for (const each of ids) if (isJsonObject(each) && each['type'] === type) return each['id']
    return undefined
  }
}
