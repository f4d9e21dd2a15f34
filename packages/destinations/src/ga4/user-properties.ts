import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { valueAt } from '../rules/key-path.ts'
import { isReservedUserProperty } from './reserved-names.ts'

const nameLengthMax = 24 // characters; Google's docs, Measurement Protocol limits, as the next
const valueLengthMax = 36 // characters

/** What is known of the user, in the form Google wants it: simple values that are short enough. */
export function userProperties(event: JsonObject, settings: JsonObject): JsonObject | undefined {
  const ignored = ignoredNames(settings['piiPropertiesToIgnore'])
  const sources = [valueAt(event, ['context', 'traits']), valueAt(event, ['properties', 'user_properties'])]
  const told = sources
    .filter(isJsonObject)
    .flatMap((properties) => Object.entries(properties))
    .filter(([name, value]) => isName(name) && !ignored.has(name) && isValue(value))
  return told.length === 0 ? undefined : Object.fromEntries(told.map(([name, value]) => [name, { value }]))
}

function isName(name: string): boolean {
  return name.length <= nameLengthMax && !isReservedUserProperty(name)
}

function isValue(value: JsonValue | undefined): boolean {
  if (typeof value === 'string') return value !== '' && value.length <= valueLengthMax
  return typeof value === 'number' || typeof value === 'boolean'
}

function ignoredNames(list: JsonValue | undefined): ReadonlySet<JsonValue | undefined> {
  const entries: readonly JsonValue[] = Array.isArray(list) ? list : []
  return new Set(entries.filter(isJsonObject).map(({ piiProperty }) => piiProperty))
}
