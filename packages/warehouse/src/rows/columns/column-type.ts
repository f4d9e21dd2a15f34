/** Types of columns that every warehouse has in some form. `text` is a string without a short limit. */
type ScalarType = 'boolean' | 'int' | 'float' | 'datetime' | 'string' | 'text' | 'json'

/** Type of a column, named as in RudderStack. Only ClickHouse has arrays. */
export type ColumnType = ScalarType | `array(${'boolean' | 'int' | 'float' | 'datetime' | 'string'})`

/**
 * Returns the type of a new column for values of two types. Nothing is lost then, where the first type alone would send
 * the other values to the discards. It holds within a load: a column that exists keeps its type.
 */
export function widest(a: ColumnType, b: ColumnType): ColumnType {
  if (a === b) return a
  const pair = new Set([a, b])
  if (pair.has('json')) return 'json'
  if (pair.has('text')) return 'text'
  return pair.has('int') && pair.has('float') ? 'float' : 'string'
}
