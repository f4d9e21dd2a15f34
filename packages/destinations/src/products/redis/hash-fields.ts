import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'

/**
 * The fields and values of a hash, one after the other, as HSET takes them. Members of members get dotted names; a list is
 * one field with its JSON text, so that a shorter one leaves nothing of a longer one behind; null becomes ''.
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
