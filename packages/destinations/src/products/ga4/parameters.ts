import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { setMember } from '../../kit/index.ts'
import { hasReservedPrefix } from './reserved-names.ts'

/**
 * Flattens an object to parameters: nested members are joined by `_`, elements by index. Leaves out blank values and
 * reserved names.
 */
export function toParameters(value: JsonObject): JsonObject {
  const parameters: Record<string, JsonValue | undefined> = {}
  const visit = (name: string, at: JsonValue | undefined): void => {
    if (at === undefined || at === null || at === '') return
    if (Array.isArray(at)) {
      for (let index = 0; index < at.length; index += 1) visit(`${name}_${index}`, at[index])
    } else if (isJsonObject(at)) {
      for (const key of Object.keys(at)) visit(`${name}_${key}`, at[key])
    } else {
      setMember(parameters, name, at)
    }
  }
  for (const name of Object.keys(value)) if (!hasReservedPrefix(name)) visit(name, value[name])
  return parameters
}
