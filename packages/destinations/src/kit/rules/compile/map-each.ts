import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { isMappingError, type MappingError } from '../../map/mapping-error.ts'
import type { CompiledRules } from './compiled-rules.ts'

/** Maps the objects of a list, or a single object. Other values are skipped. Stops at the first error. */
export function mapEach(
  value: JsonValue | undefined,
  map: CompiledRules,
  settings: JsonObject,
): readonly JsonObject[] | MappingError {
  const mapped: JsonObject[] = []
  for (const element of Array.isArray(value) ? value : [value]) {
    if (!isJsonObject(element)) continue
    const answer = map(element, settings)
    if (isMappingError(answer)) return answer
    mapped.push(answer as JsonObject)
  }
  return mapped
}
