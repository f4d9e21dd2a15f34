import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { hasReservedPrefix } from './reserved-names.ts'

/**
 * Lays an object out as parameters, which are simple: members of members by `_`, elements by index. What is blank is left
 * out, and so are names Google keeps for itself.
 */
export function toParameters(value: JsonObject): JsonObject {
  const parameters: [string, JsonValue][] = []
  const visit = (name: string, at: JsonValue | undefined): void => {
    if (at === undefined || at === null || at === '') return
    if (Array.isArray(at)) {
      for (const [index, element] of at.entries()) visit(`${name}_${index}`, element)
    } else if (isJsonObject(at)) {
      for (const [key, member] of Object.entries(at)) visit(`${name}_${key}`, member)
    } else {
      parameters.push([name, at])
    }
  }
  for (const [name, member] of Object.entries(value)) if (!hasReservedPrefix(name)) visit(name, member)
  return Object.fromEntries(parameters)
}
