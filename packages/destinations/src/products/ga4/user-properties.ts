import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { type KeyPath, setMember, valueAt } from '../../kit/index.ts'
import { isReservedUserProperty, plainName } from './reserved-names.ts'

export const nameLengthMax = 24 // characters; source of both limits: Google's docs, Measurement Protocol limits
export const valueLengthMax = 36 // characters

const sources: readonly KeyPath[] = [
  ['context', 'traits'],
  ['properties', 'user_properties'],
]

/** Returns the user properties in Google's form: simple values within the length limits. */
export function userProperties(event: JsonObject, settings: JsonObject): JsonObject | undefined {
  const ignored = ignoredNames(settings)
  const sent: Record<string, JsonValue | undefined> = {}
  for (const path of sources) {
    const properties = valueAt(event, path)
    if (!isJsonObject(properties)) continue
    for (const name of Object.keys(properties)) {
      const value = properties[name]
      const plain = plainName(name, true)
      if (isName(plain) && !ignored.has(name) && isValue(value)) setMember(sent, plain, { value })
    }
  }
  return Object.keys(sent).length === 0 ? undefined : sent
}

function isName(name: string): boolean {
  return name !== '' && name.length <= nameLengthMax && !isReservedUserProperty(name)
}

function isValue(value: JsonValue | undefined): boolean {
  if (typeof value === 'string') return value !== '' && value.length <= valueLengthMax
  return typeof value === 'number' || typeof value === 'boolean'
}

/** Returns the names of traits that must not be sent. */
export function ignoredNames({ piiPropertiesToIgnore: list }: JsonObject): ReadonlySet<string> {
  const entries: readonly JsonValue[] = Array.isArray(list) ? list : []
  const names = entries.filter(isJsonObject).map(({ piiProperty }) => piiProperty)
  return new Set(names.filter((name) => typeof name === 'string'))
}
