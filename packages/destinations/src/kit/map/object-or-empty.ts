import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'

/** Returns a value that is an object; an empty object for other values. */
export function objectOrEmpty(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}
