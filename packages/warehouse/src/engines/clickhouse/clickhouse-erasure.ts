import type { ErasureSql } from '../../erase/erasure-store.ts'
import { quotedWithBackslashes } from '../sql/quoted.ts'

const text = (column: string): string => `ifNull(toString(${column}), '')`

/** How ids are searched in ClickHouse. Values are sent in the address of the request, which has a limit of 1 MB. */
export const clickhouseErasure: ErasureSql = {
  cased: (name) => name,
  quoted: quotedWithBackslashes,
  text,
  matches: (column, pattern) => `match(${text(column)}, '${pattern}')`,
  without: (column, pattern) => `replaceRegexpAll(${text(column)}, '${pattern}', '')`,
  time: (iso) => `toDateTime64('${iso.replace('T', ' ').replace('Z', '')}', 3, 'UTC')`,
  date: (day) => `toDate('${day}')`,
  valuesMax: 100,
}
