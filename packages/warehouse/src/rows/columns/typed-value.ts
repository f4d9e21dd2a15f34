import type { JsonValue } from '@sluice/core'
import { isoTimeOf } from '@sluice/core/iso-time'
import type { Dialect } from '../../dialects/dialect.ts'
import type { ColumnType } from './column-type.ts'
import { datetimeOf } from './datetime.ts'
import type { StandardType } from './standard-types.ts'

export interface TypedValue {
  readonly type: ColumnType
  /** As it is stored: dates in UTC. */
  readonly value: JsonValue
}

export interface TypeOptions {
  readonly dialect: Dialect
  /** Whether arrays are typed by their elements, as in ClickHouse. */
  readonly arrays: boolean
  /** Whether whole numbers beyond 64 bits are floats. */
  readonly boundsInts: boolean
}

/** Whole numbers from here on have more than 64 bits. */
const int64End = 2 ** 63

/** Finds the type of a value that is neither blank nor an object. */
export function typedValue(value: JsonValue, { dialect, arrays, boundsInts }: TypeOptions): TypedValue {
  const { stringLengthMax } = dialect
  switch (typeof value) {
    case 'string': {
      const date = datetimeOf(value)
      if (date !== undefined) return { type: 'datetime', value: date }
      return { type: value.length > stringLengthMax ? 'text' : 'string', value }
    }
    case 'number':
      return { type: Number.isInteger(value) && (!boundsInts || isInt64(value)) ? 'int' : 'float', value }
    case 'boolean':
      return { type: 'boolean', value }
    default:
      if (arrays && Array.isArray(value)) return { type: arrayType(value, boundsInts), value }
      // Only where it matters, for it takes as long as writing the whole list.
      if (stringLengthMax === Number.POSITIVE_INFINITY) return { type: 'string', value }
      return { type: JSON.stringify(value).length > stringLengthMax ? 'text' : 'string', value }
  }
}

/**
 * Returns a value for a column whose type is fixed: a text is unchanged, and a number is its JSON text. A value that is no date stays
 * what it is in a column of times; `castValue` discards it.
 */
export function fixedValue(value: JsonValue, type: StandardType, { stringLengthMax }: Dialect): TypedValue {
  if (type === 'datetime') return { type, value: (typeof value === 'string' ? timeOf(value) : undefined) ?? value }
  const text = typeof value === 'object' ? value : typeof value === 'string' ? value : JSON.stringify(value)
  const isLong = typeof text === 'string' && text.length > stringLengthMax
  return { type: isLong ? 'text' : 'string', value: text }
}

/** As ingestion reads times: a day that does not exist is no time. */
function timeOf(text: string): string | undefined {
  const time = isoTimeOf(text)
  return time === undefined ? undefined : new Date(time).toISOString()
}

function isInt64(value: number): boolean {
  return value < int64End && value >= -int64End
}

/** Elements of different types are written as texts, except for numbers. */
function arrayType(values: readonly JsonValue[], boundsInts: boolean): ColumnType {
  const types = new Set(values.map((value) => elementType(value, boundsInts)))
  const [first = 'string'] = types
  if (types.size === 2 && types.has('int') && types.has('float')) return 'array(float)'
  return types.size === 1 ? `array(${first})` : 'array(string)'
}

function elementType(value: JsonValue, boundsInts: boolean): 'int' | 'float' | 'boolean' | 'datetime' | 'string' {
  if (typeof value === 'number') return Number.isInteger(value) && (!boundsInts || isInt64(value)) ? 'int' : 'float'
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'string' && datetimeOf(value) !== undefined ? 'datetime' : 'string'
}

/** Whether a value makes no column. */
export function isBlank(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  return Array.isArray(value) && (value.length === 0 || (value.length === 1 && value[0] === ''))
}
