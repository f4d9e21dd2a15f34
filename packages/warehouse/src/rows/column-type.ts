/** Types of columns that every warehouse has in some form. `text` is a string without a short limit. */
export type ScalarType = 'boolean' | 'int' | 'float' | 'datetime' | 'string' | 'text' | 'json'

/** Type of a column, named as in RudderStack. Only ClickHouse has arrays. */
export type ColumnType = ScalarType | `array(${'boolean' | 'int' | 'float' | 'datetime' | 'string'})`
