import type { ErasureSql } from '../../erase/erasure-store.ts'
import { quoted } from '../sql/quoted.ts'
import { type Statement, sql, textOf } from '../sql/statement.ts'
import { rowOfTexts, type TextRow } from '../sql/text-row.ts'

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

/** Returns a statement as DuckDB takes it. */
export function duckdbStatement(statement: Statement): { readonly text: string; readonly values: readonly string[] } {
  return { text: textOf(statement, (place) => `$${place}`), values: statement.values }
}

/** Returns a query whose rows are read by `erasureRows`. They are JSON: the driver omits a BOM at the beginning of a text. */
export function erasureQuery(query: Statement): ReturnType<typeof duckdbStatement> {
  return duckdbStatement(sql`select to_json(q)::varchar as json from (${query}) q`)
}

export function erasureRows(rows: readonly Readonly<Record<string, unknown>>[]): readonly TextRow[] {
  return rows.map(({ json }) => rowOfTexts(JSON.parse(String(json)) as Readonly<Record<string, unknown>>))
}
