import type { JsonObject, JsonValue } from '@sluice/core'
import { utf8Length } from '@sluice/core/bytes'

/**
 * Returns whether the JSON text of a value has more than `bytesMax` bytes. Creates the text only when its size could be
 * near the limit: most values are far below, and creating the text takes longer than mapping.
 */
export function isJsonLarger(value: JsonValue, bytesMax: number): boolean {
  return bytesAtMost(value) > bytesMax && utf8Length(JSON.stringify(value)) > bytesMax
}

const bytesPerUnitMax = 6 // a control character becomes \u0000
const bytesPerSimpleMax = 25 // the longest number, -1.2345678901234567e-100, and a comma

function bytesAtMost(value: JsonValue | undefined): number {
  if (typeof value === 'string') return bytesPerUnitMax * value.length + 3
  if (typeof value !== 'object' || value === null) return bytesPerSimpleMax
  let sum = 3
  if (Array.isArray(value)) for (const element of value) sum += bytesAtMost(element)
  else {
    const members = value as JsonObject
    // for-in allocates nothing. Objects of JSON.parse and of mappings inherit no enumerable members.
    for (const key in members) sum += bytesPerUnitMax * key.length + 4 + bytesAtMost(members[key])
  }
  return sum
}
