import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { setMember } from '../../define/set-member.ts'

/**
 * Flattens nested values to one level: members are joined by `.`, elements by index (`products[0].sku`). Empty lists
 * and objects are kept, so that nothing is lost.
 *
 * Source: packages/docs/behaviour/mapping.md#flattening.
 * @example
 * ```ts
 * import { flatten } from '@sluice/destinations/kit'
 *
 * console.log(flatten({ order: { id: 7 }, products: [{ sku: 'A' }] })) // { 'order.id': 7, 'products[0].sku': 'A' }
 * ```
 */
export function flatten(value: JsonObject): JsonObject {
  const flat: Record<string, JsonValue | undefined> = {}
  const visit = (path: string, at: JsonValue | undefined): void => {
    if (at === undefined) return
    if (Array.isArray(at) && at.length > 0) {
      for (let index = 0; index < at.length; index += 1) visit(`${path}[${index}]`, at[index])
      return
    }
    const keys = isJsonObject(at) ? Object.keys(at) : []
    if (keys.length === 0) setMember(flat, path, at)
    else for (const key of keys) visit(`${path}.${key}`, (at as JsonObject)[key])
  }
  for (const key of Object.keys(value)) visit(key, value[key])
  return flat
}
