import { instrumentationError, type MappingError } from '../../map/mapping-error.ts'
import type { SetRule } from '../rule.ts'

/**
 * Returns the error of a required rule that found no value. Source: packages/docs/behaviour/mapping.md#missing-values.
 */
export function missingValue({ value, to }: SetRule): MappingError {
  const read =
    value.of === 'source' || value.of === 'settings' ? value.paths.map((path) => path.join('.')) : [to.join('.')]
  return instrumentationError(`Missing required value from ${JSON.stringify(read.length === 1 ? read[0] : read)}`)
}
