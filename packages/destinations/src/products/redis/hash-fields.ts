import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'

/**
 * Returns the fields and values of a hash as arguments of HSET. Nested members get dotted names. A list is stored as
 * one field with JSON; with a field per element, elements of an earlier longer list would remain. null becomes ''.
 */
export function hashFields(traits: JsonObject, above = ''): readonly string[] {
  return Object.entries(traits).flatMap(([key, value]) => {
    if (value === undefined) return []
    const field = `${above}${key}`
    const isParent = isJsonObject(value) && Object.keys(value).length > 0
    return isParent ? hashFields(value, `${field}.`) : [field, fieldText(value)]
  })
}

function fieldText(value: JsonValue): string {
  if (value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
