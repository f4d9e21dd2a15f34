import type { JsonObject, JsonValue } from '@sluice/core'
import {
  configurationError,
  convert,
  instrumentationError,
  isBlank,
  isHashed,
  type MappingError,
} from '../../kit/index.ts'
import { personFields } from './person-fields.ts'

/** Settings of an audience; those of a connection win. */
export interface RowSettings {
  readonly isHashRequired: boolean
  readonly disableFormat: boolean
  readonly isValueBased: boolean
}

/** Returns the values of a person in the order of the schema; '' for values that are missing or invalid. */
export function rowOf(
  person: JsonObject,
  schema: readonly string[],
  settings: RowSettings,
): readonly JsonValue[] | MappingError {
  const row: JsonValue[] = []
  for (const name of schema) {
    const value = valueOfField(name, person[name], settings)
    if (typeof value === 'object' && value !== null && 'errorType' in value) return value as MappingError
    row.push(value as JsonValue)
  }
  return row
}

function valueOfField(
  name: string,
  value: JsonValue | undefined,
  { isHashRequired, disableFormat, isValueBased }: RowSettings,
): JsonValue | MappingError {
  const field = personFields.get(name)
  if (field === undefined) return configurationError(`the field ${name} is not one of Meta`)
  if (name === 'LOOKALIKE_VALUE') return isValueBased ? customerValue(value) : valueMisplaced
  if (isBlank(value)) return ''
  if (!field.isHashed) return disableFormat ? convert.text(value) : (field.format(value) ?? '')
  if (isHashRequired === isHashed(value)) {
    return instrumentationError(isHashRequired ? `${name} is hashed already` : `${name} is not hashed`)
  }
  if (!isHashRequired) return value
  const formatted = disableFormat ? ifFormatted(value, field.isFormatted) : field.format(value)
  return formatted === undefined || formatted === '' ? '' : convert.sha256(formatted)
}

const valueMisplaced = configurationError('only value-based audiences have the field LOOKALIKE_VALUE')

function ifFormatted(value: JsonValue, isFormatted?: (value: JsonValue) => boolean): JsonValue | undefined {
  return isFormatted === undefined || isFormatted(value) ? value : undefined
}

/** Returns the value of a customer; 0 if it is not a positive number. */
function customerValue(value: JsonValue | undefined): number {
  return Math.max(0, convert.number(value ?? null) ?? 0)
}
