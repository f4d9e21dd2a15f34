import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { setMember } from '../../kit/define/set-member.ts'
import { hasReservedPrefix } from './reserved-names.ts'

/**
 * Lays an object out as parameters, which are simple: members of members by `_`, elements by index. What is blank is left
 * out, and so are names Google keeps for itself.
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
