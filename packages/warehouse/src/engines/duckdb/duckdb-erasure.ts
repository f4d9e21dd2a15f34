import type { ErasureSql } from '../../erase/erasure-store.ts'
import { quoted } from '../sql/quoted.ts'

/** How ids are searched in DuckDB. Encoding removes the collation of a column. */
export const duckdbErasure: ErasureSql = {
  cased: (name) => name,
  quoted,
  text: (column) => `decode(encode(cast(${column} as varchar)))`,
  matches: (column, pattern) => `regexp_matches(cast(${column} as varchar), '${pattern}')`,
  without: (column, pattern) => `regexp_replace(cast(${column} as varchar), '${pattern}', '', 'g')`,
  time: (iso, native) =>
    /zone/i.test(native) ? `timestamptz '${iso}'` : `timestamp '${iso.replace('T', ' ').replace('Z', '')}'`,
  date: (day) => `date '${day}'`,
  valuesMax: 1_000,
}
