import { identifierText, isJsonObject, type JsonValue } from '@sluice/core'
import type { LiveColumn } from '../evolve/live-schema.ts'
import { datetimeOf } from '../rows/columns/datetime.ts'

/**
 * How ids are stored in a column. `bit` is a number that products without booleans store for them; it may be any number
 * in tables that others fill.
 */
export type IdFamily = 'text' | 'json' | 'uuid' | 'integer' | 'decimal' | 'float' | 'boolean' | 'bit' | 'time' | 'date'

/** Names of types in all products, in lower case. The first that matches counts. */
const byNative: readonly (readonly [native: RegExp, family: IdFamily])[] = [
  [/^(?:tinyint\(1\)|uint8)$/, 'bit'],
  [/^(?:big)?(?:numeric|decimal)\b|^(?:number|fixed|dec)\b/, 'decimal'],
  [/^(?:u?(?:tiny|small|medium|big|huge)?int|integer|uinteger|u?int\d+|byteint)\b/, 'integer'],
  [/^(?:float\d*|double|real)\b/, 'float'],
  [/^bool/, 'boolean'],
  [/^(?:timestamp|datetime)/, 'time'],
  [/^date(?:32)?$/, 'date'],
  [/^uuid$/, 'uuid'],
  [/^(?:n?(?:var)?char|character|bpchar|(?:tiny|medium|long|n)?text|string$|fixedstring|enum|citext|name$)/, 'text'],
]

const byType: Partial<Record<NonNullable<LiveColumn['type']>, IdFamily>> = {
  string: 'text',
  text: 'text',
  json: 'json',
  int: 'integer',
  float: 'float',
  boolean: 'boolean',
  datetime: 'time',
}

/** Returns how a column stores ids, undefined for a type in which they cannot be searched. */
export function idFamilyOf({ type, native }: LiveColumn): IdFamily | undefined {
  if (type === 'json' || type === 'text' || type === 'string') return byType[type]
  const bare = native
    .replace(/^LowCardinality\((.*)\)$/, '$1')
    .replace(/^Nullable\((.*)\)$/, '$1')
    .toLowerCase()
  const family = byNative.find(([form]) => form.test(bare))?.[1]
  // Snowflake and Redshift have no other whole numbers than decimals without a fraction.
  if (family === 'decimal' && type === 'int') return 'integer'
  return family ?? (type && byType[type])
}

/** Returns the cleaned id that a column has, by its text in the database. */
export function storedId(text: string, family: IdFamily): string {
  switch (family) {
    case 'json':
      return identifierText(parsed(text))
    case 'decimal':
      return text.includes('.') ? withoutZeros(text) : text
    case 'float':
      return JSON.stringify(Number(text))
    case 'boolean':
    case 'bit':
      return /^(?:t|true|1)$/i.test(text) ? 'true' : /^(?:f|false|0)$/i.test(text) ? 'false' : text
    case 'time':
      return datetimeOf(text.replace(/ UTC$/, 'Z').replace(/(:\d\d(?:\.\d+)?[+-]\d\d)$/, '$1:00')) ?? text
    default:
      return identifierText(text)
  }
}

/** Returns the cleaned ids of a list of external ids, as JSON text. */
export function listedIds(text: string): readonly string[] {
  const list = parsed(text)
  if (!Array.isArray(list)) return []
  return list.flatMap((each: JsonValue) => (isJsonObject(each) ? [identifierText(each['id'])] : []))
}

/** Returns a decimal number without zeros at the end of its fraction. */
function withoutZeros(text: string): string {
  let end = text.length
  while (text[end - 1] === '0') end -= 1
  return text.slice(0, text[end - 1] === '.' ? end - 1 : end)
}

function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return text
  }
}
