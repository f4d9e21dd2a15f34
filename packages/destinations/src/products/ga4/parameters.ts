import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { setMember } from '../../kit/index.ts'
import { hasReservedPrefix, plainName } from './reserved-names.ts'

/** Limits that a property of Google Analytics has. Source: Google's docs, GA4 event collection limits. */
export interface ParameterLimits {
  readonly parametersMax: number
  readonly nameLengthMax: number
}

const limits: Readonly<Record<string, ParameterLimits>> = {
  standard: { parametersMax: 25, nameLengthMax: 40 },
  analytics360: { parametersMax: 100, nameLengthMax: 40 },
}

/** Returns the limits that the settings choose; undefined when everything is sent. */
export function limitsOf({ parameterLimits }: JsonObject): ParameterLimits | undefined {
  return limits[String(parameterLimits)]
}

/**
 * Flattens an object to parameters: nested members are joined by `_`, elements by index. Leaves out blank values and
 * reserved names. Names that Google refuses become plain ones, unless the object has that name too.
 */
export function toParameters(value: JsonObject, limit?: ParameterLimits): JsonObject {
  const parameters: Record<string, JsonValue | undefined> = {}
  const visit = (name: string, at: JsonValue | undefined): void => {
    if (at === undefined || at === null || at === '') return
    if (Array.isArray(at)) {
      for (let index = 0; index < at.length; index += 1) visit(`${name}_${index}`, at[index])
    } else if (isJsonObject(at)) {
      for (const key of Object.keys(at)) visit(`${name}_${key}`, at[key])
    } else {
      const plain = plainName(name, limit !== undefined)
      const isTaken = plain !== name && Object.hasOwn(parameters, plain)
      const isTooLong = limit !== undefined && plain.length > limit.nameLengthMax
      if (plain !== '' && !isTaken && !isTooLong) setMember(parameters, plain, at)
    }
  }
  for (const name of Object.keys(value)) if (!isReserved(name)) visit(name, value[name])
  return parameters
}

function isReserved(name: string): boolean {
  return hasReservedPrefix(name) || hasReservedPrefix(plainName(name))
}
