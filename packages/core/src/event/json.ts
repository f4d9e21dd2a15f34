/** Any JSON value. Read-only, because stages never change their input. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject

/** A JSON object. Members that are `undefined` are left out of its JSON text. */
export type JsonObject = { readonly [key: string]: JsonValue | undefined }

/** Returns whether a value is a JSON object, that is, neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
