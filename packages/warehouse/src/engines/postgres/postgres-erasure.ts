import type { ErasureSql } from '../../erase/erasure-store.ts'
import { quoted } from '../sql/quoted.ts'

/** How ids are searched in PostgreSQL. The collation `C` compares bytes, whatever the column has. */
export const postgresErasure: ErasureSql = {
  cased: (name) => name,
  quoted,
  text: (column) => `(${column}::text collate "C")`,
  matches: (column, pattern) => `${column}::text collate "C" ~ '${pattern}'`,
  without: (column, pattern) => `regexp_replace(${column}::text collate "C", '${pattern}', '', 'g')`,
  time: (iso, native) => `'${iso}'::${native.includes('with time zone') ? 'timestamptz' : 'timestamp'}`,
  date: (day) => `date '${day}'`,
  valuesMax: 1_000,
}
