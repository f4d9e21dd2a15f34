import type { JsonObject, JsonValue } from '@sluice/core'

/**
 * Answers whether the JSON text of a value has more than `bytesMax` bytes. Writes the text only when the value could come
 * near the limit: nearly all are far below it, and writing costs more than mapping.
 */
export function isJsonLarger(value: JsonValue, bytesMax: number): boolean {
  return bytesAtMost(value) > bytesMax && Buffer.byteLength(JSON.stringify(value)) > bytesMax
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
    // for-in allocates nothing; what JSON.parse or a mapping made inherits nothing that it would list.
    for (const key in members) sum += bytesPerUnitMax * key.length + 4 + bytesAtMost(members[key])
  }
  return sum
}
