import type { JsonValue } from '@sluice/core'
import type { ColumnType } from '../rows/columns/column-type.ts'
import type { LiveColumn } from './live-schema.ts'

/** A value of a column: a datetime is ISO text in UTC, a json value is JSON text. */
export type ColumnValue = string | number | boolean | null | readonly (string | number | boolean)[]

/** The value in the type of the column, or why it does not fit. */
export type Cast = { readonly ok: true; readonly value: ColumnValue } | { readonly ok: false; readonly reason: string }

const int64Max = 2 ** 63
const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

/** Returns whether a value is a time as rows have it: ISO text in UTC with milliseconds. */
export function isIsoTime(value: unknown): value is string {
  return typeof value === 'string' && isoTime.test(value)
}

/**
 * Converts a value to the type of its column, where that loses nothing. Source:
 * packages/docs/behaviour/warehouses.md#casts.
 *
 * @param from type that the row gives the value.
 */
export function castValue(value: JsonValue, from: ColumnType, column: LiveColumn): Cast {
  const { type: to, native } = column
  if (value === null) return { ok: true, value: null }
  if (to === undefined) return misfit(`the column has the type ${native}, which Sluice does not write`)
  if (to === 'datetime' && from === to && !isIsoTime(value))
    return misfit(`it is not a date as in 2026-01-31T12:00:00Z, which the column of type ${native} needs`)
  const cast = to === from ? sameType(value, from) : converted(value, from, to)
  if (cast === undefined) return misfit(`a value of type ${from} does not fit the column of type ${native}`)
  return withinLimits(cast, column)
}

function sameType(value: JsonValue, type: ColumnType): ColumnValue {
  if (type.startsWith('array(')) return Array.isArray(value) ? (value as readonly string[]) : [String(value)]
  if (typeof value === 'object' || (type === 'json' && typeof value !== 'string')) return JSON.stringify(value)
  return value
}

/** Returns undefined when the value cannot be converted without a loss. */
function converted(value: JsonValue, from: ColumnType, to: ColumnType): ColumnValue | undefined {
  switch (to) {
    case 'string':
    case 'text':
      return textOf(value)
    case 'json':
      return jsonOf(value, from)
    case 'float':
      return numberOf(value)
    case 'int': {
      const number = numberOf(value)
      return number !== undefined && Number.isInteger(number) ? number : undefined
    }
    case 'boolean':
      return booleanOf(value)
    case 'datetime':
      return undefined
    default:
      return undefined
  }
}

function textOf(value: JsonValue): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Text of another json column is JSON already. */
function jsonOf(value: JsonValue, from: ColumnType): string {
  return from === 'json' && typeof value === 'string' ? value : JSON.stringify(value)
}

/** Only plain decimal numbers: text such as "1e5" or "0x10" was not written as a number. */
function numberOf(value: JsonValue): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || !/^-?\d{1,15}(?:\.\d{1,15})?$/.test(value)) return undefined
  return Number(value)
}

function booleanOf(value: JsonValue): boolean | undefined {
  if (value === 'true' || value === true) return true
  return value === 'false' || value === false ? false : undefined
}

function withinLimits(value: ColumnValue, { type, native, lengthMax, bytesMax, bits }: LiveColumn): Cast {
  if (typeof value === 'number') {
    if (type === 'int' && Math.abs(value) >= (bits === undefined ? int64Max : 2 ** (bits - 1)))
      return misfit(`${value} is outside the range of the type ${native}`)
    return { ok: true, value }
  }
  if (typeof value !== 'string') return { ok: true, value }
  if (lengthMax !== undefined && value.length > lengthMax && [...value].length > lengthMax)
    return misfit(`a text of ${[...value].length} characters does not fit the type ${native}`)
  if (bytesMax !== undefined && value.length * 3 > bytesMax && Buffer.byteLength(value) > bytesMax)
    return misfit(`a text of ${Buffer.byteLength(value)} bytes does not fit the type ${native}`)
  return { ok: true, value }
}

function misfit(reason: string): Cast {
  return { ok: false, reason }
}
