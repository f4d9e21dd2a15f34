import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'

/** Returns the objects in a list; an empty list for other values. */
export function objectsIn(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}
