import type { ErasureSql } from '../../erase/erasure-store.ts'
import { quotedWithTicks } from '../sql/quoted.ts'

const utf8 = (column: string): string => `convert(${column} using utf8mb4) collate utf8mb4_bin`

/** How ids are searched in MySQL. Collations ignore blanks at the end, and most of them case; binary strings do not. */
export const mysqlErasure: ErasureSql = {
  cased: (name) => name,
  quoted: quotedWithTicks,
  text: (column) => `cast(convert(${column} using utf8mb4) as binary)`,
  matches: (column, pattern) => `${utf8(column)} regexp '${pattern}'`,
  without: (column, pattern) => `regexp_replace(${utf8(column)}, '${pattern}', '')`,
  time: (iso) => `timestamp'${iso.replace('T', ' ').replace('Z', '')}'`,
  date: (day) => `date'${day}'`,
  valuesMax: 1_000,
}
