import type { ColumnValue } from '../../evolve/cast-value.ts'
import type { LiveColumn } from '../../evolve/live-schema.ts'
import type { ColumnType } from '../../rows/columns/column-type.ts'

const scalars: Readonly<Record<string, string>> = {
  boolean: 'Bool',
  int: 'Int64',
  float: 'Float64',
  datetime: "DateTime64(3, 'UTC')",
}

/** Returns the type of a new column. Columns are nullable, except for keys, times of loads, and arrays. */
export function nativeTypeOf(type: ColumnType, isRequired: boolean): string {
  const element = /^array\((\w+)\)$/.exec(type)?.[1]
  if (element !== undefined) return `Array(${scalars[element] ?? 'String'})`
  const native = scalars[type] ?? 'String'
  return isRequired ? native : `Nullable(${native})`
}

const known: readonly (readonly [native: RegExp, column: Omit<LiveColumn, 'native'>])[] = [
  [/^Bool$|^UInt8$/, { type: 'boolean' }],
  [/^Int64$/, { type: 'int' }],
  [/^Int32$/, { type: 'int', bits: 32 }],
  [/^Int16$/, { type: 'int', bits: 16 }],
  [/^Float(?:32|64)$/, { type: 'float' }],
  [/^DateTime/, { type: 'datetime' }],
  [/^String$/, { type: 'string' }],
  [/^Array\(Bool\)$/, { type: 'array(boolean)' }],
  [/^Array\(Int64\)$/, { type: 'array(int)' }],
  [/^Array\(Float64\)$/, { type: 'array(float)' }],
  [/^Array\(DateTime64.*\)$/, { type: 'array(datetime)' }],
  [/^Array\(String\)$/, { type: 'array(string)' }],
]

/** @param native as in `system.columns`. */
export function liveColumnOf(native: string): LiveColumn {
  const bare = native.replace(/^LowCardinality\((.*)\)$/, '$1').replace(/^Nullable\((.*)\)$/, '$1')
  return { ...(known.find(([form]) => form.test(bare))?.[1] ?? { type: undefined }), native }
}

/** Returns a value as a member of a line of JSON. Elements of text arrays are texts. */
export function writtenValue(value: ColumnValue, type: ColumnType): ColumnValue {
  if (typeof value !== 'object' || value === null || type !== 'array(string)') return value
  return value.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
}
