/** Any value JSON can carry. Read-only: stages never change what they were given. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject

/** A JSON object. A member may be `undefined`, which JSON leaves out. */
export type JsonObject = { readonly [key: string]: JsonValue | undefined }

/** Answers whether a value is a JSON object: not null, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
