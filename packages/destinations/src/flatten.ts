import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'

/**
 * Lays nested values out as one level: members by `.`, elements by index (`products[0].sku`). An empty list or object
 * stays as it is, so that nothing of the input is lost.
 *
 * Source: webhook and facebook_pixel conformance rows (the two ways of naming).
 */
export function flatten(value: JsonObject): JsonObject {
  const entries: [string, JsonValue][] = []
  const visit = (path: string, at: JsonValue | undefined): void => {
    if (at === undefined) return
    if (Array.isArray(at) && at.length > 0) {
      for (const [index, element] of at.entries()) visit(`${path}[${index}]`, element)
    } else if (isJsonObject(at) && Object.keys(at).length > 0) {
      for (const [key, member] of Object.entries(at)) visit(`${path}.${key}`, member)
    } else {
      entries.push([path, at])
    }
  }
  for (const [key, member] of Object.entries(value)) visit(key, member)
  return Object.fromEntries(entries)
}
